#include "runtime/heap_report_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cerrno>

#include "base/test_dir.h"

namespace holostat::runtime {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr auto kLong = std::chrono::seconds(60);  // until a test is given up

// Stands in for `holostat heap`; the real one is tested from outside (tests/system).
class HeapReportProcessTest : public ::testing::Test {
 protected:
  HeapReportOrder Order(std::string_view script) {
    const auto path = dir_.Write("program", std::string("#!/bin/sh\n").append(script));
    ::chmod(path.c_str(), 0700);
    return {.before = &before_, .after = &after_, .program = path};
  }
  void TearDown() override {
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a process is left";
    EXPECT_EQ(errno, ECHILD);
  }

  TestDir dir_;
  HeapSnapshot before_{.pid = 7, .process = "earlier"};
  HeapSnapshot after_{.pid = 7, .process = "later"};
};

Result<std::string> Report(const HeapReportOrder& order,
                           std::chrono::milliseconds timeout = kLong) {
  auto process = StartHeapReport(order);
  if (!process) return tl::unexpected(process.error());
  return FinishHeapReport(*std::move(process), timeout);
}

TEST_F(HeapReportProcessTest, GetsBothSnapshotsAndGivesItsOutput) {
  HeapReportOrder order = Order("echo \"$@\"; cat /proc/self/fd/3 /proc/self/fd/4");
  order.form = HeapReportOrder::Form::kJson;
  const auto report = Report(order);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(*report, StartsWith("heap diff --count 5 --json /proc/self/fd/3 /proc/self/fd/4\n"));
  EXPECT_THAT(*report, HasSubstr("process earlier\n"));
  EXPECT_THAT(*report, HasSubstr("process later\n"));
}

TEST_F(HeapReportProcessTest, ShowsASnapshotAlone) {
  HeapReportOrder order = Order("echo \"$@\"; cat /proc/self/fd/3");
  order.before = nullptr;
  const auto report = Report(order);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(*report, StartsWith("heap show --count 5 /proc/self/fd/3\n"));
  EXPECT_THAT(*report, HasSubstr("process later\n"));
}

TEST_F(HeapReportProcessTest, HasNoOtherDescriptors) {
  const auto report = Report(Order("exec ls -m /proc/self/fd"));
  ASSERT_TRUE(report);
  // 5: the folder that ls reads.
  EXPECT_EQ(*report, "0, 1, 2, 3, 4, 5\n");
}

TEST_F(HeapReportProcessTest, IsKilledWhenItIsLate) {
  const auto report = Report(Order("exec sleep 600"), std::chrono::milliseconds(20));
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kTimeout);
}

TEST_F(HeapReportProcessTest, IsAnErrorWhenItFailsOrWritesTooMuch) {
  EXPECT_EQ(Report(Order("echo half; exit 1")).error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(Report(Order("exec cat /dev/zero")).error().code, ErrorCode::kUnavailable);
  HeapReportOrder order = Order("");
  order.program = dir_ / "missing";
  EXPECT_EQ(Report(order).error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace holostat::runtime
