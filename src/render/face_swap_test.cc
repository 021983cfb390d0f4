#include "render/face_swap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "base/heap_calls.h"
#include "render/test_faces.h"
#include "render/test_people.h"
#include "render/triangle_fill.h"

namespace holostat::render {
namespace {

constexpr int kSide = 400;
using std::chrono::milliseconds;

FaceTexture TextureOf(const Image& image, const Face& face) {
  const FaceTexture::Source source{image.view(), &face};
  return *FaceTexture::Make({&source, 1});
}

const Face kFace = DomeFace(0.5f, 0.5f, 0.6f);

// A checked face, so that it shows where it was drawn.
Image Checked(int side) {
  return Painted(side, [](float x, float y) {
    const bool dark = (static_cast<int>(x * 40) + static_cast<int>(y * 40)) % 2 != 0;
    return dark ? Color{90, 70, 60} : Color{200, 170, 150};
  });
}

Color At(const Image& image, float x, float y) {
  const std::uint8_t* p = image.row(static_cast<int>(y * static_cast<float>(image.height()))) +
                          3 * static_cast<int>(x * static_cast<float>(image.width()));
  return {static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])};
}

float Difference(const Color& a, const Color& b) {
  return std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])});
}

int ChangedPixels(const Image& a, const Image& b) {
  int count = 0;
  for (int y = 0; y < a.height(); ++y) {
    for (int x = 0; x < a.width(); ++x)
      count += std::memcmp(a.row(y) + 3 * x, b.row(y) + 3 * x, 3) != 0;
  }
  return count;
}

TEST(FaceSwapper, AFaceOverItselfLeavesThePictureAsItIs) {
  const Image before = Colourful(kSide);
  Image image = before;
  FaceSwapper swapper;
  ASSERT_TRUE(swapper.Draw(TextureOf(before, kFace), WithFace(kFace), std::nullopt, 1, image));
  for (float y = 0.05f; y < 1; y += 0.05f) {
    for (float x = 0.05f; x < 1; x += 0.05f)
      EXPECT_LE(Difference(At(image, x, y), At(before, x, y)), 4) << x << ' ' << y;
  }
}

TEST(FaceSwapper, DrawsTheTextureWhereTheFaceIs) {
  Image image = Plain(kSide, {140, 120, 110});
  FaceSwapper swapper;
  swapper.Draw(TextureOf(Checked(kSide), kFace), WithFace(kFace), std::nullopt, 1, image);
  float darkest = 255, lightest = 0;
  for (float x = 0.4f; x < 0.6f; x += 0.01f) {
    darkest = std::min(darkest, At(image, x, 0.55f)[0]);
    lightest = std::max(lightest, At(image, x, 0.55f)[0]);
  }
  EXPECT_GT(lightest - darkest, 20);
}

TEST(FaceSwapper, ChangesNothingOutsideTheOval) {
  const Image before = Colourful(kSide);
  Image image = before;
  FaceSwapper swapper;
  swapper.Draw(TextureOf(Checked(kSide), kFace), WithFace(kFace), std::nullopt, 1, image);
  EXPECT_GT(ChangedPixels(before, image), 1000);
  float left = 1, right = 0, top = 1, bottom = 0;
  for (const std::uint16_t i : FaceOvalLoop()) {
    left = std::min(left, kFace.points[i].x);
    right = std::max(right, kFace.points[i].x);
    top = std::min(top, kFace.points[i].y);
    bottom = std::max(bottom, kFace.points[i].y);
  }
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const float u = (static_cast<float>(x) + 0.5f) / kSide,
                  v = (static_cast<float>(y) + 0.5f) / kSide;
      if (u > left && u < right && v > top && v < bottom) continue;
      ASSERT_EQ(std::memcmp(before.row(y) + 3 * x, image.row(y) + 3 * x, 3), 0) << x << ' ' << y;
    }
  }
}

