// Several people, on pictures and clips composed here of the shared ones: who is where is known by
// construction, and what is found is compared with what is found when each is alone.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/heap_calls.h"
#include "vision/frame_bytes.h"
#include "vision/golden_support.h"
#include "vision/multi_tracker.h"

namespace holostat::vision {
namespace {

constexpr std::chrono::microseconds kFrame{40000};

// Mean distance of landmarks to those found when alone, pixels: where a body has been followed for
// a while, and where a detection placed it, which depends on all of the picture.
constexpr double kNear = 1.5, kNearWhenDetected = 4;

// Half as wide and high.
Image Halved(const Image& image) {
  Image half(image.width() / 2, image.height() / 2);
  for (int y = 0; y < half.height(); ++y) {
    const std::uint8_t *upper = image.row(2 * y), *lower = image.row(2 * y + 1);
    for (int i = 0; i < 3 * half.width(); ++i) {
      const int at = i / 3 * 6 + i % 3;
      half.row(y)[i] = static_cast<std::uint8_t>(
          (upper[at] + upper[at + 3] + lower[at] + lower[at + 3] + 2) / 4);
    }
  }
  return half;
}

// A person cut out of a picture of them alone.
struct Cutout {
  Image image;
  std::vector<std::uint8_t> mask;  // 255: the person
};

Cutout CutOut(const std::string& name) {
  Cutout out{Halved(ReadMedia(name)), {}};
  const int width = out.image.width(), height = out.image.height();
  out.mask.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  const auto tracker = MakeTracker({.segmentation = true});
  const auto frame = tracker->Process(out.image.view(), {});
  if (!frame || frame->people.size() != 1) {
    ADD_FAILURE() << name;
  } else {
    RenderMask(*frame->people[0].segmentation, out.mask.data(), width, height, width);
  }
  return out;
}

class Scene {
 public:
  Scene(int width, int height) : image_(width, height) {
    std::fill_n(image_.row(0), image_.stride_bytes() * height, std::uint8_t{150});
  }

  // In front of all that is there already; `left` and `top` may lie outside.
  Scene& Add(const Cutout& person, int left, int top = 0) {
    for (int y = 0; y < person.image.height(); ++y) {
      for (int x = 0; x < person.image.width(); ++x) {
        const int to_x = left + x, to_y = top + y;
        if (to_x < 0 || to_x >= image_.width() || to_y < 0 || to_y >= image_.height()) continue;
        const int opacity = person.mask[static_cast<std::size_t>(y * person.image.width() + x)];
        const std::uint8_t* from = person.image.row(y) + 3 * x;
        std::uint8_t* to = image_.row(to_y) + 3 * to_x;
        for (int c = 0; c < 3; ++c) {
          to[c] = static_cast<std::uint8_t>((from[c] * opacity + to[c] * (255 - opacity)) / 255);
        }
      }
    }
    return *this;
  }
  const Image& image() const { return image_; }

 private:
  Image image_;
};

// Mean distance in pixels; of the body those that one can see.
double Apart(std::span<const PoseLandmark> a, std::span<const PoseLandmark> b, ImageSize image) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(b[i].visibility > 0.5f)) continue;
    sum += std::hypot(static_cast<double>(a[i].x - b[i].x) * image.width,
                      static_cast<double>(a[i].y - b[i].y) * image.height);
    ++count;
  }
  return count == 0 ? 0 : sum / count;
}
double Apart(std::span<const Landmark> a, std::span<const Landmark> b, ImageSize image) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += std::hypot(static_cast<double>(a[i].x - b[i].x) * image.width,
                      static_cast<double>(a[i].y - b[i].y) * image.height);
  }
  return sum / static_cast<double>(a.size());
}

// All parts that were found alone are found and near; the largest distance.
double FarthestPart(const Person& person, const Person& alone, ImageSize image) {
  double most = Apart(person.pose_landmarks, alone.pose_landmarks, image);
  EXPECT_EQ(person.face.has_value(), alone.face.has_value());
  EXPECT_EQ(person.left_hand.has_value(), alone.left_hand.has_value());
  EXPECT_EQ(person.right_hand.has_value(), alone.right_hand.has_value());
  if (person.face && alone.face)
    most = std::max(most, Apart(person.face->landmarks(), alone.face->landmarks(), image));
  if (person.left_hand && alone.left_hand)
    most = std::max(most, Apart(person.left_hand->landmarks, alone.left_hand->landmarks, image));
  if (person.right_hand && alone.right_hand)
    most = std::max(most, Apart(person.right_hand->landmarks, alone.right_hand->landmarks, image));
  return most;
}

