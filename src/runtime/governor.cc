#include "runtime/governor.h"

#include <fmt/format.h>

#include <algorithm>

namespace holostat::runtime {
namespace {

double Share(std::uint64_t used, std::uint64_t limit) {
  return limit == 0 ? 0 : static_cast<double>(used) / static_cast<double>(limit);
}

// Of `enter`: 0 for kTrim.
std::size_t IndexOf(MemoryLevel level) { return static_cast<std::size_t>(level) - 2; }

MemoryLevel LevelOf(std::size_t index) { return static_cast<MemoryLevel>(index + 2); }

}  // namespace

struct Governor::Pressure {
  Pressure(const GovernorSample& sample, const Options& options)
      : service(Share(sample.service_bytes, sample.budget_bytes)),
        group(Share(sample.group_used_bytes, sample.group_limit_bytes.value_or(0))),
        is_stalled(sample.stall_percent.value_or(0) > options.stall_percent),
        is_foreign(group > service && sample.service_bytes < sample.group_used_bytes / 2) {}

  double Largest() const { return std::max(service, group); }

  // A stall counts as one level more: with it, a level's share is that of the level below.
  bool IsOver(const Options& options, std::size_t level) const {
    if (!is_stalled) return Largest() > options.enter[level];
    return level == 0 || Largest() > options.enter[level - 1];
  }
  bool IsUnder(const Options& options, std::size_t level) const {
    if (!is_stalled) return Largest() < options.enter[level] - options.hysteresis;
    return level > 0 && Largest() < options.enter[level - 1] - options.hysteresis;
  }

  std::string Describe(const GovernorSample& sample) const;

  double service, group;  // shares
  bool is_stalled;
  bool is_foreign;  // the group is fuller than we are, and most of it is not ours
};

std::string Governor::Pressure::Describe(const GovernorSample& sample) const {
  const bool is_group = group > service;
  const std::uint64_t whole = is_group ? sample.group_limit_bytes.value_or(0) : sample.budget_bytes;
  std::string text = whole == 0 ? std::string("no limit")
                                : fmt::format("{:.0f} % of {} MB{}", 100 * Largest(), whole >> 20,
                                              is_group ? " of the control group" : "");
  if (is_foreign) {
    text += fmt::format(", most of it not ours ({} of {} MB are)", sample.service_bytes >> 20,
                        sample.group_used_bytes >> 20);
  }
  if (is_stalled) {
    text +=
        fmt::format(", stalled for memory {:.0f} % of the time", sample.stall_percent.value_or(0));
  }
  return text;
}

Governor::Governor(const Options& options) : options_(options) {}

GovernorDecision Governor::Decide(const GovernorSample& sample) {
  const Pressure pressure(sample, options_);
  Watch(sample, pressure);
  const MemoryLevel next = NextLevel(sample, pressure);
  GovernorDecision decision;
  decision.level = next;
  if (next != level_) decision.reason = pressure.Describe(sample);
  level_ = next;
  Act(sample, pressure, decision.actions);
  return decision;
}

void Governor::Watch(const GovernorSample& sample, const Pressure& pressure) {
  const auto mark = [&](Since& since, bool holds) {
    if (!holds) since.reset();
    if (holds && !since) since = sample.at;
  };
  for (std::size_t i = 0; i < kLevels; ++i) {
    mark(over_[i], pressure.IsOver(options_, i));
    mark(under_[i], pressure.IsUnder(options_, i));
  }
}

MemoryLevel Governor::NextLevel(const GovernorSample& sample, const Pressure& pressure) const {
  if (pressure.Largest() > options_.emergency && level_ < MemoryLevel::kRefuse) {
    return MemoryLevel::kRefuse;
  }
  if (level_ < MemoryLevel::kRestart) {
    const std::size_t above = level_ == MemoryLevel::kNormal ? 0 : IndexOf(level_) + 1;
    if (over_[above] && sample.at - *over_[above] >= options_.enter_after) return LevelOf(above);
  }
  if (level_ > MemoryLevel::kNormal) {
    const Since& under = under_[IndexOf(level_)];
    if (under && sample.at - *under >= options_.leave_after) {
      return static_cast<MemoryLevel>(static_cast<int>(level_) - 1);
    }
  }
  return level_;
}

// Whether what `level` does should be done (again): not while it only waits to be left, when it has
// been enough.
bool Governor::IsPressed(MemoryLevel level) const {
  return level_ >= level && !under_[IndexOf(level)];
}

bool Governor::IsDue(Since& last, SteadyTime now, std::chrono::milliseconds pause) const {
  if (last && now - *last < pause) return false;
  last = now;
  return true;
}

// What the level asks for, the mildest first.
void Governor::Act(const GovernorSample& sample, const Pressure& pressure,
                   std::vector<GovernorAction>& actions) {
  using Kind = GovernorAction::Kind;
  const auto add = [&](Kind kind) { actions.push_back({.kind = kind, .worker_id = 0}); };
  const auto turn = [&](bool& state, MemoryLevel from, Kind on, Kind off) {
    if (state == (level_ >= from)) return;
    state = !state;
    add(state ? on : off);
  };
  if (IsPressed(MemoryLevel::kTrim) && IsDue(trimmed_, sample.at, options_.repeat_after)) {
    add(Kind::kTrim);
  }
  if (IsPressed(MemoryLevel::kUnload) && IsDue(unloaded_, sample.at, options_.repeat_after)) {
    add(Kind::kUnloadIdle);
  }
  turn(is_lighter_, MemoryLevel::kLighter, Kind::kUseLighter, Kind::kUseRequested);
  if (IsPressed(MemoryLevel::kRecycle)) Recycle(sample, actions);
  turn(is_refusing_, MemoryLevel::kRefuse, Kind::kRefuse, Kind::kAccept);
  if (IsPressed(MemoryLevel::kRestart) && !pressure.is_foreign &&
      IsDue(restarted_, sample.at, options_.restart_after)) {
    add(Kind::kRestartZygote);
  }
}

// The worker that holds most; not the one that was recycled last as long as there is another: it
// may still be on its way out.
void Governor::Recycle(const GovernorSample& sample, std::vector<GovernorAction>& actions) {
  const WorkerUse* worst = nullptr;
  for (const WorkerUse& worker : sample.workers) {
    const bool is_last = recycled_ && worker.worker_id == recycled_worker_;
    if (is_last && sample.workers.size() > 1) continue;
    if (worst == nullptr || worker.uss_bytes > worst->uss_bytes) worst = &worker;
  }
  if (worst == nullptr || !IsDue(recycled_, sample.at, options_.repeat_after)) return;
  recycled_worker_ = worst->worker_id;
  actions.push_back({.kind = GovernorAction::Kind::kRecycle, .worker_id = worst->worker_id});
}

}  // namespace holostat::runtime
