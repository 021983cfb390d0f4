#include "render/figure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "render/test_people.h"

namespace holostat::render {
namespace {

struct Stroke {
  Part part;
  Pen pen;
  std::vector<Segment> segments;
};

class Recorder : public Sketch {
 public:
  void BeginPart(Part part) override { part_ = part; }
  void Stroke(const Pen& pen, std::span<const Segment> segments) override {
    strokes.push_back({part_, pen, {segments.begin(), segments.end()}});
  }
  void EndPart() override {}

  std::vector<render::Stroke> strokes;

 private:
  Part part_{};
};

std::vector<Stroke> Record(const Person& person, Detail detail, int side = 1000,
                           FaceStyle face = FaceStyle::kTessellation) {
  Recorder recorder;
  FigureOptions options;
  options.width = options.height = side;
  options.face = face;
  options.detail = detail;
  DrawFigure(person, options, recorder);
  return recorder.strokes;
}

bool HasTone(const std::vector<Stroke>& strokes, Tone tone) {
  return std::any_of(strokes.begin(), strokes.end(),
                     [&](const Stroke& s) { return s.pen.tone == tone; });
}

bool HasDots(const std::vector<Stroke>& strokes, Tone tone) {
  return std::any_of(strokes.begin(), strokes.end(), [&](const Stroke& s) {
    return s.pen.tone == tone && s.segments[0].from == s.segments[0].to;
  });
}

std::size_t SegmentsOf(const std::vector<Stroke>& strokes, Tone tone) {
  std::size_t count = 0;
  for (const Stroke& s : strokes) count += s.pen.tone == tone ? s.segments.size() : 0;
  return count;
}

TEST(Figure, DrawsTheBodyFirstAndTheHandsLast) {
  std::vector<Part> parts;
  for (const Stroke& s : Record(FullPerson(), Detail::kAll)) {
    if (parts.empty() || parts.back() != s.part) parts.push_back(s.part);
  }
  EXPECT_EQ(parts,
            (std::vector<Part>{Part::kPose, Part::kFace, Part::kLeftHand, Part::kRightHand}));
}

TEST(Figure, UsesEveryTone) {
  std::set<Tone> tones;
  for (const Stroke& s : Record(FullPerson(), Detail::kAll)) tones.insert(s.pen.tone);
  EXPECT_EQ(tones.size(), static_cast<std::size_t>(kToneCount));
}

TEST(Figure, PutsAWiderHaloUnderEveryLineButTheMesh) {
  double halo = 0;
  for (const Stroke& s : Record(FullPerson(), Detail::kAll)) {
    if (s.pen.tone == Tone::kHalo) {
      halo = s.pen.width;
    } else if (s.pen.tone != Tone::kMesh) {
      EXPECT_GT(halo, s.pen.width);
    }
  }
}

TEST(Figure, HoldsTheWholeMesh) {
  EXPECT_EQ(SegmentsOf(Record(FullPerson(), Detail::kAll), Tone::kMesh), 1322u);
}

TEST(Figure, GivesEachFingerItsThreeBones) {
  Person person = BodyPerson();
  person.left_hand = PlainHand(0.64f, 0.5f, 0.1f);
  const auto strokes = Record(person, Detail::kAll);
  for (const Tone tone :
       {Tone::kLeftThumb, Tone::kLeftIndex, Tone::kLeftMiddle, Tone::kLeftRing, Tone::kLeftPinky}) {
    EXPECT_EQ(SegmentsOf(strokes, tone), 3u + 4u);  // bones and dots
  }
  EXPECT_EQ(SegmentsOf(strokes, Tone::kLeftPalm), 6u + 1u);
  EXPECT_FALSE(HasTone(strokes, Tone::kRightPalm));
}

TEST(Figure, JoinsAHandToTheWristOnlyWhenItIsNear) {
  const auto palm_lines = [](float x) {
    Person person = BodyPerson();
    person.left_hand = PlainHand(x, 0.5f, 0.1f);  // the pose has the wrist at 0.64, 0.5
    return SegmentsOf(Record(person, Detail::kAll), Tone::kLeftPalm) - 1;
  };
  EXPECT_EQ(palm_lines(0.642f), 6u);  // the dot of the wrist hides it
  EXPECT_EQ(palm_lines(0.67f), 7u);
  EXPECT_EQ(palm_lines(0.90f), 6u);
}

TEST(Figure, LeavesOutDetailsThatWouldRunTogether) {
  // The face is 0.16 and the hand 0.085 of the side.
  const auto large = Record(FullPerson(), Detail::kLegible, 1000);
  EXPECT_TRUE(HasTone(large, Tone::kMesh) && HasTone(large, Tone::kLeftIris));
  EXPECT_TRUE(HasDots(large, Tone::kLeftThumb));

  const auto small = Record(FullPerson(), Detail::kLegible, 220);
  EXPECT_FALSE(HasTone(small, Tone::kMesh) || HasTone(small, Tone::kLeftIris));
  EXPECT_TRUE(HasTone(small, Tone::kLeftEye) && HasTone(small, Tone::kLips));
  EXPECT_TRUE(HasTone(small, Tone::kLeftThumb));
  EXPECT_FALSE(HasDots(small, Tone::kLeftThumb));

  const auto tiny = Record(FullPerson(), Detail::kLegible, 100);
  EXPECT_FALSE(HasTone(tiny, Tone::kLeftEye) || HasTone(tiny, Tone::kLips));
  EXPECT_TRUE(HasTone(tiny, Tone::kOval));

  const auto all = Record(FullPerson(), Detail::kAll, 100);
  EXPECT_TRUE(HasTone(all, Tone::kMesh) && HasTone(all, Tone::kLeftIris));
  EXPECT_TRUE(HasDots(all, Tone::kLeftThumb));
}

TEST(Figure, DrawsNoIrisForAFaceWithoutAny) {
  Person person = FullPerson();
  person.face->count = kFaceMeshCount;
  EXPECT_FALSE(HasTone(Record(person, Detail::kAll), Tone::kLeftIris));
}

TEST(Figure, DrawsAnIrisThroughItsFourPoints) {
  Person person = FullPerson();
  auto& points = person.face->points;
  points[469] = {0.46f, 0.2f, 0};
  points[470] = {0.45f, 0.19f, 0};
  points[471] = {0.44f, 0.2f, 0};
  points[472] = {0.45f, 0.21f, 0};
  const auto strokes = Record(person, Detail::kAll);
  const auto iris = std::find_if(strokes.begin(), strokes.end(),
                                 [](const Stroke& s) { return s.pen.tone == Tone::kRightIris; });
  ASSERT_NE(iris, strokes.end());
  for (const Segment& s : iris->segments) {
    EXPECT_NEAR(std::hypot(s.from.x - 450, s.from.y - 200), 10, 1e-3);
  }
  EXPECT_EQ(iris->segments.front().from, iris->segments.back().to);
}

TEST(Figure, KeepsLinesNearThePicture) {
  Person person = BodyPerson();
  person.pose_landmarks[13] = {1e30f, -1e30f, 0, 1, 1};
  person.pose_landmarks[15] = {-5, -5, 0, 1, 1};
  for (const Stroke& s : Record(person, Detail::kAll)) {
    for (const Segment& segment : s.segments) {
      for (const Point& p : {segment.from, segment.to}) {
        EXPECT_TRUE(p.x >= -1000 && p.x <= 2000 && p.y >= -1000 && p.y <= 2000);
      }
    }
  }
}

}  // namespace
}  // namespace holostat::render
