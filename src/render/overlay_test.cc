#include "render/overlay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/heap_calls.h"
#include "render/palette.h"
#include "render/test_people.h"

namespace holostat::render {
namespace {

constexpr std::uint8_t kGround = 128;

Image Grey(int width, int height) {
  Image image(width, height);
  std::memset(image.row(0), kGround, static_cast<std::size_t>(width * height) * 3);
  return image;
}

bool IsPainted(const Image& image, int x, int y) {
  const auto* pixel = image.row(y) + 3 * x;
  return pixel[0] != kGround || pixel[1] != kGround || pixel[2] != kGround;
}

bool IsPaintedAt(const Image& image, double u, double v) {
  return IsPainted(image, static_cast<int>(u * image.width()),
                   static_cast<int>(v * image.height()));
}

int PaintedPixels(const Image& image) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) count += IsPainted(image, x, y);
  }
  return count;
}

bool Same(const Image& a, const Image& b) {
  return std::memcmp(a.row(0), b.row(0), static_cast<std::size_t>(a.width() * a.height()) * 3) == 0;
}

Image Draw(const std::vector<Person>& people, int width, int height, OverlayOptions options = {}) {
  Image image = Grey(width, height);
  DrawOverlay({{}, width, height, people}, options, image);
  return image;
}

TEST(Overlay, OfNobodyLeavesThePictureAsItIs) { EXPECT_EQ(PaintedPixels(Draw({}, 320, 200)), 0); }

TEST(Overlay, PaintsNearThePointsAndNowhereElse) {
  for (const int side : {320, 1000, 4000}) {
    const Image image = Draw({BodyPerson()}, side, side);
    for (const auto& p : BodyPerson().pose_landmarks) {
      EXPECT_TRUE(IsPaintedAt(image, static_cast<double>(p.x), static_cast<double>(p.y)));
    }
    // The body takes the middle third of the width; lines are about half a percent wide.
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        if (x < side * 0.3 || x > side * 0.7) {
          ASSERT_FALSE(IsPainted(image, x, y)) << x << "," << y;
        }
      }
    }
  }
}

TEST(Overlay, TakesTheSameShareOfThePictureAtAnySize) {
  const auto share = [](int side) {
    return PaintedPixels(Draw({BodyPerson()}, side, side)) / (1.0 * side * side);
  };
  const double at_4000 = share(4000);
  EXPECT_GT(at_4000, 0.01);
  EXPECT_LT(at_4000, 0.08);
  EXPECT_NEAR(share(1000), at_4000, 0.2 * at_4000);
  EXPECT_NEAR(share(320), at_4000, 0.6 * at_4000);
}

TEST(Overlay, DrawsAFarPersonFinely) {
  Person far = BodyPerson();
  far.face = PlainFace(0.5f, 0.2f, 0.06f);
  far.left_hand = PlainHand(0.6f, 0.5f, 0.05f);
  for (auto& p : far.pose_landmarks) {
    p.x = 0.5f + (p.x - 0.5f) * 0.05f;
    p.y = 0.5f + (p.y - 0.5f) * 0.05f;
  }
  for (auto& p : far.face->points)
    p = {0.5f + (p.x - 0.5f) * 0.05f, 0.5f + (p.y - 0.5f) * 0.05f, 0};
  for (auto& p : far.left_hand->landmarks) {
    p = {0.5f + (p.x - 0.5f) * 0.05f, 0.5f + (p.y - 0.5f) * 0.05f, 0};
  }
  // 40 x 40 pixels hold all of the person; a blob would fill them.
  const Image image = Draw({far}, 800, 800);
  EXPECT_GT(PaintedPixels(image), 50);
  EXPECT_LT(PaintedPixels(image), 700);
}

TEST(Overlay, LeavesOutWhatIsHardlyVisible) {
  Person person = BodyPerson();
  person.pose_landmarks[27].visibility = 0.3f;  // the left ankle
  const auto& ankle = person.pose_landmarks[27];
  const auto painted = [&](float min_visibility) {
    OverlayOptions options;
    options.min_visibility = min_visibility;
    return IsPaintedAt(Draw({person}, 500, 500, options), static_cast<double>(ankle.x),
                       static_cast<double>(ankle.y));
  };
  EXPECT_FALSE(painted(0.5f));
  EXPECT_TRUE(painted(0.2f));
}

