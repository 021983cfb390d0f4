#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace holostat::runtime {

// The ladder: each level keeps what those below it do.
enum class MemoryLevel : std::uint8_t {
  kNormal = 1,
  kTrim,     // give back what caches and allocators hold
  kUnload,   // forget models that nobody uses
  kLighter,  // answer with the lite model
  kRecycle,  // replace the worst worker, one at a time
  kRefuse,   // take no new work
  kRestart,  // rebuild the zygote and all workers
};
std::string_view MemoryLevelName(MemoryLevel level);  // "normal", "trim", ...

struct WorkerUse {
  std::uint32_t worker_id = 0;
  std::uint64_t uss_bytes = 0;
};

// One moment of a service.
struct GovernorSample {
  SteadyTime at;
  std::uint64_t service_bytes = 0;     // PSS of all our processes
  std::uint64_t budget_bytes = 0;      // ours; 0: none
  std::uint64_t group_used_bytes = 0;  // of the control group
  std::optional<std::uint64_t> group_limit_bytes;
  std::optional<double> stall_percent;  // PSI
  std::span<const WorkerUse> workers;
};

struct GovernorAction {
  enum class Kind : std::uint8_t {
    kTrim = 1,
    kUnloadIdle,
    kUseLighter,
    kUseRequested,
    kRecycle,
    kRefuse,
    kAccept,
    kRestartZygote
  };
  Kind kind;
  std::uint32_t worker_id = 0;  // kRecycle
};

struct GovernorDecision {
  MemoryLevel level = MemoryLevel::kNormal;
  std::vector<GovernorAction> actions;  // in order; empty most of the time
  std::string reason;  // for the event log, when the level changed: "93 % of 256 MB"
};

// Decides, from samples alone, what a service short of memory gives up, and when it takes it back.
// A pure function of its samples: no I/O, no clock of its own. Bound to one thread; no heap call
// unless it acts. docs/governor.md has the whole story.
//
// Pressure is the largest of service/budget and group used/limit. A level is entered when the
// pressure is over its `enter` share for `enter_after` (one level a sample at most, but at once
// to kRefuse above `emergency`), and left when it is under enter - hysteresis for `leave_after`.
// PSI stalls over `stall_percent` count as one level more. What a level does is repeated at most
// each `repeat_after` while it lasts and the pressure is not yet under it (trim again, recycle the
// next worst); the zygote is restarted at most once each `restart_after`, and not at all while most
// of a full group is not ours. kUseLighter and kUseRequested alternate, as do kRefuse and kAccept.
class Governor {
 public:
  static constexpr std::size_t kLevels = 6;  // above kNormal

  struct Options {
    // of kTrim, kUnload, kLighter, kRecycle, kRefuse, kRestart, as a share of the budget
    double enter[kLevels] = {0.80, 0.85, 0.88, 0.91, 0.95, 0.98};
    double hysteresis = 0.05;
    double emergency = 0.97;
    double stall_percent = 20;
    std::chrono::milliseconds enter_after{1000};
    std::chrono::milliseconds leave_after{10000};
    std::chrono::milliseconds repeat_after{5000};
    std::chrono::milliseconds restart_after{600000};
  };
  explicit Governor(const Options& options);

  // REQUIRES: samples in order of time.
  GovernorDecision Decide(const GovernorSample& sample);
  MemoryLevel level() const { return level_; }

 private:
  struct Pressure;

  // Since when something holds without a break.
  using Since = std::optional<SteadyTime>;

  void Watch(const GovernorSample& sample, const Pressure& pressure);
  MemoryLevel NextLevel(const GovernorSample& sample, const Pressure& pressure) const;
  void Act(const GovernorSample& sample, const Pressure& pressure,
           std::vector<GovernorAction>& actions);
  void Recycle(const GovernorSample& sample, std::vector<GovernorAction>& actions);
  bool IsPressed(MemoryLevel level) const;
  bool IsDue(Since& last, SteadyTime now, std::chrono::milliseconds pause) const;

  Options options_;
  MemoryLevel level_ = MemoryLevel::kNormal;
  Since over_[kLevels], under_[kLevels];  // the share of each level
  Since trimmed_, unloaded_, recycled_, restarted_;
  std::uint32_t recycled_worker_ = 0;
  bool is_lighter_ = false, is_refusing_ = false;
};

}  // namespace holostat::runtime
