#include "server/multipart.h"

#include <gtest/gtest.h>

#include <string>

namespace holostat::server {
namespace {

constexpr const char* kType = "multipart/form-data; boundary=b";

Result<std::vector<FormPart>> Read(const std::string& body, std::size_t max_files = 4,
                                   const std::string& type = kType) {
  return ReadForm(std::as_bytes(std::span(body.data(), body.size())), type, max_files);
}
std::string File(const std::string& name, const std::string& bytes) {
  return "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"" + name +
         "\"\r\nContent-Type: image/png\r\n\r\n" + bytes + "\r\n";
}

TEST(Multipart, GivesTheFilesInTheirOrder) {
  const std::string body = "preamble\r\n" + File("a;b.png", "one\r\n--c") +
                           "--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\nfield\r\n" +
                           File("", "") + "--b--\r\n";
  const auto files = Read(body);
  ASSERT_TRUE(files) << files.error().message;
  ASSERT_EQ(files->size(), 2u);
  EXPECT_EQ((*files)[0].file_name, "a;b.png");
  EXPECT_EQ((*files)[0].name, "f");
  EXPECT_EQ((*files)[0].bytes.size(), 8u);
  EXPECT_EQ((*files)[1].bytes.size(), 0u);
}

TEST(Multipart, RefusesWhatIsNone) {
  const std::string good = File("a", "one") + "--b--";
  EXPECT_TRUE(Read(good));
  EXPECT_FALSE(Read(good, 4, "multipart/form-data"));
  EXPECT_FALSE(Read(good, 4, "multipart/form-data; boundary=other"));
  EXPECT_FALSE(Read(good, 4, "multipart/form-data; boundary=" + std::string(71, 'b')));
  for (std::size_t size = 0; size + 2 < good.size(); ++size)
    EXPECT_FALSE(Read(good.substr(0, size))) << size;
  EXPECT_FALSE(Read("--bx" + good));
  EXPECT_FALSE(Read("--b--"));
}

TEST(Multipart, TakesNoMoreFilesThanItMay) {
  const auto files = Read(File("a", "1") + File("b", "2") + File("c", "3") + "--b--", 2);
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().code, ErrorCode::kLimitExceeded);
}

}  // namespace
}  // namespace holostat::server
