#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/soak_report.h"
#include "runtime/memory_series.h"
#include "runtime/service_status.h"

namespace holostat::app {

// Watches a service through its status while it is soaked: for the report and the plot. Fixed
// memory, however long the run is. Bound to one thread.
class SoakMonitor {
 public:
  SoakMonitor();

  // `t_s` since the soak began; never goes back.
  void Add(double t_s, const runtime::ServiceStatus& status);

  // What was seen after warm-up, the first fifth of the time: slope and growth of the private
  // memory of all processes together, their descriptors and threads, alarms. The rest of `report`
  // is left.
  void FillIn(SoakReport& report) const;

  const runtime::MemorySeries& series() const { return series_; }

 private:
  // All processes of the service together.
  struct Sample {
    double t_s = 0;
    double uss_bytes = 0;
    std::uint64_t fds = 0, threads = 0;
  };
  static constexpr std::size_t kSamples = 512;  // when there are more, every second one leaves
  static constexpr std::size_t kAlarms = 20;    // the first ones

  static Sample Least(std::span<const Sample> samples);
  void Keep(const Sample& sample);
  void NoteEnds(double t_s, const runtime::ServiceStatus& status);
  void NoteAlarms(const runtime::ServiceStatus& status);

  runtime::MemorySeries series_;
  std::vector<Sample> samples_;
  std::size_t stride_ = 1, skipped_ = 0;
  std::vector<std::uint32_t> workers_;                     // that were there in the last status
  std::array<std::uint64_t, runtime::kEndCauses> ends_{};  // counted so far
  std::vector<std::string> alarms_;
  double last_event_s_ = -1;
};

}  // namespace holostat::app
