#include "vision/multi_tracker.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "base/heap_calls.h"
#include "base/process_memory.h"
#include "vision/frame_bytes.h"
#include "vision/golden_support.h"

namespace holostat::vision {
namespace {

using Request = MultiTracker::Request;

constexpr Request kFull{};
constexpr Request kLite{.complexity = Complexity::kLite};
constexpr Request kPlainFace{.refine_face = false};
constexpr Request kWithMask{.segmentation = true};

std::unique_ptr<MultiTracker> MakeMulti(std::vector<Request> requests) {
  auto tracker = MultiTracker::Create({.models_dir = ModelsDir(), .requests = std::move(requests)});
  if (!tracker) ADD_FAILURE() << tracker.error().message;
  return tracker ? *std::move(tracker) : nullptr;
}

std::unique_ptr<HolisticTracker> MakeSingle(const Request& request) {
  return MakeTracker({.complexity = request.complexity,
                      .refine_face = request.refine_face,
                      .segmentation = request.segmentation});
}

std::string Track(MultiTracker& tracker, const Image& image, const Request& request) {
  const auto frame = tracker.Process(image.view(), {}, request);
  if (frame) return Bytes(*frame);
  ADD_FAILURE() << frame.error().message;
  return {};
}

// What `measure` gives in a forked child.
std::uint64_t InAChild(const std::function<std::uint64_t()>& measure) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const std::uint64_t value = measure();
    ::_exit(::write(ends[1], &value, sizeof(value)) == sizeof(value) ? 0 : 1);
  }
  std::uint64_t value = 0;
  ::close(ends[1]);
  EXPECT_EQ(::read(ends[0], &value, sizeof(value)), static_cast<ssize_t>(sizeof(value)));
  ::close(ends[0]);
  EXPECT_EQ(::waitpid(child, nullptr, 0), child);
  return value;
}

std::uint64_t Uss() {
  const auto memory = ReadProcessMemory();
  return memory ? memory->uss_bytes : 0;
}

TEST(MultiTrackerOptions, OutOfRangeAreRefused) {
  for (const std::vector<Request>& requests :
       {std::vector<Request>{}, {kFull, {.complexity = Complexity{}}}}) {
    const auto tracker = MultiTracker::Create({.models_dir = "nowhere", .requests = requests});
    ASSERT_FALSE(tracker);
    EXPECT_EQ(tracker.error().code, ErrorCode::kInvalidArgument);
  }
}

class MultiTrackerTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!HaveModels()) GTEST_SKIP() << "no models in " << ModelsDir();
    if (!HaveMedia()) GTEST_SKIP() << "no pictures in " << MediaDir();
  }
};

TEST_F(MultiTrackerTest, AnswersAsATrackerForEachRequestWould) {
  const std::vector<Request> requests{kFull, kLite, kPlainFace, kWithMask};
  const auto multi = MakeMulti(requests);
  ASSERT_TRUE(multi);
  std::vector<std::pair<std::string, Request>> calls;
  for (const char* name : {"body-standing-cgi.jpg", "face-front.png", "none-coffee.png"}) {
    for (const Request& request : requests) calls.emplace_back(name, request);
  }
  std::ranges::shuffle(calls, std::mt19937(5));
  for (const Request& request : requests) {
    const auto single = MakeSingle(request);
    for (const auto& [name, other] : calls) {
      const Image image = ReadMedia(name);
      Track(*multi, image, other);  // what came before does not matter
      const auto expected = single->Process(image.view(), {});
      ASSERT_TRUE(expected);
      EXPECT_EQ(expected->people.empty(), name == "none-coffee.png");
      EXPECT_TRUE(Bytes(*expected) == Track(*multi, image, request)) << name;
    }
  }
}

TEST_F(MultiTrackerTest, RefusesARequestItHasNoModelsFor) {
  const auto multi = MakeMulti({kLite});
  ASSERT_TRUE(multi);
  const Image image = ReadMedia("face-front.png");
  for (const Request& request :
       {kFull, Request{.complexity = Complexity::kLite, .refine_face = false},
        Request{.complexity = Complexity::kLite, .segmentation = true}}) {
    EXPECT_FALSE(multi->Has(request));
    const auto frame = multi->Process(image.view(), {}, request);
    ASSERT_FALSE(frame);
    EXPECT_EQ(frame.error().code, ErrorCode::kUnsupported);
  }
  EXPECT_TRUE(multi->Has(kLite));
}

