#include "runtime/pool_leak_detector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <vector>

#include "runtime/growth_traces.h"

namespace holostat::runtime {
namespace {

using std::chrono::milliseconds;

#ifdef NDEBUG
constexpr std::uint32_t kSeeds = 300;
#else
constexpr std::uint32_t kSeeds = 30;  // sanitizers take their time
#endif
const LeakDetector::Options kOptions{.warm_up_requests = 30, .unit = {}};  // as WorkerMonitor has

bool IsAlarm(Growth growth) { return growth == Growth::kLeak || growth == Growth::kFragmentation; }

// Invented workers that take turns.
class InventedPool {
 public:
  void Add(const WorkerModel& model, std::uint32_t seed) { workers_.emplace_back(model, seed); }

  // The first request at which all together are called leaking.
  std::optional<std::uint64_t> FirstAlarm(std::uint64_t requests, std::uint64_t lazily = 1) {
    std::uint64_t next = 0;
    while (Served() < requests) {
      Step();
      if (Served() < next) continue;
      if (IsAlarm(detector.Verdict().growth)) return Served();
      next = Served() + (Served() > 4000 ? lazily : std::min<std::uint64_t>(lazily, 30));
    }
    return std::nullopt;
  }
  void Step() {
    for (std::uint32_t id = 0; id < workers_.size(); ++id) {
      const LeakDetector::Sample sample = workers_[id].Next();
      detector.Add(id, sample.age, sample);
    }
  }
  std::uint64_t Served() const {
    std::uint64_t served = 0;
    for (const InventedWorker& worker : workers_) served += worker.served();
    return served;
  }

  PoolLeakDetector detector{kOptions};

 private:
  std::vector<InventedWorker> workers_;
};

TEST(PoolLeakDetector, GivesNoFalseAlarmForAnyCleanWorkers) {
  for (const std::uint32_t workers : {2u, 4u, 8u}) {
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
      InventedPool pool;
      for (std::uint32_t i = 0; i < workers; ++i) {
        const std::uint32_t own = seed * workers + i;
        pool.Add(AnyCleanWorker(own), own);
      }
      const auto alarm = pool.FirstAlarm(60'000, 2000);
      EXPECT_FALSE(alarm) << workers << " workers, seed " << seed << ": at " << *alarm;
    }
  }
}

TEST(PoolLeakDetector, FlagsAFastLeakOfTwoWorkersWithin500RequestsOfBoth) {
  std::uint64_t last = 0;
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    InventedPool pool;
    for (std::uint32_t i = 0; i < 2; ++i) {
      WorkerModel model = AnyCleanWorker(2 * seed + i);
      model.tooth = 0;
      model.requests_a_sample = 8;  // as WorkerMonitor takes them
      model.leak_share = 0.2;
      model.leak = kMegabyte;
      pool.Add(model, 2 * seed + i);
    }
    const auto alarm = pool.FirstAlarm(500);
    EXPECT_TRUE(alarm) << "seed " << seed;
    last = std::max(last, alarm.value_or(0));
  }
  std::printf("1 MB of 20 %% of the requests of two workers: flagged at request %llu at the last\n",
              static_cast<unsigned long long>(last));
}

TEST(PoolLeakDetector, SuspectsTheOneThatGrewMost) {
  PoolLeakDetector detector(kOptions);
  detector.Add(7, milliseconds(0), {.requests = 30, .bytes = 50'000'000});
  detector.Add(9, milliseconds(0), {.requests = 30, .bytes = 10'000'000});
  detector.Add(9, milliseconds(9), {.requests = 90, .bytes = 40'000'000});
  detector.Add(7, milliseconds(9), {.requests = 90, .bytes = 51'000'000});
  EXPECT_EQ(detector.Suspect(), 9u);
  detector.Forget(9);
  EXPECT_EQ(detector.Suspect(), 7u);
}

// Each worker fills what it will reuse; who adds lives up calls that a leak.
TEST(PoolLeakDetector, BeginsAnewWithEachWorkerThatComesOrGoes) {
  PoolLeakDetector detector(kOptions);
  std::int64_t now = 0;
  for (std::uint32_t id = 0; id < 200; ++id) {
    for (std::uint64_t request = 8; request <= 200; request += 8) {
      const double grown = 16 * kMegabyte * static_cast<double>(request) / 200;
      detector.Add(id, milliseconds(now += 50),
                   {.requests = request, .bytes = static_cast<std::uint64_t>(grown)});
      ASSERT_FALSE(IsAlarm(detector.Verdict().growth)) << "worker " << id;
    }
    detector.Forget(id);
  }
}

}  // namespace
}  // namespace holostat::runtime
