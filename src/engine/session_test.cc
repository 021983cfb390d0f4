#include "engine/session.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <random>

#include "base/heap_calls.h"
#include "engine/model_test_support.h"

namespace holostat::engine {
namespace {

std::unique_ptr<Session> Load(std::string_view model, std::vector<std::size_t> outputs = {}) {
  const auto file = OpenModel(model);
  auto session = Session::Create(file.bytes(), {.outputs = std::move(outputs)});
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

INSTANTIATE_TEST_SUITE_P(, SessionOfModel, testing::ValuesIn(kModelNames), ModelTestName);

}  // namespace
}  // namespace holostat::engine