// Who of `people` is at the place of `alone`.
const Person* Counterpart(std::span<const Person> people, const Person& alone) {
  const auto apart = [&](const Person& it) {
    return std::hypot(it.pose_landmarks[0].x - alone.pose_landmarks[0].x,
                      it.pose_landmarks[0].y - alone.pose_landmarks[0].y);
  };
  const auto nearest = std::ranges::min_element(people, {}, apart);
  return nearest == people.end() || apart(*nearest) > 0.1f ? nullptr : &*nearest;
}

class PeopleTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!HaveModels()) GTEST_SKIP() << "no models in " << ModelsDir();
    if (!HaveMedia()) GTEST_SKIP() << "no pictures in " << MediaDir();
  }
};

TEST(PeopleOptions, OutOfRangeAreRefused) {
  for (const int people : {0, -1, kMaxPeople + 1}) {
    for (const Frames frames : {Frames::kStill, Frames::kVideo}) {
      const auto tracker =
          HolisticTracker::Create({.models_dir = "nowhere", .people = people, .frames = frames});
      ASSERT_FALSE(tracker);
      EXPECT_EQ(tracker.error().code, ErrorCode::kInvalidArgument) << people;
    }
  }
}

TEST_F(PeopleTest, OneOfManyIsTheOneThatATrackerOfOneFinds) {
  const auto one = MakeTracker({}), many = MakeTracker({.people = 4});
  ASSERT_TRUE(one && many);
  for (const char* name : {"body-standing-cgi.jpg", "upper-two-hands-ai.png", "face-front.png",
                           "multi-three-people.jpg", "none-coffee.png"}) {
    const Image image = ReadMedia(name);
    const auto a = one->Process(image.view(), {});
    const auto b = many->Process(image.view(), {});
    ASSERT_TRUE(a && b);
    ASSERT_GE(b->people.size(), a->people.size()) << name;
    const FrameResult first{b->timestamp, b->width, b->height, b->people.first(a->people.size())};
    EXPECT_TRUE(Bytes(*a) == Bytes(first)) << name;
  }
}

TEST_F(PeopleTest, RoomForManyChangesNothingForOne) {
  const auto multi = MultiTracker::Create(
      {.models_dir = ModelsDir(), .requests = {{.segmentation = true, .people = kMaxPeople}}});
  const auto single = MakeTracker({.segmentation = true, .frames = Frames::kVideo});
  ASSERT_TRUE(multi && single);
  PeopleState state({}, kMaxPeople);
  int frame = 0;
  for (const char* name : {"two-people.jpg", "two-people.jpg", "body-arms-out.jpg"}) {
    const Image image = ReadMedia(std::string("synth/") + name);
    const auto a = single->Process(image.view(), ++frame * kFrame);
    const auto b = (*multi)->Process(image.view(), frame * kFrame, {.segmentation = true}, &state);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->people.size(), 1u);
    EXPECT_TRUE(Bytes(*a) == Bytes(*b)) << name;
  }
}

TEST_F(PeopleTest, FindsEveryoneInAPicture) {
  const auto tracker = MakeTracker({.people = kMaxPeople});
  ASSERT_TRUE(tracker);
  for (const auto& [name, people] :
       std::map<std::string, std::size_t>{{"multi-three-people.jpg", 3},
                                          {"synth/two-people.jpg", 2},
                                          {"body-standing-cgi.jpg", 1},
                                          {"upper-mona-lisa.jpg", 1},
                                          {"none-coffee.png", 0}}) {
    const Image image = ReadMedia(name);
    const auto frame = tracker->Process(image.view(), {});
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->people.size(), people) << name;
    for (std::size_t i = 0; i < frame->people.size(); ++i)
      EXPECT_EQ(frame->people[i].id, static_cast<int>(i) + 1);
  }
}

