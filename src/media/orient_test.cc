#include "media/orient.h"

#include <gtest/gtest.h>

#include <string>

namespace holostat::media {
namespace {

// Rows of letters, one a pixel: "ABC/DEF".
Image FromLetters(const std::string& text) {
  const int width = static_cast<int>(text.find('/'));
  const int height = static_cast<int>(text.size() + 1) / (width + 1);
  Image image(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c)
        image.row(y)[x * 3 + c] =
            static_cast<std::uint8_t>(text[static_cast<std::size_t>(y * (width + 1) + x)] + c * 30);
  return image;
}

std::string ToLetters(const Image& image) {
  std::string text;
  for (int y = 0; y < image.height(); ++y) {
    if (y > 0) text += '/';
    for (int x = 0; x < image.width(); ++x) {
      const std::uint8_t* pixel = image.row(y) + x * 3;
      EXPECT_TRUE(pixel[1] == pixel[0] + 30 && pixel[2] == pixel[0] + 60) << "torn pixel";
      text += static_cast<char>(pixel[0]);
    }
  }
  return text;
}

TEST(Orient, TurnsEachStoredLayoutUpright) {
  const char* const kUpright[] = {"ABC/DEF",  "CBA/FED",  "FED/CBA",  "DEF/ABC",
                                  "AD/BE/CF", "DA/EB/FC", "FC/EB/DA", "CF/BE/AD"};
  for (int value = 1; value <= 8; ++value)
    EXPECT_EQ(ToLetters(Orient(FromLetters("ABC/DEF"), static_cast<Orientation>(value))),
              kUpright[value - 1])
        << value;
}

TEST(Orient, TransposesPicturesOfAnySize) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 77}, {100, 1}, {33, 31}, {64, 65}}) {
    Image image(width, height);
    for (int y = 0; y < height; ++y)
      for (int k = 0; k < width * 3; ++k)
        image.row(y)[k] = static_cast<std::uint8_t>(y * 7 + k * 13);
    const Image turned = Orient(image, Orientation::kLeftTop);
    ASSERT_EQ(turned.width(), height);
    ASSERT_EQ(turned.height(), width);
    for (int y = 0; y < height; ++y)
      for (int k = 0; k < width * 3; ++k)
        ASSERT_EQ(turned.row(k / 3)[y * 3 + k % 3], image.row(y)[k]);
  }
}

}  // namespace
}  // namespace holostat::media
