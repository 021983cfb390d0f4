#include "runtime/governor.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "base/heap_calls.h"

namespace holostat::runtime {
namespace {

using Kind = GovernorAction::Kind;
using std::chrono::milliseconds;

constexpr std::uint64_t kMegabyte = 1 << 20;

std::string ActionName(const GovernorAction& action) {
  switch (action.kind) {
    case Kind::kTrim:
      return "trim";
    case Kind::kUnloadIdle:
      return "unload-idle";
    case Kind::kUseLighter:
      return "use-lighter";
    case Kind::kUseRequested:
      return "use-requested";
    case Kind::kRecycle:
      return fmt::format("recycle-{}", action.worker_id);
    case Kind::kRefuse:
      return "refuse";
    case Kind::kAccept:
      return "accept";
    case Kind::kRestartZygote:
      return "restart-zygote";
  }
  return "?";
}

// A service over time, from testdata/<name>.trace. Its lines: "#" a comment; "budget MB", "limit
// MB", "stall PERCENT", "worker ID MB" (0: gone) hold from there on; "SECONDS SERVICE_MB GROUP_MB"
// is a sample; "> SECONDS LEVEL ACTION ..." what is expected of it, when the level changes or there
// is something to do.
struct Trace {
  struct Step {
    double seconds = 0;
    GovernorSample sample;
    std::vector<WorkerUse> workers;
  };
  std::vector<Step> steps;
  std::vector<std::string> expected;
};

std::uint64_t Megabytes(double count) { return static_cast<std::uint64_t>(count * kMegabyte); }

Trace ReadTrace(const std::string& name) {
  std::ifstream file(HOLOSTAT_SOURCE_DIR "/src/runtime/testdata/" + name + ".trace");
  EXPECT_TRUE(file) << name;
  Trace trace;
  GovernorSample now;
  std::map<std::uint32_t, std::uint64_t> workers;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    double a = 0, b = 0;
    words >> word;
    if (word.empty() || word == "#") continue;
    if (word == ">") {
      trace.expected.push_back(line.substr(2));
      continue;
    }
    words >> a >> b;
    if (word == "budget") {
      now.budget_bytes = Megabytes(a);
    } else if (word == "limit") {
      now.group_limit_bytes = Megabytes(a);
    } else if (word == "stall") {
      now.stall_percent = a;
    } else if (word == "worker") {
      workers[static_cast<std::uint32_t>(a)] = Megabytes(b);
    } else {
      Trace::Step step{.seconds = std::stod(word), .sample = now, .workers = {}};
      step.sample.at = SteadyTime(milliseconds(1'000'000 + std::lround(step.seconds * 1000)));
      step.sample.service_bytes = Megabytes(a);
      step.sample.group_used_bytes = Megabytes(b);
      for (const auto& [id, bytes] : workers) {
        if (bytes > 0) step.workers.push_back({.worker_id = id, .uss_bytes = bytes});
      }
      trace.steps.push_back(std::move(step));
    }
  }
  return trace;
}

// What the governor does on a trace, in the form of its expectations.
std::vector<std::string> Decisions(const Trace& trace) {
  Governor governor({});
  std::vector<std::string> log;
  MemoryLevel level = MemoryLevel::kNormal;
  for (Trace::Step step : trace.steps) {
    step.sample.workers = step.workers;
    const GovernorDecision decision = governor.Decide(step.sample);
    EXPECT_EQ(decision.level, governor.level());
    EXPECT_EQ(decision.reason.empty(), decision.level == level);
    if (decision.level == level && decision.actions.empty()) continue;
    level = decision.level;
    log.push_back(fmt::format("{} {}", step.seconds, MemoryLevelName(level)));
    for (const GovernorAction& action : decision.actions) log.back() += " " + ActionName(action);
  }
  return log;
}

class GovernorTraces : public ::testing::TestWithParam<const char*> {};

TEST_P(GovernorTraces, ClimbsAndDescendsAsWritten) {
  const Trace trace = ReadTrace(GetParam());
  ASSERT_FALSE(trace.steps.empty());
  EXPECT_EQ(Decisions(trace), trace.expected);
}

INSTANTIATE_TEST_SUITE_P(All, GovernorTraces,
                         ::testing::Values("budget_0", "group_only", "lone_worker", "not_ours",
                                           "oscillation", "recorded", "slow_climb", "spike",
                                           "squeeze", "stall"),
                         [](const auto& test) { return std::string(test.param); });

// A sample of a service with a budget of 256 MB, `share` of it used.
GovernorSample At(double seconds, double share) {
  GovernorSample sample;
  sample.at = SteadyTime(milliseconds(1'000'000 + std::lround(seconds * 1000)));
  sample.budget_bytes = 256 * kMegabyte;
  sample.service_bytes = Megabytes(256 * share);
  return sample;
}

TEST(Governor, SaysWhy) {
  Governor governor({});
  governor.Decide(At(0, 0.93));
  EXPECT_EQ(governor.Decide(At(1, 0.93)).reason, "93 % of 256 MB");
  GovernorSample sample = At(2, 0.05);
  sample.group_limit_bytes = 512 * kMegabyte;
  sample.group_used_bytes = 500 * kMegabyte;
  sample.stall_percent = 33;
  EXPECT_EQ(governor.Decide(sample).reason,
            "98 % of 512 MB of the control group, most of it not ours (12 of 500 MB are), stalled "
            "for memory 33 % of the time");
}

TEST(Governor, SaysWhyWithoutAnyLimit) {
  Governor governor({});
  GovernorSample sample = At(0, 0.5);
  sample.budget_bytes = 0;
  sample.stall_percent = 40;
  governor.Decide(sample);
  sample.at += std::chrono::seconds(1);
  EXPECT_EQ(governor.Decide(sample).reason, "no limit, stalled for memory 40 % of the time");
}

TEST(Governor, RestartsTheZygoteAtMostOnceEachRestartAfter) {
  Governor governor({});
  std::vector<double> restarts;
  for (int second = 0; second < 1300; ++second) {
    // In and out of kRestart.
    const double share = second % 60 < 30 ? 0.99 : 0.80;
    for (const GovernorAction& action : governor.Decide(At(second, share)).actions) {
      if (action.kind == Kind::kRestartZygote) restarts.push_back(second);
    }
  }
  EXPECT_EQ(restarts, (std::vector<double>{1, 601, 1201}));
}

// What must hold on any series of samples.
class Invariants {
 public:
  void Check(const GovernorSample& sample, const GovernorDecision& decision) {
    const int step = static_cast<int>(decision.level) - static_cast<int>(level_);
    EXPECT_GE(step, -1);
    EXPECT_TRUE(step <= 1 || decision.level == MemoryLevel::kRefuse);
    level_ = decision.level;
    for (const GovernorAction& action : decision.actions) Check(sample, action);
    EXPECT_EQ(is_lighter_, level_ >= MemoryLevel::kLighter);
    EXPECT_EQ(is_refusing_, level_ >= MemoryLevel::kRefuse);
  }