// In the whole of so wide a picture they are too small for the detector.
TEST_F(PeopleTest, FindsPeopleWhoAreSmallBesideTheLongerSide) {
  Scene scene(2000, 660);
  scene.Add(CutOut("body-standing-cgi.jpg"), 0).Add(CutOut("body-stairs-cgi.jpg"), 760);
  scene.Add(CutOut("synth/body-arms-out.jpg"), 1500);
  const auto tracker = MakeTracker({.people = 3});
  ASSERT_TRUE(tracker);
  const auto frame = tracker->Process(scene.image().view(), {});
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->people.size(), 3u);
  Scene tall(660, 2000);  // one below the other
  tall.Add(CutOut("body-standing-cgi.jpg"), 0).Add(CutOut("body-stairs-cgi.jpg"), 0, 660);
  tall.Add(CutOut("synth/body-arms-out.jpg"), 0, 1340);
  const auto found = tracker->Process(tall.image().view(), {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->people.size(), 3u);
}

TEST_F(PeopleTest, FindsThemInAVideoWithinAFewLooks) {
  Scene scene(2000, 660);
  scene.Add(CutOut("body-standing-cgi.jpg"), 0).Add(CutOut("body-stairs-cgi.jpg"), 760);
  scene.Add(CutOut("synth/body-arms-out.jpg"), 1500);
  const auto tracker = MakeTracker({.people = 3, .frames = Frames::kVideo});
  ASSERT_TRUE(tracker);
  std::size_t found = 0;
  int frames = 0;
  for (; found < 3 && frames < 30; ++frames) {
    const auto frame = tracker->Process(scene.image().view(), (frames + 1) * kFrame);
    ASSERT_TRUE(frame);
    found = frame->people.size();
  }
  EXPECT_EQ(found, 3u);
  RecordProperty("frames", std::to_string(frames));
  EXPECT_LE(frames, 16);
}

TEST_F(PeopleTest, FindsNoMoreThanAskedFor) {
  const auto tracker = MakeTracker({.people = 2});
  ASSERT_TRUE(tracker);
  const Image image = ReadMedia("multi-three-people.jpg");
  const auto frame = tracker->Process(image.view(), {});
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->people.size(), 2u);
}

TEST_F(PeopleTest, EachHasAMaskOfTheirOwn) {
  const auto tracker = MakeTracker({.segmentation = true, .people = 2});
  ASSERT_TRUE(tracker);
  const Image image = ReadMedia("synth/two-people.jpg");
  const auto frame = tracker->Process(image.view(), {});
  ASSERT_TRUE(frame && frame->people.size() == 2);
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(image.width() * image.height()));
  const auto covers = [&](const Person& who, const Person& whose) {
    RenderMask(*whose.segmentation, mask.data(), image.width(), image.height(), image.width());
    const auto middle = [&](std::size_t a, std::size_t b) {
      const PoseLandmark &p = who.pose_landmarks[a], &q = who.pose_landmarks[b];
      const auto x = static_cast<int>((p.x + q.x) / 2 * static_cast<float>(image.width()));
      const auto y = static_cast<int>((p.y + q.y) / 2 * static_cast<float>(image.height()));
      return mask[static_cast<std::size_t>(y * image.width() + x)] > 128;
    };
    return middle(11, 24) && middle(12, 23);
  };
  for (const Person& who : frame->people) {
    for (const Person& whose : frame->people)
      EXPECT_EQ(covers(who, whose), who.id == whose.id) << who.id << " in the mask of " << whose.id;
  }
}

// Three beside each other, none hidden.
TEST_F(PeopleTest, EachIsFoundInAPictureAsIfAlone) {
  const std::vector<Cutout> people{CutOut("body-standing-cgi.jpg"), CutOut("body-stairs-cgi.jpg"),
                                   CutOut("synth/body-arms-out.jpg")};
  constexpr int kLefts[] = {0, 560, 1080};
  const ImageSize size{1600, 680};
  Scene all(size.width, size.height);
  for (std::size_t i = 0; i < people.size(); ++i) all.Add(people[i], kLefts[i]);
  const auto tracker = MakeTracker({.people = 3}), alone = MakeTracker({});
  ASSERT_TRUE(tracker && alone);
  const auto together = tracker->Process(all.image().view(), {});
  ASSERT_TRUE(together);
  EXPECT_EQ(together->people.size(), 3u);
  for (std::size_t i = 0; i < people.size(); ++i) {
    Scene scene(size.width, size.height);
    scene.Add(people[i], kLefts[i]);
    const auto expected = alone->Process(scene.image().view(), {});
    ASSERT_TRUE(expected && expected->people.size() == 1);
    const Person* found = Counterpart(together->people, expected->people[0]);
    ASSERT_NE(found, nullptr) << i;
    const double apart = FarthestPart(*found, expected->people[0], size);
    RecordProperty("apart_px_" + std::to_string(i), std::to_string(apart));
    EXPECT_LE(apart, kNearWhenDetected) << i;
  }
}

