#include "runtime/memory_series.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/heap_calls.h"

namespace holostat::runtime {
namespace {

double At(int i) { return 0.1 * i; }

TEST(BoundedSeries, KeepsAllWhileThereIsRoom) {
  BoundedSeries series(4);
  EXPECT_TRUE(series.Points().empty());
  for (int i = 0; i < 4; ++i) series.Add({At(i), 10.0 * i});
  const auto points = series.Points();
  ASSERT_EQ(points.size(), 4u);
  EXPECT_EQ(points[2].t_s, At(2));
  EXPECT_EQ(points[2].bytes, 20);
}

TEST(BoundedSeries, KeepsEndsAndThePeakOfAMillionValuesInAFewPoints) {
  for (const std::size_t capacity : {2u, 3u, 64u, 255u}) {
    BoundedSeries series(capacity);
    const auto before = HeapCalls();
    for (int i = 0; i < 1'000'000; ++i) series.Add({At(i), i == 123'456 ? 99.0 : i % 7 + 1.0});
    EXPECT_EQ(HeapCalls(), before);
    EXPECT_LE(series.size(), capacity);
    const auto points = series.Points();
    EXPECT_LE(points.size(), capacity + 3);
    EXPECT_EQ(points.front().t_s, 0);
    EXPECT_EQ(points.back().t_s, At(999'999));
    EXPECT_TRUE(std::is_sorted(points.begin(), points.end(),
                               [](const auto& a, const auto& b) { return a.t_s < b.t_s; }));
    EXPECT_EQ(std::count_if(points.begin(), points.end(),
                            [](const auto& p) { return p.bytes == 99 && p.t_s == At(123'456); }),
              1);
    EXPECT_EQ(series.largest(), 99);
  }
}

TEST(BoundedSeries, SpreadsItsPointsEvenly) {
  BoundedSeries series(64);
  for (int i = 0; i < 100'000; ++i) series.Add({1.0 * i, 1.0 * i});  // growing: the later one wins
  const auto points = series.Points();
  for (std::size_t i = 2; i + 2 < points.size(); ++i) {
    EXPECT_NEAR(points[i + 1].t_s - points[i].t_s, points[2].t_s - points[1].t_s, 1);
  }
  EXPECT_GT(points.size(), 32u);
}

TEST(MemorySeries, RecordsTheLifeOfAProcess) {
  MemorySeries series;
  series.AddProcess(0.1, "worker", 7, 100);
  series.AddProcess(0.2, "worker", 7, 200);
  series.EndProcess(0.3, "worker", 7, EndCause::kCrashed);
  series.AddService(0.4, 1000);
  ASSERT_EQ(series.lines().size(), 1u);
  const MemorySeries::Line& line = series.lines()[0];
  EXPECT_EQ(line.role, "worker");
  EXPECT_EQ(line.uss.Points().size(), 2u);
  EXPECT_TRUE(line.ended);
  EXPECT_EQ(line.ended_s, 0.3);
  EXPECT_EQ(line.cause, EndCause::kCrashed);
  EXPECT_EQ(series.service().largest(), 1000);
  EXPECT_EQ(series.duration_s(), 0.4);
}

TEST(MemorySeries, TellsAnIdThatIsUsedAgainFromTheFirstOne) {
  MemorySeries series;
  series.AddProcess(0, "zygote", 0, 100);
  series.EndProcess(1, "zygote", 0, EndCause::kCrashed);
  series.AddProcess(2, "zygote", 0, 100);
  ASSERT_EQ(series.lines().size(), 2u);
  EXPECT_FALSE(series.lines()[1].ended);
}

std::uint64_t CountEnds(const MemorySeries& series, EndCause cause) {
  std::uint64_t sum = 0;
  for (const auto& slot : series.ends()) sum += slot[static_cast<std::size_t>(cause) - 1];
  return sum;
}

TEST(MemorySeries, StaysBoundedOverTenThousandProcessesAndStandsForAll) {
  MemorySeries series({.lines = 32, .points_a_line = 16, .service_points = 16});
  series.AddProcess(0, "supervisor", 0, 1);
  series.AddProcess(0, "zygote", 1, 1);
  for (std::uint32_t id = 0; id < 10'000; ++id) {
    for (int i = 0; i < 100; ++i) series.AddProcess(id + 0.01 * i, "worker", id, id);
    series.EndProcess(id + 1, "worker", id, id % 2 == 0 ? EndCause::kLeak : EndCause::kHung);
    ASSERT_LE(series.lines().size(), 32u);
  }
  EXPECT_EQ(CountEnds(series, EndCause::kLeak), 5000u);
  EXPECT_EQ(CountEnds(series, EndCause::kHung), 5000u);
  EXPECT_EQ(series.lines()[0].role, "supervisor");
  EXPECT_EQ(series.lines()[1].role, "zygote") << "only what there are many of is thinned";
  EXPECT_GT(series.lines().size(), 16u);
  const std::uint32_t every = series.roles()[2].every;
  for (std::size_t i = 2; i < series.lines().size(); ++i) {
    EXPECT_EQ(series.lines()[i].id, (i - 2) * every) << "from the whole run, evenly";
    EXPECT_LE(series.lines()[i].uss.size(), 16u);
  }
}

TEST(MemorySeries, ForgetsTheOldestOfProcessesThatHaveOneId) {
  MemorySeries series({.lines = 4});
  for (int i = 0; i < 100; ++i) {
    series.AddProcess(i, "zygote", 0, 1);
    series.EndProcess(i + 0.5, "zygote", 0, EndCause::kCrashed);
    ASSERT_LE(series.lines().size(), 4u);
  }
  EXPECT_EQ(series.lines().back().ended_s, 99.5);
  EXPECT_EQ(series.lines().front().ended_s, 96.5);
}

TEST(MemorySeries, MakesNoHeapCallForProcessesThatItLeavesOut) {
  MemorySeries series({.lines = 2, .points_a_line = 16, .service_points = 16});
  for (std::uint32_t id = 0; id < 64; ++id) series.AddProcess(id, "worker", id, 1);
  const auto before = HeapCalls();
  for (std::uint32_t id = 65; id < 96; ++id) {
    series.AddProcess(id, "worker", id, 1);
    series.EndProcess(id, "worker", id, EndCause::kHung);
    series.AddService(id, 1);
  }
  EXPECT_EQ(HeapCalls(), before);
}

TEST(MemorySeries, LeavesOutMoreRolesThanItHasRoomFor) {
  MemorySeries series({.lines = 4});
  for (int i = 0; i < 100; ++i) series.AddProcess(i, "role " + std::to_string(i), 0, 1);
  series.AddProcess(100, std::string(1000, 'x'), 0, 1);
  EXPECT_LE(series.roles().size(), MemorySeries::kRoles);
  EXPECT_LE(series.lines().size(), 4u);
}

TEST(MemorySeries, CountsEndsWhereTheyWere) {
  MemorySeries series;
  for (int i = 0; i < 1000; ++i) series.EndProcess(i, "worker", 1, EndCause::kRecycled);
  EXPECT_EQ(CountEnds(series, EndCause::kRecycled), 1000u);
  EXPECT_GE(series.end_slot_s() * MemorySeries::kEndSlots, 999);
  EXPECT_EQ(series.ends()[0][1], series.end_slot_s());
  EXPECT_EQ(series.ends()[60][1], series.end_slot_s());
}

TEST(MemorySeries, NamesEveryCause) {
  for (std::size_t i = 1; i <= kEndCauses; ++i) {
    EXPECT_NE(EndCauseName(static_cast<EndCause>(i)), "unknown");
  }
}

}  // namespace
}  // namespace holostat::runtime
