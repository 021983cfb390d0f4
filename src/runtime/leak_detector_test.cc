#include "runtime/leak_detector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>

#include "base/heap_calls.h"
#include "runtime/growth_traces.h"

namespace holostat::runtime {
namespace {

// How many traces of a kind: HOLOSTAT_LEAK_SEEDS in the environment, for figures from more than a
// test has time for.
std::uint32_t Seeds() {
#ifdef NDEBUG
  constexpr std::uint32_t kSeeds = 500;
#else
  constexpr std::uint32_t kSeeds = 40;  // sanitizers take their time
#endif
  const char* asked = std::getenv("HOLOSTAT_LEAK_SEEDS");
  return asked == nullptr ? kSeeds : static_cast<std::uint32_t>(std::strtoul(asked, nullptr, 10));
}

bool IsAlarm(Growth growth) { return growth == Growth::kLeak || growth == Growth::kFragmentation; }

// The request at which the first alarm comes, asking at most each `lazily` requests.
std::optional<std::uint64_t> FirstAlarm(const WorkerModel& model, std::uint32_t seed,
                                        std::uint64_t requests, std::uint64_t lazily = 1) {
  InventedWorker worker(model, seed);
  LeakDetector detector({});
  std::uint64_t next = 0;
  while (worker.served() < requests) {
    detector.Add(worker.Next());
    if (worker.served() < next) continue;
    if (IsAlarm(detector.Verdict().growth)) return worker.served();
    next =
        worker.served() + (worker.served() > 4000 ? lazily : std::min<std::uint64_t>(lazily, 30));
  }
  return std::nullopt;
}

LeakVerdict VerdictAfter(const WorkerModel& model, std::uint64_t requests, std::uint32_t seed = 1,
                         const LeakDetector::Options& options = {}) {
  InventedWorker worker(model, seed);
  LeakDetector detector(options);
  while (worker.served() < requests) detector.Add(worker.Next());
  return detector.Verdict();
}

// Prints the figures that docs/leak-detector.md quotes.
void Report(const char* what, std::vector<std::uint64_t> alarms, std::uint64_t traces) {
  std::sort(alarms.begin(), alarms.end());
  std::printf("%s: %zu of %llu traces flagged", what, alarms.size(),
              static_cast<unsigned long long>(traces));
  if (!alarms.empty()) {
    std::printf(", at request %llu (median), %llu (last)",
                static_cast<unsigned long long>(alarms[alarms.size() / 2]),
                static_cast<unsigned long long>(alarms.back()));
  }
  std::printf("\n");
}

template <class ModelOf>
std::vector<std::uint64_t> Alarms(ModelOf model_of, std::uint32_t seeds, std::uint64_t requests,
                                  std::uint64_t lazily) {
  std::vector<std::uint64_t> alarms;
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    const auto alarm = FirstAlarm(model_of(seed), seed, requests, lazily);
    if (!alarm) continue;
    alarms.push_back(*alarm);
  }
  return alarms;
}

TEST(LeakDetector, GivesNoFalseAlarmIn200000RequestsOfAnyCleanWorker) {
  const auto alarms = Alarms(AnyCleanWorker, Seeds(), 200'000, 3000);
  Report("clean, 200,000 requests", alarms, Seeds());
  EXPECT_TRUE(alarms.empty());
}

TEST(LeakDetector, GivesNoFalseAlarmWhenAskedAfterEachSample) {
  const auto alarms = Alarms(AnyCleanWorker, Seeds() / 100 + 1, 200'000, 1);
  Report("clean, 200,000 requests, each sample", alarms, Seeds() / 100 + 1);
  EXPECT_TRUE(alarms.empty());
}

TEST(LeakDetector, TakesLargerPicturesForNoLeak) {
  const auto model_of = [](std::uint32_t seed) {
    WorkerModel model = AnyCleanWorker(seed);
    std::mt19937 random(seed);
    model.step = (1 + random() % 40) * kMegabyte;
    const std::size_t steps = 1 + random() % 3;
    for (std::size_t i = 0; i < steps; ++i) {
      const double place = std::uniform_real_distribution<double>(3, 10)(random);
      model.larger_pictures.push_back(static_cast<std::uint64_t>(std::exp(place)));
    }
    return model;
  };
  const auto alarms = Alarms(model_of, Seeds(), 40'000, 2000);
  Report("clean, 1 to 3 steps of 1 to 40 MB, 40,000 requests", alarms, Seeds());
  EXPECT_TRUE(alarms.empty());
}

TEST(LeakDetector, FlagsAFastLeakOfAnyWorkerWithin500Requests) {
  const auto model_of = [](std::uint32_t seed) {
    WorkerModel model = AnyCleanWorker(seed);
    model.requests_a_sample = std::min<std::uint64_t>(model.requests_a_sample, 40);
    model.leak_share = 0.2;
    model.leak = kMegabyte;
    return model;
  };
  const auto alarms = Alarms(model_of, Seeds(), 500, 1);
  Report("1 MB of 20 % of the requests", alarms, Seeds());
  EXPECT_EQ(alarms.size(), Seeds());
}

TEST(LeakDetector, FlagsASlowLeakUnderTeethWithin15000Requests) {
  const auto model_of = [](std::uint32_t seed) {
    WorkerModel model = AnyCleanWorker(seed);
    model.tooth = std::min(model.tooth, 4 * kMegabyte);
    model.tooth_requests = std::min(model.tooth_requests, 1000.0);
    model.leak_share = 0.2;
    model.leak = 10 * 1024;
    return model;
  };
  const auto alarms = Alarms(model_of, Seeds(), 15'000, 250);
  Report("10 KB of 20 % of the requests", alarms, Seeds());
  EXPECT_EQ(alarms.size(), Seeds());
}

TEST(LeakDetector, FlagsALeakThatStartsLateInALongLife) {
  WorkerModel model;
  model.tooth = 3 * kMegabyte;
  model.leak_share = 0.2;
  model.leak = kMegabyte;
  model.leak_begin = 100'000;
  const auto alarm = FirstAlarm(model, 1, 110'000);
  ASSERT_TRUE(alarm);
  EXPECT_GT(*alarm, 100'000u);
  EXPECT_LT(*alarm, 101'000u);
}

TEST(LeakDetector, NamesRateIntervalAndTimeLeftOfALeak) {
  WorkerModel model;
  model.leak_share = 0.2;
  model.leak = kMegabyte;
  model.requests_a_second = 10;
  LeakDetector::Options options;
  options.budget_bytes = 512u << 20;
  const LeakVerdict verdict = VerdictAfter(model, 1000, 1, options);
  EXPECT_EQ(verdict.growth, Growth::kLeak);
  EXPECT_NEAR(verdict.bytes_per_request, 0.2 * kMegabyte, 0.03 * kMegabyte);
  EXPECT_LT(verdict.low, verdict.bytes_per_request);
  EXPECT_GT(verdict.high, verdict.bytes_per_request);
  EXPECT_NEAR(verdict.bytes_per_minute, 600 * verdict.bytes_per_request, 1);
  EXPECT_GT(verdict.confidence, 0.99);
  ASSERT_TRUE(verdict.minutes_to_budget);
  EXPECT_NEAR(*verdict.minutes_to_budget, (512.0 - 12 - 200) / (600 * 0.2), 0.4);
  EXPECT_TRUE(verdict.Describe().starts_with("leaks 2")) << verdict.Describe();
}

TEST(LeakDetector, SaysWarmUpUntilItCanTell) {
  WorkerModel model;
  EXPECT_EQ(VerdictAfter(model, 40).growth, Growth::kWarmUp);
  EXPECT_EQ(VerdictAfter(model, 240).growth, Growth::kWarmUp);
  EXPECT_EQ(VerdictAfter(model, 260).growth, Growth::kPlateau);
  model.warm_up = 80 * kMegabyte;
  model.warm_up_requests = 300;
  EXPECT_EQ(VerdictAfter(model, 700).growth, Growth::kWarmUp);
  EXPECT_EQ(VerdictAfter(model, 6000).growth, Growth::kPlateau);
}

TEST(LeakDetector, CallsOneOrTwoRisesSteps) {
  WorkerModel model;
  model.noise = 0.2 * kMegabyte;
  model.larger_pictures = {500};
  EXPECT_EQ(VerdictAfter(model, 1000).growth, Growth::kStep);
  model.larger_pictures = {350, 700};
  EXPECT_EQ(VerdictAfter(model, 1000).growth, Growth::kStep);
  model.larger_pictures = {350, 550, 800};
  EXPECT_EQ(VerdictAfter(model, 1000).growth, Growth::kStep);
}

TEST(LeakDetector, SeesALeakBeforeAndBehindAStep) {
  WorkerModel model;
  model.step = 60 * kMegabyte;
  model.leak_share = 0.2;
  model.leak = 0.2 * kMegabyte;
  model.larger_pictures = {400};
  EXPECT_EQ(VerdictAfter(model, 2000).growth, Growth::kLeak);
  model.larger_pictures = {1900};
  EXPECT_EQ(VerdictAfter(model, 2000).growth, Growth::kLeak);
}

TEST(LeakDetector, CallsALeakThatStoppedAPlateau) {
  WorkerModel model;
  model.leak_share = 0.2;
  model.leak = kMegabyte;
  model.leak_end = 600;
  EXPECT_EQ(VerdictAfter(model, 600).growth, Growth::kLeak);
  EXPECT_EQ(VerdictAfter(model, 4000).growth, Growth::kPlateau);
}

TEST(LeakDetector, TellsFragmentationByTheHeapInUse) {
  WorkerModel model;
  model.has_heap = true;
  model.fragmentation = 20 * 1024;
  EXPECT_EQ(VerdictAfter(model, 3000).growth, Growth::kFragmentation);
  model.leak_share = 1;
  model.leak = 20 * 1024;
  EXPECT_EQ(VerdictAfter(model, 3000).growth, Growth::kLeak);
  model.has_heap = false;
  model.leak_share = 0;
  EXPECT_EQ(VerdictAfter(model, 3000).growth, Growth::kLeak);
}

TEST(LeakDetector, CallsWhatGrowsTooSlowlyAPlateau) {
  WorkerModel model;
  model.leak_share = 1;
  model.leak = 100;
  const LeakVerdict verdict = VerdictAfter(model, 150'000);
  EXPECT_EQ(verdict.growth, Growth::kPlateau);
  EXPECT_NEAR(verdict.bytes_per_request, 100, 1);
  EXPECT_GT(verdict.confidence, 0.99);
}

TEST(LeakDetector, CallsAFallingSeriesAPlateau) {
  WorkerModel model;
  model.base = 400 * kMegabyte;
  model.fragmentation = -20 * 1024;
  EXPECT_EQ(VerdictAfter(model, 3000).growth, Growth::kPlateau);
}

LeakVerdict VerdictOfFds(double share, std::uint64_t requests) {
  WorkerModel model;
  model.base = 30;
  model.leak_share = share;
  model.leak = 1;
  return VerdictAfter(model, requests, 1, LeakDetector::Options::ForCount("fds"));
}

TEST(LeakDetector, WatchesFdsToo) {
  EXPECT_EQ(VerdictOfFds(0, 5000).growth, Growth::kPlateau);
  const LeakVerdict leak = VerdictOfFds(0.02, 2000);
  EXPECT_EQ(leak.growth, Growth::kLeak);
  EXPECT_NEAR(leak.bytes_per_request, 0.02, 0.006);
  EXPECT_NE(leak.Describe().find(" fds a request"), std::string::npos) << leak.Describe();
}

TEST(LeakDetector, LetsIdleTimeNotPushOutWhatItKnows) {
  LeakDetector detector({});
  LeakDetector::Sample sample;
  for (int i = 1; i <= 40; ++i) {
    sample.requests += 10;
    sample.bytes += 4u << 20;
    detector.Add(sample);
  }
  const std::size_t samples = detector.samples();
  for (int i = 0; i < 1000; ++i) {
    sample.age += std::chrono::seconds(1);
    detector.Add(sample);
  }
  EXPECT_EQ(detector.samples(), samples);
  EXPECT_EQ(detector.Verdict().growth, Growth::kLeak);
}

TEST(LeakDetector, KeepsTheWholeLifeInFixedMemoryWithoutAHeapCall) {
  WorkerModel model;
  model.tooth = kMegabyte;
  model.leak_share = 0.2;
  model.leak = 10 * 1024;
  model.has_heap = true;
  InventedWorker worker(model, 1);
  LeakDetector detector({});
  const auto before = HeapCalls();
  std::size_t most = 0;
  LeakVerdict verdict;
  for (int i = 0; i < 3000; ++i) {
    detector.Add(worker.Next());
    verdict = detector.Verdict();
    most = std::max(most, detector.samples());
  }
  EXPECT_EQ(HeapCalls(), before);
  EXPECT_EQ(most, 128u);
  EXPECT_GE(detector.samples(), 64u);
  EXPECT_EQ(verdict.growth, Growth::kLeak);
}

TEST(LeakDetector, AnySamplesGiveAVerdict) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 50; ++round) {
    LeakDetector detector({});
    for (int i = 0; i < 300; ++i) {
      LeakDetector::Sample sample;
      sample.requests = random() >> (random() % 64);
      sample.bytes = random() >> (random() % 64);
      sample.heap_bytes = random() >> (random() % 64);
      sample.age = std::chrono::milliseconds(random() >> (2 + random() % 60));
      detector.Add(sample);
      const LeakVerdict verdict = detector.Verdict();
      ASSERT_TRUE(std::isfinite(verdict.bytes_per_minute));
      ASSERT_GE(verdict.confidence, 0);
      ASSERT_LE(verdict.confidence, 1);
    }
  }
}

}  // namespace
}  // namespace holostat::runtime
