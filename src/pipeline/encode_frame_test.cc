#include "pipeline/encode_frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "holostat/picture.h"

namespace holostat::pipeline {
namespace {

// A person with a mask that covers the left half of the picture.
class EncodeFrameTest : public ::testing::Test {
 protected:
  EncodeFrameTest() : mask_(static_cast<std::size_t>(kMaskSize) * kMaskSize) {
    for (int i = 0; i < kMaskSize * kMaskSize; ++i)
      mask_[static_cast<std::size_t>(i)] = i % kMaskSize < kMaskSize / 2 ? 1.0f : 0.0f;
    person_.id = 1;
    person_.score = 0.9f;
    for (std::size_t i = 0; i < kPoseLandmarkCount; ++i) {
      const float t = static_cast<float>(i) / kPoseLandmarkCount;
      person_.pose_landmarks[i] = {0.2f + 0.6f * t, 0.3f + 0.4f * t, 0, 1, 1};
    }
    person_.segmentation = SegmentationMask{.values = mask_, .image_to_mask = {1, 0, 0, 0, 1, 0}};
    frame_ = {.timestamp = {},
              .width = picture_.width(),
              .height = picture_.height(),
              .people = {&person_, 1}};
  }

  Result<Image> EncodeAndDecode(FrameFormat format) {
    const auto bytes = EncodeFrame(frame_, picture_.view(), format, {});
    if (!bytes) return tl::unexpected(bytes.error());
    const std::vector<std::uint8_t> copy(bytes->begin(), bytes->end());
    return DecodePicture(copy);
  }

  std::vector<float> mask_;
  Person person_;
  Image picture_{120, 80};
  FrameResult frame_;
};

TEST_F(EncodeFrameTest, PngIsThePictureWithSomethingDrawnOnIt) {
  const auto drawn = EncodeAndDecode(FrameFormat::kPng);
  ASSERT_TRUE(drawn) << drawn.error().message;
  EXPECT_EQ(drawn->width(), 120);
  EXPECT_EQ(drawn->height(), 80);
  const auto* begin = drawn->row(0);
  EXPECT_TRUE(std::any_of(begin, begin + 120 * 80 * 3, [](int v) { return v > 100; }));
  const auto* original = picture_.row(0);
  EXPECT_TRUE(std::all_of(original, original + 120 * 80 * 3, [](int v) { return v == 0; }))
      << "the picture itself must stay as it was";
}

TEST_F(EncodeFrameTest, JpegHasTheSizeOfThePicture) {
  const auto drawn = EncodeAndDecode(FrameFormat::kJpeg);
  ASSERT_TRUE(drawn) << drawn.error().message;
  EXPECT_EQ(drawn->width(), 120);
}

TEST_F(EncodeFrameTest, MaskIsWhiteWhereThePersonIs) {
  const auto mask = EncodeAndDecode(FrameFormat::kMask);
  ASSERT_TRUE(mask) << mask.error().message;
  EXPECT_EQ(mask->row(40)[3 * 30], 255);
  EXPECT_EQ(mask->row(40)[3 * 90], 0);
}

TEST_F(EncodeFrameTest, MaskOfNobodyIsBlack) {
  frame_.people = {};
  const auto mask = EncodeAndDecode(FrameFormat::kMask);
  ASSERT_TRUE(mask);
  EXPECT_EQ(mask->row(40)[3 * 30], 0);
}

TEST_F(EncodeFrameTest, JsonCarriesTheMaskOnlyWhenThereIsOne) {
  auto json = EncodeFrame(frame_, picture_.view(), FrameFormat::kJson, {});
  ASSERT_TRUE(json);
  EXPECT_NE(json->find("\"segmentation\":{"), std::string::npos);
  person_.segmentation.reset();
  json = EncodeFrame(frame_, picture_.view(), FrameFormat::kJson, {});
  ASSERT_TRUE(json);
  EXPECT_NE(json->find("\"segmentation\":null"), std::string::npos);
}

TEST_F(EncodeFrameTest, AMaskStaysWithItsPerson) {
  const std::array people{
      Person{.id = 1, .face = {}, .left_hand = {}, .right_hand = {}, .segmentation = {}}, person_};
  frame_.people = people;
  const auto json = EncodeFrame(frame_, picture_.view(), FrameFormat::kJson, {});
  ASSERT_TRUE(json);
  const auto none = json->find("\"segmentation\":null");
  const auto some = json->find("\"segmentation\":{");
  ASSERT_NE(none, std::string::npos);
  ASSERT_NE(some, std::string::npos);
  EXPECT_LT(none, some) << "the first person has no mask, the second has";
}

TEST_F(EncodeFrameTest, TheMaskOfAllIsTheUnionOfEach) {
  std::vector<float> other(mask_.rbegin(), mask_.rend());
  Person second = person_;
  second.segmentation->values = other;
  const std::array people{person_, second};
  frame_.people = people;
  const auto mask = EncodeAndDecode(FrameFormat::kMask);
  ASSERT_TRUE(mask);
  EXPECT_EQ(mask->row(40)[3 * 30], 255);
  EXPECT_EQ(mask->row(40)[3 * 90], 255);
}

TEST_F(EncodeFrameTest, SvgHasTheLinkAndTitle) {
  const auto svg = EncodeFrame(frame_, picture_.view(), FrameFormat::kSvg,
                               {.picture_href = "a&b.jpg", .title = "me"});
  ASSERT_TRUE(svg);
  EXPECT_NE(svg->find("a&amp;b.jpg"), std::string::npos);
  EXPECT_NE(svg->find("<title>me</title>"), std::string::npos);
}

}  // namespace
}  // namespace holostat::pipeline