TEST(FaceSwapper, TakesTheColourOfTheLiveFace) {
  Image image = Plain(kSide, {90, 110, 160});
  FaceSwapper swapper;
  swapper.Draw(TextureOf(Plain(kSide, {220, 180, 150}), kFace), WithFace(kFace), std::nullopt, 1,
               image);
  EXPECT_LE(Difference(At(image, 0.5f, 0.55f), {90, 110, 160}), 2);
}

TEST(FaceSwapper, TakesTheLightOfTheLiveFaceFromEachSide) {
  const auto lamp = [](float x, float) { return Color{60 + 140 * x, 60 + 120 * x, 60 + 100 * x}; };
  const Image before = Painted(kSide, lamp);
  Image image = before;
  FaceSwapper swapper;
  swapper.Draw(TextureOf(Plain(kSide, {150, 130, 120}), kFace), WithFace(kFace), std::nullopt, 1,
               image);
  for (const float x : {0.35f, 0.5f, 0.65f})
    EXPECT_LE(Difference(At(image, x, 0.6f), At(before, x, 0.6f)), 12) << x;
}

TEST(FaceSwapper, LeavesTheOpenMouthAndTheEyes) {
  Face open = kFace;  // the lower lip and all below are pulled down
  const std::set<std::size_t> inner_lip{88, 178, 87, 317, 402, 318};
  for (std::size_t i = 0; i < open.count; ++i) {
    if (kFace.points[i].y >= kFace.points[14].y || inner_lip.contains(i)) open.points[i].y += 0.04f;
  }
  const Image before = Plain(kSide, {140, 120, 110});
  Image image = before;
  FaceSwapper swapper;
  swapper.Draw(TextureOf(Checked(kSide), kFace), WithFace(open), std::nullopt, 1, image);
  const auto middle = [&](std::uint16_t a, std::uint16_t b) {
    return Vec2{(open.points[a].x + open.points[b].x) / 2,
                (open.points[a].y + open.points[b].y) / 2};
  };
  for (const Vec2 place : {middle(13, 14), middle(159, 145), middle(386, 374)}) {
    EXPECT_EQ(Difference(At(image, place.x, place.y), {140, 120, 110}), 0)
        << place.x << ' ' << place.y;
  }
}

int ChangedAround(const Image& image, const Color& before,
                  std::span<const std::uint16_t> landmarks) {
  int count = 0;
  for (const std::uint16_t i : landmarks)
    count += Difference(At(image, kFace.points[i].x, kFace.points[i].y), before) > 0;
  return count;
}

TEST(FaceSwapper, KeepsLipsAndBrowsIfTold) {
  const Color ground{140, 120, 110};
  const FaceTexture texture = TextureOf(Checked(kSide), kFace);
  const std::array<std::uint16_t, 5> brow{105, 66, 63, 52, 65}, lips{11, 12, 15, 16, 72};
  const auto drawn = [&](const FaceSwapOptions& options) {
    Image image = Plain(kSide, ground);
    FaceSwapper(options).Draw(texture, WithFace(kFace), std::nullopt, 1, image);
    return image;
  };
  const Image all = drawn({}), kept = drawn({.keep_mouth = true, .keep_brows = true});
  EXPECT_GE(ChangedAround(all, ground, brow), 4);
  EXPECT_GE(ChangedAround(all, ground, lips), 4);
  EXPECT_EQ(ChangedAround(kept, ground, brow), 0);
  EXPECT_EQ(ChangedAround(kept, ground, lips), 0);
}

TEST(FaceSwapper, LeavesAHandInFrontOfTheFace) {
  Person person = WithFace(kFace);
  person.right_hand = PlainHand(0.5f, 0.62f, 0.25f);
  const FaceTexture texture = TextureOf(Checked(kSide), kFace);
  const auto changed_at_wrist = [&](bool in_front) {
    Image image = Plain(kSide, {140, 120, 110});
    FaceSwapper({.hands_in_front = in_front}).Draw(texture, person, std::nullopt, 1, image);
    float most = 0;
    for (float y = 0.6f; y < 0.63f; y += 0.004f)
      most = std::max(most, Difference(At(image, 0.5f, y), {140, 120, 110}));
    return most;
  };
  EXPECT_EQ(changed_at_wrist(true), 0);
  EXPECT_GT(changed_at_wrist(false), 5);
}

