#include "render/label.h"

#include <gtest/gtest.h>

#include <string>

#include "base/heap_calls.h"
#include "render/test_faces.h"

namespace holostat::render {
namespace {

constexpr Color kGround{128, 128, 128};

struct Changed {
  int left = 1 << 20, top = 1 << 20, right = -1, bottom = -1, bright = 0;
};

Changed Draw(std::string_view text, int width, int height, const LabelOptions& options = {}) {
  Image image(width, height);
  std::fill(image.row(0), image.row(0) + 3 * width * height, std::uint8_t{128});
  DrawLabel(text, options, image);
  Changed changed;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const std::uint8_t value = image.row(y)[3 * x];
      if (value == 128) continue;
      changed = {std::min(changed.left, x), std::min(changed.top, y), std::max(changed.right, x),
                 std::max(changed.bottom, y), changed.bright + (value > 200)};
    }
  }
  return changed;
}

TEST(Label, IsInItsCorner) {
  const Changed low = Draw("FACE ALTERED", 1280, 720);
  EXPECT_LT(low.right, 640);
  EXPECT_GT(low.top, 600);
  const Changed high = Draw("FACE ALTERED", 1280, 720, {.corner = LabelCorner::kTopRight});
  EXPECT_GT(high.left, 640);
  EXPECT_LT(high.bottom, 120);
}

TEST(Label, ItsLettersAreFivePercentHigh) {
  const Changed changed = Draw("H", 1000, 1000);
  EXPECT_GT(changed.bright, 200);
  EXPECT_GE(changed.bottom - changed.top, 50);
  EXPECT_LE(changed.bottom - changed.top, 90);
}

TEST(Label, FitsAnyPicture) {
  const std::string longest(kMostLabelLetters + 50, 'W');
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 500}, {500, 3}, {64, 64}, {320, 240}}) {
    const Changed changed = Draw(longest, width, height);
    EXPECT_LT(changed.right, width);
    EXPECT_GE(changed.right, -1);
  }
  EXPECT_GT(Draw(longest, 320, 240).bright, 50);
}

TEST(Label, WritesEveryLetterDifferently) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.,:/";
  std::vector<std::vector<std::uint8_t>> seen;
  for (const char letter : letters) {
    Image image = Plain(100, kGround);
    DrawLabel(std::string_view(&letter, 1), {.height = 0.4}, image);
    const std::vector<std::uint8_t> pixels(image.row(0), image.row(0) + 30000);
    for (const auto& other : seen) EXPECT_NE(pixels, other) << letter;
    seen.push_back(pixels);
  }
}

TEST(Label, TakesSmallLettersAndAnythingElse) {
  EXPECT_EQ(Draw("abc", 300, 300).bright, Draw("ABC", 300, 300).bright);
  EXPECT_GT(Draw("\xff\x01\xc3\xa4", 300, 300).bright, 20);
}

TEST(Label, OfNothingIsNothing) { EXPECT_EQ(Draw("", 300, 300).right, -1); }

TEST(Label, MakesNoHeapCall) {
  Image image = Plain(300, kGround);
  const auto before = HeapCalls();
  DrawLabel("FACE ALTERED", {}, image);
  EXPECT_EQ(HeapCalls() - before, 0u);
}

}  // namespace
}  // namespace holostat::render
