// Decodes the pictures that lie beside the checkout and compares their pixels with the hashes of
// what the peer was given.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "base/sha256.h"
#include "holostat/picture.h"

namespace holostat {
namespace {

namespace fs = std::filesystem;

std::string ExpectedHash(const fs::path& golden) {
  std::ifstream file(golden);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const std::size_t key = text.find("\"rgb24Sha256\"");
  if (key == std::string::npos) return "";
  const std::size_t begin = text.find('"', text.find(':', key)) + 1;
  return text.substr(begin, text.find('"', begin) - begin);
}

TEST(DecodePicture, GivesThePixelsThePeerWasGiven) {
  const fs::path media = fs::path(HOLOSTAT_SOURCE_DIR) / "../shared/media";
  if (!fs::exists(media / "golden")) GTEST_SKIP() << "no shared media beside the checkout";
  int compared = 0;
  for (const auto& entry : fs::directory_iterator(media)) {
    const fs::path golden = media / "golden" / (entry.path().filename().string() + ".json");
    const std::string type = entry.path().extension();
    if ((type != ".png" && type != ".jpg") || !fs::exists(golden)) continue;
    const auto image = ReadPicture(entry.path());
    ASSERT_TRUE(image) << image.error().message;
    const std::size_t size =
        static_cast<std::size_t>(image->stride_bytes()) * static_cast<std::size_t>(image->height());
    EXPECT_EQ(Sha256Hex({image->row(0), size}), ExpectedHash(golden)) << entry.path();
    ++compared;
  }
  EXPECT_GE(compared, 13);
}

}  // namespace
}  // namespace holostat
