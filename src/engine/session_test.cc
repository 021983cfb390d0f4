#include "engine/session.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "base/heap_calls.h"
#include "engine/model_test_support.h"

// The address sanitizer cannot see into XNNPACK, so freed memory is filled with NaN: a weight that
// is read after the session gave it back shows in the outputs.
extern "C" const char* __asan_default_options();  // NOLINT(bugprone-reserved-identifier)
extern "C" const char* __asan_default_options() {
  return "max_free_fill_size=1073741824:free_fill_byte=255";
}

namespace holostat::engine {
namespace {

std::unique_ptr<Session> Load(std::string_view model, std::vector<std::size_t> outputs = {}) {
  const auto file = ReadModelFile(model);
  auto session = Session::Create(file, {.outputs = std::move(outputs)});
  if (!session) ADD_FAILURE() << model << ": " << session.error().message;
  return session ? std::move(*session) : nullptr;
}

// Any input will do, but not one that makes all activations equal.
void FillInputs(Session& session) {
  std::minstd_rand random(7);
  std::uniform_real_distribution<float> values(0, 1);
  for (std::size_t i = 0; i < session.input_count(); ++i) {
    for (float& value : session.input(i)) value = values(random);
  }
}

std::vector<float> RunOnce(Session& session) {
  FillInputs(session);
  const auto result = session.Run();
  EXPECT_TRUE(result) << result.error().message;
  std::vector<float> all;
  for (std::size_t i = 0; i < session.output_count(); ++i) {
    const auto output = session.output(i);
    all.insert(all.end(), output.begin(), output.end());
  }
  return all;
}

bool SameBytes(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

class SessionOfModel : public ModelTest {};

TEST_P(SessionOfModel, GivesTheSameFiniteOutputsForTheSameInputs) {
  auto session = Load(GetParam());
  ASSERT_NE(session, nullptr);
  const auto first = RunOnce(*session);
  EXPECT_FALSE(first.empty());
  for (const float value : first) ASSERT_TRUE(std::isfinite(value));
  EXPECT_TRUE(SameBytes(first, RunOnce(*session)));
  EXPECT_TRUE(SameBytes(first, RunOnce(*Load(GetParam()))));
}

TEST_P(SessionOfModel, MakesNoHeapCallAfterTheFirstRun) {
  auto session = Load(GetParam());
  ASSERT_NE(session, nullptr);
  ASSERT_TRUE(session->Run());
  const std::uint64_t before = HeapCalls();
  for (int i = 0; i < 3; ++i) {
    if (!session->Run()) break;
  }
  EXPECT_EQ(HeapCalls() - before, 0U);
}

// Runs the session in a child process and says whether it gave `expected` there.
bool GivesInAChild(Session& session, const std::vector<float>& expected) {
  const pid_t child = fork();
  if (child == 0) _exit(SameBytes(RunOnce(session), expected) ? 0 : 1);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_P(SessionOfModel, RunsInAForkedChildAndInTheParentAfterIt) {
  auto session = Load(GetParam());
  ASSERT_NE(session, nullptr);
  const auto before = RunOnce(*session);
  EXPECT_TRUE(GivesInAChild(*session, before));
  EXPECT_TRUE(SameBytes(before, RunOnce(*session)));
}

TEST_P(SessionOfModel, RunsFirstInAForkedChild) {
  auto session = Load(GetParam());
  auto other = Load(GetParam());
  ASSERT_TRUE(session && other);
  EXPECT_TRUE(GivesInAChild(*session, RunOnce(*other)));
}

TEST_P(SessionOfModel, NeedsTheFileOnlyDuringCreate) {
  std::vector<std::uint8_t> bytes = ReadModelFile(GetParam());
  auto kept = Session::Create(bytes, {});
  ASSERT_TRUE(kept) << kept.error().message;
  std::ranges::fill(bytes, std::uint8_t{0xFF});
  bytes = {};
  EXPECT_TRUE(SameBytes(RunOnce(**kept), RunOnce(*Load(GetParam()))));
}

TEST_P(SessionOfModel, GivesEachOutputAloneAsAmongAll) {
  auto all = Load(GetParam());
  ASSERT_NE(all, nullptr);
  RunOnce(*all);
  for (std::size_t i = 0; i < all->output_count(); ++i) {
    auto one = Load(GetParam(), {i});
    ASSERT_NE(one, nullptr);
    ASSERT_EQ(one->output_count(), all->output_count());
    const auto alone = RunOnce(*one);
    const auto among = all->output(i);
    EXPECT_TRUE(SameBytes(alone, {among.begin(), among.end()})) << "output " << i;
    EXPECT_EQ(one->output_shape(i), all->output_shape(i));
  }
}

TEST_P(SessionOfModel, DoesNotDependOnWhatOtherSessionsDo) {
  auto first = Load(GetParam());
  auto second = Load(GetParam());
  ASSERT_TRUE(first && second);
  const auto expected = RunOnce(*first);
  for (float& value : second->input(0)) value = -1;
  ASSERT_TRUE(second->Run());
  EXPECT_TRUE(SameBytes(expected, RunOnce(*first)));
}

INSTANTIATE_TEST_SUITE_P(, SessionOfModel, testing::ValuesIn(kModelNames), ModelTestName);

class SessionOfPoseLandmark : public ModelTest {};

TEST_P(SessionOfPoseLandmark, LeavesAnOutputThatIsNotWantedEmpty) {
  auto session = Load(GetParam(), {0, 1, 3, 4});
  ASSERT_NE(session, nullptr);
  EXPECT_EQ(session->output_count(), 5U);
  EXPECT_TRUE(session->output(2).empty());
  EXPECT_EQ(session->output(0).size(), 195U);
  EXPECT_EQ(session->output(3).size(), 64U * 64 * 39);
}

TEST_P(SessionOfPoseLandmark, RefusesAnOutputThatDoesNotExist) {
  const auto file = ReadModelFile(GetParam());
  const auto session = Session::Create(file, {.outputs = {0, 5}});
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().code, ErrorCode::kInvalidArgument);
}

INSTANTIATE_TEST_SUITE_P(, SessionOfPoseLandmark, testing::Values("pose_landmark_lite"),
                         ModelTestName);

}  // namespace
}  // namespace holostat::engine