TEST_F(MultiTrackerTest, HasWhatItsModelsCanBePutTogetherTo) {
  const auto multi = MakeMulti({kFull, {.complexity = Complexity::kLite, .refine_face = false}});
  ASSERT_TRUE(multi);
  EXPECT_TRUE(multi->Has(kLite));
  EXPECT_TRUE(multi->Has(kPlainFace));
  EXPECT_FALSE(multi->Has(kWithMask));
}

TEST_F(MultiTrackerTest, AFrameMakesNoHeapCallWhateverItRequests) {
  const auto multi = MakeMulti({kFull, kLite, kPlainFace, kWithMask});
  ASSERT_TRUE(multi);
  const Image image = ReadMedia("body-standing-cgi.jpg");
  const auto before = HeapCalls();
  for (const Request& request : {kFull, kWithMask, kLite, kPlainFace}) {
    EXPECT_TRUE(multi->Process(image.view(), {}, request));
  }
  EXPECT_EQ(HeapCalls() - before, 0u);
}

// One tracker more for lite loads all models again; a second variant only its body model.
TEST_F(MultiTrackerTest, LoadsWhatVariantsShareOnce) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer has private memory of its own";
#endif
  const auto one = InAChild([] {
    const auto a = MakeSingle(kFull);
    return Uss();
  });
  const auto two = InAChild([] {
    const auto a = MakeSingle(kFull), b = MakeSingle(kLite);
    return Uss();
  });
  const auto multi = InAChild([] {
    const auto both = MakeMulti({kFull, kLite});
    both->TouchMemory();
    return Uss();
  });
  ASSERT_GT(one, 0u);
  EXPECT_GT(multi, one);
  EXPECT_LT(2 * (multi - one), two - one);
}

constexpr std::chrono::microseconds kFrame{40000};

// The frame of a video that is number `index`: `image` pushed right by so many pixels.
Image Pushed(const Image& image, int index) {
  Image out(image.width(), image.height());
  for (int y = 0; y < image.height(); ++y) {
    const std::uint8_t* from = image.row(y);
    std::copy_n(from, 3 * index, out.row(y));
    std::copy_n(from, 3 * (image.width() - index), out.row(y) + 3 * index);
  }
  return out;
}

std::string Follow(MultiTracker& tracker, PeopleState& state, const Image& image, int frame,
                   const Request& request = kFull) {
  const auto found = tracker.Process(image.view(), frame * kFrame, request, &state);
  if (found) return Bytes(*found);
  ADD_FAILURE() << found.error().message;
  return {};
}

std::chrono::nanoseconds TimeIn(const MultiTracker& tracker, Stage stage) {
  return tracker.last_stage_times()[static_cast<std::size_t>(stage)].total;
}

TEST_F(MultiTrackerTest, LooksForABodyOnlyWhenItHasNone) {
  const auto multi = MakeMulti({kFull});
  ASSERT_TRUE(multi);
  const Image person = ReadMedia("body-standing-cgi.jpg");
  Image nobody(person.width(), person.height());
  PeopleState state;
  struct Step {
    const Image& image;
    bool detects, finds;
  };
  int frame = 0;
  for (const Step& step :
       {Step{person, true, true}, Step{person, false, true},
        Step{nobody, false, false},  // lost: this frame is empty in any case
        Step{nobody, true, false}, Step{person, true, true}, Step{person, false, true}}) {
    const auto found = multi->Process(step.image.view(), ++frame * kFrame, kFull, &state);
    ASSERT_TRUE(found);
    EXPECT_EQ(TimeIn(*multi, Stage::kPoseDetection).count() > 0, step.detects) << frame;
    EXPECT_EQ(!found->people.empty(), step.finds) << frame;
  }
}