// One walks between two who stand, or by them: in front of them or behind them, where nothing is
// seen of the one that is hidden.
class WalkTest : public PeopleTest {
 protected:
  static constexpr int kFrames = 64, kStep = 24;
  static constexpr ImageSize kSize{1500, 900};
  static constexpr std::size_t kActors = 3;
  static constexpr std::size_t kWalker = 2;
  enum class Way { kApart = 1, kInFront, kBehind };
  using Track = std::vector<std::optional<Person>>;  // one a frame

  void SetUp() override {
    PeopleTest::SetUp();
    if (IsSkipped()) return;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "takes minutes; what runs here runs in the other tests as well";
#endif
    for (const char* name :
         {"body-standing-cgi.jpg", "synth/body-arms-out.jpg", "body-stairs-cgi.jpg"})
      actors_.push_back(CutOut(name));
  }

  // With all of them, or one alone.
  Image Frame(Way way, int index, std::optional<std::size_t> alone = {}) const {
    Scene scene(kSize.width, kSize.height);
    const bool is_apart = way == Way::kApart;
    const int left = is_apart ? 900 - 3 * std::abs(index - kFrames / 2) : 900 - kStep * index;
    const auto add = [&](std::size_t actor) {
      if (alone && *alone != actor) return;
      if (actor == kWalker) scene.Add(actors_[actor], left, 15);
      if (actor != kWalker) scene.Add(actors_[actor], actor == 0 ? 0 : 1050);
    };
    if (way == Way::kBehind) add(kWalker);
    add(0);
    if (!is_apart) add(1);
    if (way != Way::kBehind) add(kWalker);
    return scene.image();
  }

  Track FollowAlone(Way way, std::size_t actor) const {
    const auto tracker = MakeTracker({.frames = Frames::kVideo});
    Track track;
    for (int i = 0; i < kFrames; ++i) {
      const Image image = Frame(way, i, actor);
      const auto frame = tracker->Process(image.view(), (i + 1) * kFrame);
      track.emplace_back();
      if (frame && !frame->people.empty()) track.back() = frame->people[0];
    }
    return track;
  }

  struct Report {
    int switches = 0;
    std::array<int, kActors> found{};
    std::array<std::vector<double>, kActors> apart;  // of the body, pixels, when it was followed
  };
  Report Follow(Way way) const {
    std::array<Track, kActors> alone;
    for (std::size_t actor = 0; actor < kActors; ++actor) alone[actor] = FollowAlone(way, actor);
    const auto tracker = MakeTracker({.people = 3, .frames = Frames::kVideo});
    Report report;
    std::array<int, kActors> ids{};
    for (int i = 0; i < kFrames; ++i) {
      const Image image = Frame(way, i);
      const auto frame = tracker->Process(image.view(), (i + 1) * kFrame);
      if (!frame) continue;
      EXPECT_LE(frame->people.size(), 3u);
      Judge(way, frame->people, i, alone, ids, report);
    }
    return report;
  }

 private:
  // Whether one stands before the other, who is then not to be seen.
  static bool IsHidden(Way way, std::size_t actor, int index) {
    const auto passes = [&](int left) { return std::abs(900 - kStep * index - left) < 300; };
    if (way == Way::kApart) return false;
    if (way == Way::kBehind) return actor == kWalker && (passes(0) || passes(1050));
    return actor != kWalker && passes(actor == 0 ? 0 : 1050);
  }

