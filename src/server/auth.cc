#include "server/auth.h"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/address.hpp>

namespace holostat::server {
namespace {

using Digest = std::array<unsigned char, SHA256_DIGEST_LENGTH>;

// Two texts are compared by their digests: these have the same length, so that not even that of
// the token shows.
Digest DigestOf(std::string_view text) {
  Digest digest;
  ::SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  return digest;
}

bool IsBearer(std::string_view scheme) {
  constexpr std::string_view kBearer = "bearer ";
  return scheme.size() == kBearer.size() &&
         std::ranges::equal(scheme, kBearer, [](char given, char wanted) {
           return (given >= 'A' && given <= 'Z' ? given + ('a' - 'A') : given) == wanted;
         });
}

}  // namespace

bool IsAuthorized(std::string_view authorization, std::string_view token) {
  if (token.empty()) return true;
  if (!IsBearer(authorization.substr(0, 7))) return false;
  const Digest given = DigestOf(authorization.substr(7)), wanted = DigestOf(token);
  return ::CRYPTO_memcmp(given.data(), wanted.data(), given.size()) == 0;
}

bool IsOriginTrusted(const RequestHead& head, const std::vector<std::string>& allowed) {
  if (head.origin.empty()) return true;
  const std::size_t scheme = head.origin.find("://");
  if (scheme != std::string::npos && head.origin.substr(scheme + 3) == head.host) return true;
  return !AllowedOrigin(head.origin, allowed).empty();
}

std::string AllowedOrigin(std::string_view origin, const std::vector<std::string>& allowed) {
  if (origin.empty()) return {};
  for (const std::string& one : allowed) {
    if (one == "*") return "*";
    if (one == origin) return one;
  }
  return {};
}

Result<void> CheckExposure(const ServerOptions& options) {
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(options.address, error);
  if (error)
    return Fail(ErrorCode::kInvalidArgument, fmt::format("{} is no IP address", options.address));
  if (options.tls_certificate.empty() != options.tls_key.empty())
    return Fail(ErrorCode::kInvalidArgument, "TLS needs both a certificate and its key");
  if (address.is_loopback() || options.insecure || !options.token.empty()) return {};
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("{} can be reached by others: give --token-file FILE (clients then send "
                          "\"Authorization: Bearer ...\"), or --insecure to let anybody in",
                          options.address));
}

}  // namespace holostat::server
