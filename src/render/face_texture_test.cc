#include "render/face_texture.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "render/test_faces.h"

namespace holostat::render {
namespace {

constexpr int kSide = 400;

Result<FaceTexture> From(const Image& image, const Face& face) {
  const FaceTexture::Source source{image.view(), &face};
  return FaceTexture::Make({&source, 1});
}

Color TexelAt(const FaceTexture::Level& level, float u, float v) {
  const auto x = static_cast<std::size_t>(u * static_cast<float>(level.side));
  const auto y = static_cast<std::size_t>(v * static_cast<float>(level.side));
  const std::uint8_t* t = level.texels.data() + 4 * (y * static_cast<std::size_t>(level.side) + x);
  return {static_cast<float>(t[0]), static_cast<float>(t[1]), static_cast<float>(t[2])};
}

// A face turned about the vertical axis: `degrees` > 0 shows more of what has a large u.
Face Turned(Face face, float degrees) {
  const float angle = degrees * 3.14159265f / 180, middle = 0.5f;
  for (Landmark& p : face.points) {
    const float x = p.x - middle, z = p.z;
    p.x = middle + x * std::cos(angle) + z * std::sin(angle);
    p.z = z * std::cos(angle) - x * std::sin(angle);
  }
  return face;
}

TEST(FaceTexture, ShowsAtEachPlaceWhatThePictureShowsThere) {
  const Image image = Colourful(kSide);
  const Face face = DomeFace(0.55f, 0.45f, 0.6f);
  const auto texture = From(image, face);
  ASSERT_TRUE(texture);
  for (const FaceTexture::Level& level : texture->levels()) {
    for (const std::uint16_t landmark : {1, 50, 151, 280, 199}) {  // nose, cheeks, forehead, chin
      const TexturePlace place = FaceTexturePlaces()[landmark];
      const Color got = TexelAt(level, place.u, place.v);
      const Landmark& p = face.points[landmark];
      const Color wanted{60 + 120 * p.x, 90 + 90 * p.y, 150 - 60 * p.x - 40 * p.y};
      for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(got[c], wanted[c], 3) << level.side;
    }
  }
}

TEST(FaceTexture, IsAsFineAsItsPictureWithinLimits) {
  const Face face = DomeFace(0.5f, 0.5f, 0.8f);
  EXPECT_EQ(From(Plain(60, {1, 2, 3}), face)->levels().front().side, FaceTexture::kLeastSide);
  const int middle = From(Plain(400, {1, 2, 3}), face)->levels().front().side;
  EXPECT_GE(middle, 320);
  EXPECT_LE(middle, 448);
  const auto large = From(Plain(3000, {1, 2, 3}), face);
  EXPECT_EQ(large->levels().front().side, FaceTexture::kMostSide);
  EXPECT_LT(large->bytes(), 6u << 20);
}

TEST(FaceTexture, OfAFaceFromTheFrontAllButTheRimIsSeenWell) {
  const auto texture = From(Plain(kSide, {100, 100, 100}), DomeFace(0.5f, 0.5f, 0.6f));
  EXPECT_GT(texture->seen()[1], 0.99f);
}

TEST(FaceTexture, TakesEachSideFromThePictureThatShowsIt) {
  const Face left = Turned(DomeFace(0.5f, 0.5f, 0.6f), 50),
             right = Turned(DomeFace(0.5f, 0.5f, 0.6f), -50);
  const Image light = Plain(kSide, {185, 142, 125}), dark = Plain(kSide, {165, 128, 113});
  const FaceTexture::Source sources[] = {{light.view(), &left}, {dark.view(), &right}};
  const auto both = FaceTexture::Make(sources);
  ASSERT_TRUE(both);
  const auto at = [&](std::uint16_t landmark) {
    return TexelAt(both->levels().front(), FaceTexturePlaces()[landmark].u,
                   FaceTexturePlaces()[landmark].v);
  };
  EXPECT_GT(std::abs(at(50)[0] - at(280)[0]), 14) << "a cheek each";
  for (const std::uint16_t landmark : {50, 280}) {
    EXPECT_GT(both->seen()[landmark], 0.9f);
  }
}

TEST(FaceTexture, RefusesWhatIsNoFace) {
  const Image image = Plain(kSide, {1, 2, 3});
  Face few = DomeFace(0.5f, 0.5f, 0.6f), broken = few, far = DomeFace(5, 5, 0.6f);
  few.count = 10;
  broken.points[7].x = std::numeric_limits<float>::quiet_NaN();
  for (const Face* face : {&few, &broken, &far}) {
    EXPECT_EQ(From(image, *face).error().code, ErrorCode::kInvalidArgument);
  }
  EXPECT_EQ(FaceTexture::Make({}).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(From(Image(), DomeFace(0.5f, 0.5f, 0.6f)).error().code, ErrorCode::kInvalidArgument);
}

TEST(FaceTexture, AFaceThatLeavesThePictureIsTakenAsFarAsItIsThere) {
  const auto texture = From(Colourful(kSide), DomeFace(0.1f, 0.9f, 0.6f));
  EXPECT_TRUE(texture);
}

}  // namespace
}  // namespace holostat::render
