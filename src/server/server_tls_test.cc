#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <cstdio>
#include <memory>

#include "base/test_dir.h"
#include "server/server_fixture.h"

namespace holostat::server {
namespace {

template <auto kFree>
struct Free {
  template <class T>
  void operator()(T* object) const {
    kFree(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Free<X509_free>>;
using File = std::unique_ptr<std::FILE, Free<std::fclose>>;

// A key and a certificate that it has signed itself.
void WriteCertificate(const std::string& certificate_path, const std::string& key_path) {
  const Key key(EVP_EC_gen("P-256"));
  const Certificate certificate(X509_new());
  X509_set_version(certificate.get(), 2);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), 0);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
  X509_set_pubkey(certificate.get(), key.get());
  X509_sign(certificate.get(), key.get(), EVP_sha256());
  PEM_write_X509(File(std::fopen(certificate_path.c_str(), "w")).get(), certificate.get());
  PEM_write_PrivateKey(File(std::fopen(key_path.c_str(), "w")).get(), key.get(), nullptr, nullptr,
                       0, nullptr, nullptr);
}

class ServerTlsTest : public ServerFixture {
 protected:
  ServerTlsTest() {
    options_.tls_certificate = (dir_ / "certificate.pem").string();
    options_.tls_key = (dir_ / "key.pem").string();
    WriteCertificate(options_.tls_certificate, options_.tls_key);
  }

  // What comes back for `request`, until the server closes; empty when no connection comes about.
  std::string Ask(std::string_view request, int max_version = TLS1_3_VERSION) const {
    const std::unique_ptr<SSL_CTX, Free<SSL_CTX_free>> context(SSL_CTX_new(TLS_client_method()));
    SSL_CTX_set_max_proto_version(context.get(), max_version);
    const std::unique_ptr<BIO, Free<BIO_free_all>> bio(BIO_new_ssl_connect(context.get()));
    BIO_set_conn_hostname(bio.get(), fmt::format("127.0.0.1:{}", server_->port()).c_str());
    if (BIO_do_handshake(bio.get()) != 1) return "";
    BIO_write(bio.get(), request.data(), static_cast<int>(request.size()));
    std::string answer;
    char buffer[4096];
    for (int count; (count = BIO_read(bio.get(), buffer, sizeof buffer)) > 0;)
      answer.append(buffer, static_cast<std::size_t>(count));
    return answer;
  }

  TestDir dir_;
};

TEST_F(ServerTlsTest, AnswersOverTls) {
  Start();
  EXPECT_TRUE(server_->url().starts_with("https://"));
  const std::string close = "Connection: close\r\n";
  EXPECT_TRUE(Ask(Post("/v1/track", "GIF89ahello", close)).ends_with("\r\n\r\nolleh"));
  EXPECT_TRUE(Ask(Get("/healthz", close), TLS1_2_VERSION).starts_with("HTTP/1.1 200"));
}

TEST_F(ServerTlsTest, SpeaksNoOldVersion) {
  Start();
  EXPECT_EQ(Ask(Get("/healthz"), TLS1_1_VERSION), "");
}

TEST_F(ServerTlsTest, ClosesOnWhoDoesNotSpeakTls) {
  Start();
  TestClient client = Client();
  client.Send(Get("/healthz"));
  EXPECT_TRUE(client.IsClosed());
  EXPECT_EQ(client.unread().find("HTTP/1.1"), std::string::npos);
}

TEST_F(ServerTlsTest, SaysWhichFileIsWrong) {
  supervisor_ = runtime::Supervisor::Start(clock_, setup_).value();
  ASSERT_TRUE(supervisor_->WaitUntilReady(kPatience));
  const auto refusal = [&] {
    const auto server = Server::Create(clock_, *supervisor_, options_, {});
    return server ? ErrorCode::kInternal : server.error().code;
  };
  std::swap(options_.tls_certificate, options_.tls_key);
  EXPECT_EQ(refusal(), ErrorCode::kCorruptData);
  options_.tls_key = (dir_ / "nothing.pem").string();
  EXPECT_EQ(refusal(), ErrorCode::kNotFound);
  options_.tls_key.clear();
  EXPECT_EQ(refusal(), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace holostat::server
