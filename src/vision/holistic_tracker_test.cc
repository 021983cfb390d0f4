#include "holostat/holistic_tracker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/heap_calls.h"
#include "vision/create_tracker.h"
#include "vision/frame_bytes.h"
#include "vision/golden_support.h"

namespace holostat::vision {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

std::string Track(HolisticTracker& tracker, const Image& image) {
  const auto frame = tracker.Process(image.view(), microseconds(0));
  if (frame) return Bytes(*frame);
  ADD_FAILURE() << frame.error().message;
  return {};
}

Image Noise(int width, int height) {
  Image image(width, height);
  std::mt19937 random(7);
  for (int y = 0; y < height; ++y) {
    std::generate_n(image.row(y), 3 * width, [&] { return static_cast<std::uint8_t>(random()); });
  }
  return image;
}

TEST(HolisticTrackerOptions, OutOfRangeAreRefused) {
  const float nan = std::nanf("");
  for (float bad : {-0.1f, 1.1f, nan}) {
    auto a = HolisticTracker::Create({.models_dir = "nowhere", .min_detection_confidence = bad});
    auto b = HolisticTracker::Create({.models_dir = "nowhere", .min_tracking_confidence = bad});
    ASSERT_FALSE(a);
    ASSERT_FALSE(b);
    EXPECT_EQ(a.error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(b.error().code, ErrorCode::kInvalidArgument);
  }
  auto c = HolisticTracker::Create({.models_dir = "nowhere", .complexity = Complexity{}});
  ASSERT_FALSE(c);
  EXPECT_EQ(c.error().code, ErrorCode::kInvalidArgument);
  auto d = HolisticTracker::Create({.models_dir = "nowhere", .sampling = Sampling{}});
  ASSERT_FALSE(d);
  EXPECT_EQ(d.error().code, ErrorCode::kInvalidArgument);
  auto e = HolisticTracker::Create({.models_dir = "nowhere", .frames = Frames{}});
  ASSERT_FALSE(e);
  EXPECT_EQ(e.error().code, ErrorCode::kInvalidArgument);
}

TEST(HolisticTrackerOptions, WithoutModelsThereIsNoTracker) {
  auto tracker = HolisticTracker::Create({.models_dir = "nowhere"});
  ASSERT_FALSE(tracker);
  EXPECT_EQ(tracker.error().code, ErrorCode::kNotFound);
}

// On the models, with pictures made up here.
class TrackerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!HaveModels()) GTEST_SKIP() << "no models in " << ModelsDir();
  }
};

TEST_F(TrackerTest, RefusesWhatIsNoPicture) {
  const auto tracker = MakeTracker({});
  ASSERT_TRUE(tracker);
  const std::vector<std::uint8_t> pixels(100);
  const ImageView no_pixels{nullptr, 10, 10, 30};
  const ImageView no_area{pixels.data(), 0, 10, 30};
  const ImageView too_wide{pixels.data(), 65536, 1, 3 * 65536};
  const ImageView too_high{pixels.data(), 1, 65536, 3};
  const ImageView rows_overlap{pixels.data(), 10, 2, 29};
  const ImageView upside_down{pixels.data(), 10, 2, -30};
  for (const ImageView& image :
       {ImageView{}, no_pixels, no_area, too_wide, too_high, rows_overlap, upside_down}) {
    const auto frame = tracker->Process(image, {});
    ASSERT_FALSE(frame);
    EXPECT_EQ(frame.error().code, ErrorCode::kInvalidArgument);
  }
}

TEST_F(TrackerTest, OddPicturesGiveAnEmptyResult) {
  const auto tracker = MakeTracker({.segmentation = true});
  ASSERT_TRUE(tracker);
  for (auto [width, height] : {std::pair{1, 1}, {1, 10000}, {10000, 1}, {65535, 1}, {2, 3}}) {
    for (const Image& image : {Image(width, height), Noise(width, height)}) {
      const auto frame = tracker->Process(image.view(), microseconds(5));
      ASSERT_TRUE(frame) << frame.error().message;
      EXPECT_TRUE(frame->people.empty()) << width << " x " << height;
      EXPECT_EQ(frame->width, width);
      EXPECT_EQ(frame->height, height);
      EXPECT_EQ(frame->timestamp, microseconds(5));
    }
  }
}

