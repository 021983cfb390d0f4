#include "app/soak_monitor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace holostat::app {
namespace {

runtime::ServiceStatus Status(std::uint64_t worker_bytes, std::uint32_t worker_id = 1) {
  runtime::ServiceStatus status;
  status.processes.resize(2);
  status.processes[0].role = "supervisor";
  status.processes[0].uss_bytes = 1000;
  status.processes[0].fds = 10;
  status.processes[1].role = "worker";
  status.processes[1].id = worker_id;
  status.processes[1].uss_bytes = worker_bytes;
  status.processes[1].fds = 4;
  status.service_pss_bytes = worker_bytes + 1000;
  return status;
}

TEST(SoakMonitor, FindsTheSlopeOfWhatComesAfterWarmUp) {
  SoakMonitor monitor;
  for (int t = 0; t <= 100;
       ++t) {  // a minute and two thirds; steep at first, then 60 bytes a second
    monitor.Add(t, Status(static_cast<std::uint64_t>(t < 20 ? t * 100000 : 2000000 + 60 * t)));
  }
  SoakReport report;
  monitor.FillIn(report);
  ASSERT_TRUE(report.uss_slope);
  EXPECT_NEAR(report.uss_slope->bytes_per_min, 3600, 1);
  EXPECT_EQ(report.uss_growth_bytes, 80 * 60);
  EXPECT_EQ(report.fds.end, 14u);
}

TEST(SoakMonitor, CountsOnlyTheDescriptorsThatStay) {
  SoakMonitor monitor;
  for (int t = 0; t <= 100; ++t) {
    auto status = Status(1000000);
    status.processes[1].fds = 4 + static_cast<std::uint32_t>(t % 3) + (t > 50 ? 1 : 0);
    monitor.Add(t, status);
  }
  SoakReport report;
  monitor.FillIn(report);
  EXPECT_EQ(report.fds.start, 14u);
  EXPECT_EQ(report.fds.end, 15u);
}

TEST(SoakMonitor, KeepsAFixedNumberOfSamplesOfARunOfAnyLength) {
  SoakMonitor monitor;
  for (int t = 0; t < 100000; ++t) monitor.Add(t, Status(static_cast<std::uint64_t>(1000000 + t)));
  SoakReport report;
  monitor.FillIn(report);
  ASSERT_TRUE(report.uss_slope);
  EXPECT_NEAR(report.uss_slope->bytes_per_min, 60, 0.1);
}

TEST(SoakMonitor, TellsWhichWorkerEndedAndWhy) {
  SoakMonitor monitor;
  monitor.Add(0, Status(1000, 1));
  runtime::ServiceStatus next = Status(1000, 2);
  next.totals.worker_exits.hung = 1;
  monitor.Add(1, next);
  const auto& lines = monitor.series().lines();
  const auto first = std::ranges::find_if(
      lines, [](const auto& line) { return line.role == "worker" && line.id == 1; });
  ASSERT_NE(first, lines.end());
  EXPECT_TRUE(first->ended);
  EXPECT_EQ(first->cause, runtime::EndCause::kHung);
}

TEST(SoakMonitor, CollectsAlarmsOnceEach) {
  SoakMonitor monitor;
  runtime::ServiceStatus status = Status(1000);
  status.events = {{1.0, "worker 1 crashed"}, {2.0, "leak alarm: worker 1: memory"}};
  monitor.Add(3, status);
  monitor.Add(4, status);
  SoakReport report;
  monitor.FillIn(report);
  EXPECT_THAT(report.leak_alarms, testing::ElementsAre("leak alarm: worker 1: memory"));
}

}  // namespace
}  // namespace holostat::app