TEST(Overlay, DoesNotDrawThePosesPointsOfAPartThatIsThere) {
  Person person = BodyPerson();
  const auto painted = [&](std::size_t i) {
    const auto& p = person.pose_landmarks[i];
    return IsPaintedAt(Draw({person}, 1000, 1000), static_cast<double>(p.x),
                       static_cast<double>(p.y));
  };
  constexpr std::size_t kNose = 0, kLeftIndex = 19, kRightIndex = 20;
  for (const auto point : {kNose, kLeftIndex, kRightIndex}) EXPECT_TRUE(painted(point));
  // Detailed parts far from where the pose has them, so that only the pose could paint there.
  person.face = PlainFace(0.1f, 0.1f, 0.1f);
  EXPECT_FALSE(painted(kNose));
  person.left_hand = PlainHand(0.9f, 0.9f, 0.1f);
  EXPECT_FALSE(painted(kLeftIndex));
  EXPECT_TRUE(painted(kRightIndex));
  person.left_hand.reset();
  person.right_hand = PlainHand(0.1f, 0.9f, 0.1f);
  EXPECT_TRUE(painted(kLeftIndex));
  EXPECT_FALSE(painted(kRightIndex));
}

TEST(Overlay, ColoursLeftWarmAndRightCool) {
  const Image image = Draw({BodyPerson()}, 1000, 1000);
  const auto& p = BodyPerson().pose_landmarks;
  const auto* left = image.row(static_cast<int>((p[11].y + p[13].y) * 500)) +
                     3 * static_cast<int>((p[11].x + p[13].x) * 500);
  const auto* right = image.row(static_cast<int>((p[12].y + p[14].y) * 500)) +
                      3 * static_cast<int>((p[12].x + p[14].x) * 500);
  const Rgb warm = StyleOf(Tone::kLeft).color, cool = StyleOf(Tone::kRight).color;
  EXPECT_EQ((std::vector<int>{left[0], left[1], left[2]}),
            (std::vector<int>{warm.r, warm.g, warm.b}));
  EXPECT_EQ((std::vector<int>{right[0], right[1], right[2]}),
            (std::vector<int>{cool.r, cool.g, cool.b}));
}

TEST(Overlay, CutsLinesThatLeaveThePicture) {
  Person person = BodyPerson();
  for (auto& p : person.pose_landmarks) p.visibility = 0;
  person.pose_landmarks[11] = {0.5f, 0.5f, 0, 1, 1};
  const auto with_elbow_at = [&](float x, float y) {
    person.pose_landmarks[13] = {x, y, 0, 1, 1};
    return Draw({person}, 300, 300);
  };
  const Image near = with_elbow_at(1.9f, 0.5f);
  EXPECT_TRUE(IsPainted(near, 299, 150));
  EXPECT_FALSE(IsPainted(near, 120, 150));
  EXPECT_TRUE(Same(near, with_elbow_at(1e9f, 0.5f)));
  EXPECT_TRUE(Same(near, with_elbow_at(3e38f, 0.5f)));
  EXPECT_TRUE(IsPainted(with_elbow_at(-1e9f, -1e9f), 0, 0));
}

TEST(Overlay, SurvivesAnyNumbers) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const float values[] = {0.5f,  kNan,       1e9f,   kInfinity, -1e9f,
                          3e38f, -kInfinity, -3e38f, 0.1f,      1e-30f};
  std::size_t next = 0;
  const auto value = [&] { return values[next++ % std::size(values)]; };
  for (int round = 0; round < 20; ++round) {
    Person person = FullPerson();
    for (auto& p : person.pose_landmarks) p = {value(), value(), value(), value(), value()};
    for (auto& p : person.face->points) p = {value(), value(), value()};
    for (auto& p : person.left_hand->landmarks) p = {value(), value(), value()};
    for (auto& p : person.right_hand->landmarks) p = {value(), value(), value()};
    ++next;
    OverlayOptions options;
    options.face = FaceStyle::kTessellation;
    Draw({person}, 97, 61, options);
  }
}

TEST(Overlay, LeavesPointsThatAreNoNumbersOut) {
  Person person = FullPerson();
  for (auto& p : person.pose_landmarks) p.x = std::numeric_limits<float>::quiet_NaN();
  for (auto& p : person.face->points) p.y = std::numeric_limits<float>::infinity();
  for (auto& p : person.left_hand->landmarks) p.x = -std::numeric_limits<float>::infinity();
  person.right_hand.reset();
  EXPECT_EQ(PaintedPixels(Draw({person}, 200, 200)), 0);
}

