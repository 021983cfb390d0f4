#include "server/process_slots.h"

#include <gtest/gtest.h>

#include <numeric>

namespace holostat::server {
namespace {

std::vector<runtime::ProcessStatus> Workers(const std::vector<std::uint32_t>& ids) {
  std::vector<runtime::ProcessStatus> processes;
  for (const std::uint32_t id : ids) processes.push_back({.role = "worker", .id = id});
  return processes;
}

using Slots = std::vector<std::size_t>;

TEST(ProcessSlots, AWorkerKeepsItsNumberAndAReplacementTakesTheFreeOne) {
  ProcessSlots slots;
  EXPECT_EQ(slots.Assign(Workers({1, 2, 3})), (Slots{0, 1, 2}));
  EXPECT_EQ(slots.Assign(Workers({1, 3, 4})), (Slots{0, 2, 1}));
  EXPECT_EQ(slots.Assign(Workers({3, 4, 5})), (Slots{2, 1, 0}));
}

TEST(ProcessSlots, NumbersStayFewThroughAnyNumberOfReplacements) {
  ProcessSlots slots;
  for (std::uint32_t id = 1; id < 100'000; id += 7) {
    for (const std::size_t slot : slots.Assign(Workers({id, id + 1}))) EXPECT_LT(slot, 2u);
  }
}

TEST(ProcessSlots, OtherProcessesCountInTheirRole) {
  auto processes = Workers({9});
  processes.insert(processes.begin(), {{.role = "supervisor"}, {.role = "zygote"}});
  processes.push_back({.role = "zygote", .id = 0});  // the next one, while it loads
  EXPECT_EQ(ProcessSlots().Assign(processes), (Slots{0, 0, 0, 1}));
}

TEST(ProcessSlots, WhatDoesNotFitIsSaidToBeSo) {
  std::vector<std::uint32_t> ids(ProcessSlots::kCapacity + 1);
  std::iota(ids.begin(), ids.end(), 1);
  EXPECT_EQ(ProcessSlots().Assign(Workers(ids)).back(), ProcessSlots::kCapacity);
}

}  // namespace
}  // namespace holostat::server