 private:
  void Check(const GovernorSample& sample, const GovernorAction& action) {
    switch (action.kind) {
      case Kind::kUseLighter:
      case Kind::kUseRequested:
        EXPECT_EQ(is_lighter_, action.kind == Kind::kUseRequested);
        is_lighter_ = !is_lighter_;
        break;
      case Kind::kRefuse:
      case Kind::kAccept:
        EXPECT_EQ(is_refusing_, action.kind == Kind::kAccept);
        is_refusing_ = !is_refusing_;
        break;
      case Kind::kRecycle:
        EXPECT_TRUE(std::any_of(sample.workers.begin(), sample.workers.end(), [&](const auto& use) {
          return use.worker_id == action.worker_id;
        }));
        [[fallthrough]];
      default:
        const auto pause =
            action.kind == Kind::kRestartZygote ? milliseconds(600'000) : milliseconds(5000);
        const auto last = last_.find(action.kind);
        EXPECT_TRUE(last == last_.end() || sample.at - last->second >= pause);
        last_[action.kind] = sample.at;
    }
  }

  MemoryLevel level_ = MemoryLevel::kNormal;
  bool is_lighter_ = false, is_refusing_ = false;
  std::map<Kind, SteadyTime> last_;
};

TEST(Governor, KeepsItsPromisesOnAnySamples) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 100; ++round) {
    Governor governor({});
    Invariants invariants;
    GovernorSample sample = At(0, 0);
    double share = 0.8;
    for (int i = 0; i < 1000; ++i) {
      std::vector<WorkerUse> workers(random() % 5);
      for (WorkerUse& worker : workers)
        worker = {static_cast<std::uint32_t>(random() % 6), random()};
      share = std::clamp(share + (static_cast<double>(random() % 101) - 50) / 1000, 0.7, 1.1);
      sample.at += milliseconds(random() % 2000);
      sample.service_bytes = random() % 50 == 0 ? random() : Megabytes(256 * share);
      sample.group_used_bytes = random() % 50 == 0 ? random() : Megabytes(300 * share);
      sample.group_limit_bytes = 300 * kMegabyte;
      if (random() % 100 == 0) sample.group_limit_bytes = random() % 2;
      sample.stall_percent = static_cast<double>(random() % 25);
      sample.workers = workers;
      invariants.Check(sample, governor.Decide(sample));
    }
  }
}

TEST(Governor, MakesNoHeapCallWhileItHasNothingToDo) {
  Governor governor({});
  const auto before = HeapCalls();
  for (int second = 0; second < 100; ++second) governor.Decide(At(second, 0.5));
  EXPECT_EQ(HeapCalls(), before);
}

}  // namespace
}  // namespace holostat::runtime
