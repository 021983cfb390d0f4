#include "server/tls.h"

#include <fmt/format.h>
#include <openssl/ssl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace holostat::server {

using boost::asio::ssl::context;
using boost::system::error_code;

Result<std::unique_ptr<context>> LoadTls(const std::string& certificate, const std::string& key) {
  for (const std::string& file : {certificate, key}) {
    if (::access(file.c_str(), R_OK) != 0)
      return Fail(ErrorCode::kNotFound,
                  fmt::format("cannot read {}: {}", file, std::strerror(errno)));
  }
  auto tls = std::make_unique<context>(context::tls_server);
  SSL_CTX* handle = tls->native_handle();
  ::SSL_CTX_set_min_proto_version(handle, TLS1_2_VERSION);
  // Idle connections keep no buffers; a client cannot make us compute by renegotiating.
  ::SSL_CTX_set_mode(handle, SSL_MODE_RELEASE_BUFFERS);
  ::SSL_CTX_set_options(
      handle, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  error_code error;
  tls->use_certificate_chain_file(certificate, error);
  if (error)
    return Fail(ErrorCode::kCorruptData,
                fmt::format("{} is no certificate in PEM: {}", certificate, error.message()));
  tls->use_private_key_file(key, context::pem, error);
  if (error)
    return Fail(ErrorCode::kCorruptData,
                fmt::format("{} is no private key for {}: {}", key, certificate, error.message()));
  return tls;
}

}  // namespace holostat::server