TEST_F(MultiTrackerTest, SessionsDoNotTouchEachOtherNorStillPictures) {
  const std::vector<Request> requests{kFull, kWithMask};
  const auto multi = MakeMulti(requests);
  ASSERT_TRUE(multi);
  const Image one = ReadMedia("body-standing-cgi.jpg"), two = ReadMedia("face-front.png");
  constexpr int kFrames = 4;
  std::vector<std::string> alone_one, alone_two;
  PeopleState state_one, state_two;
  const std::string still = Track(*multi, one, kFull);
  for (int i = 0; i < kFrames; ++i) {
    alone_one.push_back(Follow(*multi, state_one, Pushed(one, 4 * i), i, kWithMask));
  }
  for (int i = 0; i < kFrames; ++i) {
    alone_two.push_back(Follow(*multi, state_two, Pushed(two, 3 * i), i));
  }
  state_one.Reset();
  state_two.Reset();
  for (int i = 0; i < kFrames; ++i) {
    EXPECT_TRUE(Follow(*multi, state_one, Pushed(one, 4 * i), i, kWithMask) ==
                alone_one[static_cast<std::size_t>(i)])
        << i;
    EXPECT_TRUE(Track(*multi, one, kFull) == still) << i;
    EXPECT_TRUE(Follow(*multi, state_two, Pushed(two, 3 * i), i) ==
                alone_two[static_cast<std::size_t>(i)])
        << i;
  }
  EXPECT_FALSE(alone_one[1] == alone_one[2]) << "the frames differ";
}

TEST_F(MultiTrackerTest, AFrameWhoseTimeStraysIsAStillPicture) {
  const auto multi = MakeMulti({kFull});
  ASSERT_TRUE(multi);
  const Image image = ReadMedia("body-standing-cgi.jpg");
  const Image next = Pushed(image, 5);
  PeopleState straight, disturbed;
  for (PeopleState* state : {&straight, &disturbed}) Follow(*multi, *state, image, 1);
  const std::string still = Track(*multi, next, kFull);
  EXPECT_TRUE(Follow(*multi, disturbed, next, 1) == still);   // again
  EXPECT_TRUE(Follow(*multi, disturbed, next, -5) == still);  // back
  EXPECT_TRUE(Follow(*multi, disturbed, next, 1'000'000) == still);
  const std::string followed = Follow(*multi, straight, next, 2);
  EXPECT_FALSE(followed == still);
  EXPECT_TRUE(Follow(*multi, disturbed, next, 2) == followed);
}

TEST_F(MultiTrackerTest, AFrameThatIsRefusedCostsTheSessionNothing) {
  const auto multi = MakeMulti({kFull});
  ASSERT_TRUE(multi);
  const Image image = ReadMedia("body-standing-cgi.jpg");
  PeopleState straight, disturbed;
  for (PeopleState* state : {&straight, &disturbed}) Follow(*multi, *state, image, 1);
  EXPECT_FALSE(multi->Process(ImageView{}, 2 * kFrame, kFull, &disturbed));
  EXPECT_FALSE(multi->Process(image.view(), 2 * kFrame, kLite, &disturbed));
  EXPECT_TRUE(Follow(*multi, disturbed, image, 2) == Follow(*multi, straight, image, 2));
}

TEST_F(MultiTrackerTest, FollowingMakesNoHeapCall) {
  const auto multi = MakeMulti({kFull, kWithMask});
  ASSERT_TRUE(multi);
  const Image person = ReadMedia("body-standing-cgi.jpg");
  const Image nobody(person.width(), person.height());
  PeopleState state;
  const auto before = HeapCalls();
  int frame = 0;
  for (const Image* image : {&person, &person, &nobody, &nobody, &person, &person}) {
    for (const Request& request : {kWithMask, kFull}) {
      EXPECT_TRUE(multi->Process(image->view(), ++frame * kFrame, request, &state));
    }
    EXPECT_TRUE(multi->Process(image->view(), {}, kFull, &state));  // strays
  }
  state.Reset();
  EXPECT_TRUE(multi->Process(person.view(), kFrame, kWithMask, &state));
  EXPECT_EQ(HeapCalls() - before, 0u);
}

long Faults() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

TEST_F(MultiTrackerTest, AForkedChildThatTouchedItsMemoryTakesFewFaultsInAFrame) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer has pages of its own";
#endif
  const auto multi = MakeMulti({kFull});
  ASSERT_TRUE(multi);
  const Image image = ReadMedia("body-standing-cgi.jpg");
  const auto faults = [&](bool is_touched) {
    return InAChild([&]() -> std::uint64_t {
      if (is_touched) multi->TouchMemory();
      const long before = Faults();
      if (!multi->Process(image.view(), {}, kFull)) return 0;
      return static_cast<std::uint64_t>(Faults() - before);
    });
  };
  const std::uint64_t touched = faults(true), untouched = faults(false);
  RecordProperty("touched", std::to_string(touched));
  EXPECT_GT(touched, 0u);
  EXPECT_LT(3 * touched, untouched);
}

}  // namespace
}  // namespace holostat::vision