TEST_F(TrackerTest, AnyRegionOfNoiseIsSafe) {
  // With thresholds at zero every stage runs on regions that mean nothing.
  const auto tracker = MakeTracker(
      {.segmentation = true, .min_detection_confidence = 0, .min_tracking_confidence = 0});
  ASSERT_TRUE(tracker);
  for (auto [width, height] : {std::pair{64, 64}, {1, 1}, {1, 10000}, {3000, 7}}) {
    const Image image = Noise(width, height);
    const auto frame = tracker->Process(image.view(), {});
    ASSERT_TRUE(frame) << frame.error().message;
    for (const Person& person : frame->people) {
      if (!person.segmentation) continue;
      std::vector<std::uint8_t> mask(static_cast<std::size_t>(width * height));
      RenderMask(*person.segmentation, mask.data(), width, height, width);
    }
  }
}

// On the models and the shared pictures.
class TrackerOnPictures : public TrackerTest {
 protected:
  void SetUp() override {
    TrackerTest::SetUp();
    if (!HaveMedia()) GTEST_SKIP() << "no pictures in " << MediaDir();
  }
};

TEST_F(TrackerOnPictures, NobodyIsAnEmptyResult) {
  const auto tracker = MakeTracker({});
  ASSERT_TRUE(tracker);
  for (const char* name : {"none-coffee.png", "hands-only.jpg"}) {
    const Image image = ReadMedia(name);
    const auto frame = tracker->Process(image.view(), {});
    ASSERT_TRUE(frame) << frame.error().message;
    EXPECT_TRUE(frame->people.empty()) << name;
  }
}

TEST_F(TrackerOnPictures, AResultDoesNotDependOnWhatCameBefore) {
  const HolisticTracker::Options options{.segmentation = true};
  const auto tracker = MakeTracker(options);
  ASSERT_TRUE(tracker);
  std::vector<std::string> names = GoldenPictures();
  std::map<std::string, Image> pictures;
  std::map<std::string, std::string> in_order;
  for (const std::string& name : names) {
    const Image& image = pictures.emplace(name, ReadMedia(name)).first->second;
    in_order[name] = Track(*tracker, image);
  }
  std::shuffle(names.begin(), names.end(), std::mt19937(3));
  for (const std::string& name : names) {
    EXPECT_EQ(Track(*tracker, pictures[name]), in_order[name]) << name << " shuffled";
  }
  for (const std::string& name : names) {
    EXPECT_EQ(Track(*MakeTracker(options), pictures[name]), in_order[name]) << name << " alone";
  }
}

TEST_F(TrackerOnPictures, AFrameMakesNoHeapCall) {
  const auto tracker = MakeTracker({.segmentation = true});
  ASSERT_TRUE(tracker);
  // Nobody in the first picture: models that run for the first time later must not allocate either.
  for (const char* name : {"none-coffee.png", "body-standing-cgi.jpg", "upper-astronaut.png"}) {
    const Image image = ReadMedia(name);
    const auto before = HeapCalls();
    const auto frame = tracker->Process(image.view(), {});
    EXPECT_EQ(HeapCalls() - before, 0u) << name;
    EXPECT_TRUE(frame);
  }
}

TEST_F(TrackerOnPictures, AVideoIsFollowedUntilItIsReset) {
  const auto still = MakeTracker({}), video = MakeTracker({.frames = Frames::kVideo});
  ASSERT_TRUE(still && video);
  const Image image = ReadMedia("body-standing-cgi.jpg");
  const auto detection_ran = [&](microseconds time) {
    EXPECT_TRUE(video->Process(image.view(), time));
    return video->last_stage_times()[0].total > nanoseconds(0);
  };
  EXPECT_TRUE(detection_ran(microseconds(1000)));
  EXPECT_FALSE(detection_ran(microseconds(2000)));
  video->Reset();
  EXPECT_TRUE(detection_ran(microseconds(0)));
  still->Reset();
  EXPECT_EQ(Track(*still, image), Track(*MakeTracker({}), image));
}

TEST_F(TrackerOnPictures, PaddedRowsGiveTheSameResult) {
  const auto tracker = MakeTracker({});
  ASSERT_TRUE(tracker);
  const Image image = ReadMedia("face-front.png");
  const std::ptrdiff_t stride = image.stride_bytes() + 5;
  std::vector<std::uint8_t> padded(static_cast<std::size_t>(stride * image.height()), 99);
  for (int y = 0; y < image.height(); ++y) {
    std::copy_n(image.row(y), image.stride_bytes(), padded.data() + y * stride);
  }
  const auto frame =
      tracker->Process({padded.data(), image.width(), image.height(), stride}, microseconds(0));
  ASSERT_TRUE(frame);
  const std::string bytes = Bytes(*frame);
  EXPECT_EQ(bytes, Track(*tracker, image));
}