TEST(FaceSwapper, StrengthAndOpacityGoFromNothingToAll) {
  const Image before = Plain(kSide, {140, 120, 110});
  const FaceTexture texture = TextureOf(Checked(kSide), kFace);
  const auto change = [&](float strength, float opacity) {
    Image image = before;
    FaceSwapper({.strength = strength})
        .Draw(texture, WithFace(kFace), std::nullopt, opacity, image);
    return Difference(At(image, 0.52f, 0.55f), At(before, 0.52f, 0.55f));
  };
  EXPECT_EQ(change(0, 1), 0);
  EXPECT_EQ(change(1, 0), 0);
  EXPECT_NEAR(change(0.5f, 1), change(1, 1) / 2, 2);
  EXPECT_NEAR(change(1, 0.5f), change(1, 1) / 2, 2);
}

TEST(FaceSwapper, DrawsNothingWithoutASaneFace) {
  const Image before = Plain(kSide, {140, 120, 110});
  const FaceTexture texture = TextureOf(Checked(kSide), kFace);
  Face broken = kFace, huge = kFace, turned = kFace, dot = DomeFace(0.5f, 0.5f, 0.01f);
  broken.points[9].y = std::numeric_limits<float>::infinity();
  huge.points[9].x = 1e6f;
  for (Landmark& p : turned.points) p.x = 1 - p.x;  // seen from behind
  for (const Person& person :
       {Person(), WithFace(broken), WithFace(huge), WithFace(turned), WithFace(dot)}) {
    Image image = before;
    FaceSwapper().Draw(texture, person, std::nullopt, 1, image);
    EXPECT_EQ(ChangedPixels(before, image), 0);
  }
}

TEST(FaceSwapper, FollowsTheLightOfAVideoSlowly) {
  const FaceTexture texture = TextureOf(Plain(kSide, {150, 130, 120}), kFace);
  FaceSwapper swapper;
  Image dark = Plain(kSide, {60, 60, 60});
  swapper.Draw(texture, WithFace(kFace), milliseconds(0), 1, dark);
  EXPECT_LE(Difference(At(dark, 0.5f, 0.55f), {60, 60, 60}), 2);
  float last = 60;
  for (int frame = 1; frame <= 60; ++frame) {
    Image light = Plain(kSide, {180, 180, 180});
    swapper.Draw(texture, WithFace(kFace), milliseconds(40 * frame), 1, light);
    const float now = At(light, 0.5f, 0.55f)[0];
    EXPECT_GE(now, last - 1);
    if (frame == 1) {
      EXPECT_LT(now, 110);
    }
    last = now;
  }
  EXPECT_GT(last, 170);
  swapper.Reset();
  Image other = Plain(kSide, {60, 60, 60});
  swapper.Draw(texture, WithFace(kFace), milliseconds(0), 1, other);
  EXPECT_LE(Difference(At(other, 0.5f, 0.55f), {60, 60, 60}), 2);
}

TEST(FaceSwapper, MakesNoHeapCall) {
  const FaceTexture texture = TextureOf(Checked(kSide), kFace);
  Person person = WithFace(kFace);
  person.left_hand = PlainHand(0.5f, 0.6f, 0.3f);
  Image image = Colourful(kSide);
  FaceSwapper swapper({.keep_mouth = true, .keep_brows = true});
  const auto before = HeapCalls();
  for (int i = 0; i < 5; ++i) swapper.Draw(texture, person, milliseconds(40 * i), 1, image);
  EXPECT_EQ(HeapCalls() - before, 0u);
}

}  // namespace
}  // namespace holostat::render