  // The nearest pairs first.
  static void Judge(Way way, std::span<const Person> people, int index,
                    const std::array<Track, kActors>& alone, std::array<int, kActors>& ids,
                    Report& report) {
    std::map<double, std::pair<std::size_t, const Person*>> pairs;
    for (std::size_t actor = 0; actor < kActors; ++actor) {
      const auto& expected = alone[actor][static_cast<std::size_t>(index)];
      if (!expected || IsHidden(way, actor, index)) continue;
      for (const Person& person : people)
        pairs.emplace(Apart(person.pose_landmarks, expected->pose_landmarks, kSize),
                      std::pair(actor, &person));
    }
    std::set<std::size_t> done;
    std::set<const Person*> used;
    for (const auto& [apart, pair] : pairs) {
      const auto [actor, person] = pair;
      if (apart > 40 || done.contains(actor) || used.contains(person)) continue;
      done.insert(actor);
      used.insert(person);
      if (ids[actor] != 0 && ids[actor] != person->id) {
        ++report.switches;
        std::printf("frame %d: actor %zu was %d and is %d, %.1f px\n", index, actor, ids[actor],
                    person->id, apart);
      }
      ids[actor] = person->id;
      ++report.found[actor];
      report.apart[actor].push_back(apart);
    }
  }

  std::vector<Cutout> actors_;
};

void Print(const char* way, int switches, std::span<const int> found,
           std::span<const std::vector<double>> apart) {
  std::printf("%s: %d switches", way, switches);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double worst = apart[i].empty() ? 0 : *std::max_element(apart[i].begin(), apart[i].end());
    std::printf("; found %d, median %.2f px, worst %.2f px", found[i],
                apart[i].empty() ? 0 : Median(apart[i]), worst);
  }
  std::printf("\n");
}

TEST_F(WalkTest, NobodyHiddenIsFollowedAsIfAlone) {
  const Report report = Follow(Way::kApart);
  Print("apart", report.switches, report.found, report.apart);
  EXPECT_EQ(report.switches, 0);
  for (std::size_t actor = 0; actor < kActors; ++actor) {
    if (actor == 1) continue;
    ASSERT_GE(report.found[actor], kFrames - 6) << actor;
    EXPECT_LE(Median(report.apart[actor]), kNear) << actor;
  }
}

TEST_F(WalkTest, WhoIsHiddenIsFollowedOnAfterwards) {
  for (const Way way : {Way::kInFront, Way::kBehind}) {
    const Report report = Follow(way);
    Print(way == Way::kBehind ? "behind" : "in front", report.switches, report.found, report.apart);
    EXPECT_LE(report.switches, 1);
    for (std::size_t actor = 0; actor < kActors; ++actor) {
      EXPECT_GE(report.found[actor], actor == kWalker ? 15 : 30) << actor;
    }
    const std::vector<double>& apart = report.apart[1];  // who is passed first
    ASSERT_GE(apart.size(), 20u);
    EXPECT_LE(Median({apart.end() - 20, apart.end()}), kNear);
  }
}

TEST_F(PeopleTest, FollowingManyMakesNoHeapCall) {
  const MultiTracker::Request request{.segmentation = true, .people = kMaxPeople};
  const auto multi = MultiTracker::Create({.models_dir = ModelsDir(), .requests = {request, {}}});
  ASSERT_TRUE(multi);
  const Image three = ReadMedia("multi-three-people.jpg");
  const Image nobody(three.width(), three.height());
  PeopleState state({}, kMaxPeople);
  MultiTracker::Request one = request;
  one.people = 1;
  const auto before = HeapCalls();
  int frame = 0;
  std::size_t most = 0;
  for (const Image* image : {&three, &three, &nobody, &nobody, &three, &three, &three}) {
    for (const MultiTracker::Request& asked : {request, one, request}) {
      const auto found = (*multi)->Process(image->view(), ++frame * kFrame, asked, &state);
      most = std::max(most, found ? found->people.size() : 0);
    }
    EXPECT_TRUE((*multi)->Process(image->view(), {}, request, &state));  // strays
    EXPECT_TRUE((*multi)->Process(image->view(), {}, request));
  }
  EXPECT_EQ(HeapCalls() - before, 0u);
  EXPECT_EQ(most, 3u);
}

}  // namespace
}  // namespace holostat::vision