TEST(Overlay, DrawsOnPicturesOfOnePixelAndOfNone) {
  Draw({FullPerson()}, 1, 1);
  Draw({FullPerson()}, 1, 3000);
  Image none;
  const std::vector<Person> people = {FullPerson()};
  DrawOverlay({{}, 0, 0, people}, {}, none);
}

TEST(Overlay, ShowsTheFaceAsAsked) {
  Person person = FullPerson();
  const auto painted = [&](FaceStyle face) {
    OverlayOptions options;
    options.face = face;
    return PaintedPixels(Draw({person}, 1000, 1000, options));
  };
  EXPECT_LT(painted(FaceStyle::kNone), painted(FaceStyle::kContours));
  EXPECT_LT(painted(FaceStyle::kContours), painted(FaceStyle::kTessellation));
}

TEST(Overlay, DrawsIrisesOnlyWhereTheFaceHasThem) {
  Person refined = FullPerson(), plain = FullPerson();
  plain.face->count = kFaceMeshCount;
  EXPECT_GT(PaintedPixels(Draw({refined}, 1000, 1000)), PaintedPixels(Draw({plain}, 1000, 1000)));
}

TEST(Overlay, TintsTheMaskOnlyWhenAskedAndOnlyThere) {
  // The left half of the picture, as seen by a region that is the upper half of the picture.
  std::vector<float> values(std::size_t{kMaskSize} * kMaskSize, 0.0f);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % kMaskSize < kMaskSize / 2 ? 1 : 0;
  Person person;
  person.segmentation = SegmentationMask{values, {1, 0, 0, 0, 2, 0}};
  const Image image = Draw({person}, 400, 400);
  EXPECT_TRUE(IsPainted(image, 20, 20));
  EXPECT_TRUE(IsPainted(image, 150, 180));
  EXPECT_FALSE(IsPainted(image, 250, 100));
  EXPECT_FALSE(IsPainted(image, 100, 300));
  OverlayOptions without;
  without.tint_mask = false;
  EXPECT_EQ(PaintedPixels(Draw({person}, 400, 400, without)), 0);
}

TEST(Overlay, IgnoresAMaskWithoutAPlaceOrValues) {
  std::vector<float> values(std::size_t{kMaskSize} * kMaskSize, 1.0f);
  const float bad[] = {std::numeric_limits<float>::quiet_NaN(),
                       std::numeric_limits<float>::infinity(), 3e38f};
  for (const float value : bad) {
    Person person;
    person.segmentation = SegmentationMask{values, {value, 0, 0, 0, 1, value}};
    EXPECT_EQ(PaintedPixels(Draw({person}, 50, 50)), 0) << value;
  }
  values.assign(values.size(), std::numeric_limits<float>::quiet_NaN());
  Person person;
  person.segmentation = SegmentationMask{{}, {1, 0, 0, 0, 1, 0}};
  EXPECT_EQ(PaintedPixels(Draw({person}, 50, 50)), 0);
  person.segmentation = SegmentationMask{values, {1, 0, 0, 0, 1, 0}};
  EXPECT_EQ(PaintedPixels(Draw({person}, 50, 50)), 0);
}

TEST(Overlay, DrawsEveryone) {
  Person left = BodyPerson(), right = BodyPerson();
  for (auto& p : left.pose_landmarks) p.x -= 0.3f;
  for (auto& p : right.pose_landmarks) p.x += 0.3f;
  const Image image = Draw({left, right}, 600, 600);
  for (const Person& person : {left, right}) {
    for (const auto& p : person.pose_landmarks) {
      EXPECT_TRUE(IsPaintedAt(image, static_cast<double>(p.x), static_cast<double>(p.y)));
    }
  }
}

TEST(Overlay, MakesNoHeapCall) {
  std::vector<float> values(std::size_t{kMaskSize} * kMaskSize, 0.5f);
  std::vector<Person> people = {FullPerson(), FullPerson()};
  people[1].segmentation = SegmentationMask{values, {1, 0, 0, 0, 1, 0}};
  Image image = Grey(400, 300);
  OverlayOptions options;
  options.face = FaceStyle::kTessellation;
  const FrameResult frame{{}, 400, 300, people};
  const auto before = HeapCalls();
  DrawOverlay(frame, options, image);
  EXPECT_EQ(HeapCalls(), before);
}

}  // namespace
}  // namespace holostat::render