TEST_F(TrackerOnPictures, TheMaskIsGivenOnRequestOnlyAndChangesNothingElse) {
  const Image image = ReadMedia("body-standing-cgi.jpg");
  const auto plain = MakeTracker({}), with_mask = MakeTracker({.segmentation = true});
  ASSERT_TRUE(plain && with_mask);
  const auto a = plain->Process(image.view(), {});
  const auto b = with_mask->Process(image.view(), {});
  ASSERT_TRUE(a && b && a->people.size() == 1 && b->people.size() == 1);
  EXPECT_FALSE(a->people[0].segmentation);
  ASSERT_TRUE(b->people[0].segmentation);
  EXPECT_EQ(b->people[0].segmentation->values.size(), std::size_t{kMaskSize} * kMaskSize);
  Person copy = b->people[0];
  copy.segmentation.reset();
  EXPECT_EQ(Bytes({{}, b->width, b->height, {&copy, 1}}), Bytes(*a));
}

TEST_F(TrackerOnPictures, FillsAPersonCompletely) {
  const auto tracker = MakeTracker({});
  ASSERT_TRUE(tracker);
  const Image image = ReadMedia("body-standing-cgi.jpg");
  const auto frame = tracker->Process(image.view(), microseconds(42));
  ASSERT_TRUE(frame && frame->people.size() == 1);
  EXPECT_EQ(frame->timestamp, microseconds(42));
  const Person& person = frame->people[0];
  EXPECT_EQ(person.id, 1);
  EXPECT_GT(person.score, 0.5f);
  EXPECT_LE(person.score, 1.0f);
  ASSERT_TRUE(person.face && person.left_hand && person.right_hand);
  EXPECT_EQ(person.face->landmarks().size(), kFaceRefinedCount);
  EXPECT_GT(person.face->score, 0.5f);
  EXPECT_GT(person.left_hand->score, 0.5f);
  // Standing upright, the head is above the hips, in the picture and in metres.
  EXPECT_LT(person.pose_landmarks[0].y, person.pose_landmarks[23].y);
  EXPECT_NEAR(person.pose_world_landmarks[0].y, -0.6f, 0.15f);
  EXPECT_GT(person.pose_landmarks[0].presence, 0.9f);
  EXPECT_EQ(person.pose_world_landmarks[0].visibility, person.pose_landmarks[0].visibility);
}

TEST_F(TrackerOnPictures, ThresholdsDecideWhoIsAPerson) {
  const Image image = ReadMedia("body-standing-cgi.jpg");
  for (const HolisticTracker::Options& options :
       {HolisticTracker::Options{.min_detection_confidence = 1},
        HolisticTracker::Options{.min_tracking_confidence = 1}}) {
    const auto tracker = MakeTracker(options);
    ASSERT_TRUE(tracker);
    const auto frame = tracker->Process(image.view(), {});
    ASSERT_TRUE(frame);
    EXPECT_TRUE(frame->people.empty());
  }
}

// A clock on which each look takes a microsecond, so that work takes as many as it was booked for.
StageClock::Time CountLooks() {
  static constinit std::int64_t looks = 0;
  return StageClock::Time(microseconds(++looks));
}

std::map<std::string_view, nanoseconds> TimesOf(const HolisticTracker& tracker) {
  std::map<std::string_view, nanoseconds> times;
  for (const StageTime& time : tracker.last_stage_times()) times[time.name] = time.total;
  return times;
}

TEST_F(TrackerOnPictures, StageTimesTellWhatRan) {
  const auto tracker = CreateTracker({.models_dir = ModelsDir()}, CountLooks);
  ASSERT_TRUE(tracker) << tracker.error().message;
  const Image person = ReadMedia("body-standing-cgi.jpg"), coffee = ReadMedia("none-coffee.png");
  ASSERT_TRUE((*tracker)->Process(person.view(), {}));
  auto times = TimesOf(**tracker);
  for (const char* name : {"pose_detection", "pose_landmark", "face_detection", "face_landmark"}) {
    EXPECT_EQ(times[name], microseconds(1)) << name;
  }
  for (const char* name : {"hand_recrop", "hand_landmark"}) {
    EXPECT_EQ(times[name], microseconds(2)) << name;  // once a hand
  }
  EXPECT_EQ(times["crop"], microseconds(8));     // one for each run of a model
  EXPECT_EQ(times["decode"], microseconds(17));  // between those 16, and on both ends

  ASSERT_TRUE((*tracker)->Process(coffee.view(), {}));
  times = TimesOf(**tracker);
  EXPECT_EQ(times["pose_detection"], microseconds(1));
  EXPECT_EQ(times["crop"], microseconds(1));
  EXPECT_EQ(times["pose_landmark"], microseconds(0));
  EXPECT_EQ(times["hand_landmark"], microseconds(0));
}

}  // namespace
}  // namespace holostat::vision
