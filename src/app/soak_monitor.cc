#include "app/soak_monitor.h"

#include <algorithm>

#include "runtime/theil_sen.h"

namespace holostat::app {
namespace {

constexpr double kWarmUpShare = 0.2;  // DESIGN: the first fifth is dropped
constexpr double kConfidence = 0.95;
constexpr std::size_t kEndSamples = 20;  // at the begin and the end, for what is counted
constexpr std::uint32_t kNoWorker = 0;   // workers count from 1

using runtime::EndCause;

// In the order of EndCause; kStopped does not happen while a soak runs.
std::array<std::uint64_t, runtime::kEndCauses> EndsOf(const runtime::WorkerExits& exits) {
  return {0,          exits.recycled, exits.crashed, exits.hung, exits.over_budget,
          exits.leak, exits.garbage};
}

}  // namespace

SoakMonitor::SoakMonitor() {
  samples_.resize(kSamples);  // touched now, so that what is measured later is not this
  samples_.clear();
}

void SoakMonitor::Add(double t_s, const runtime::ServiceStatus& status) {
  Sample sample{.t_s = t_s};
  for (const runtime::ProcessStatus& process : status.processes) {
    series_.AddProcess(t_s, process.role, process.id, process.uss_bytes);
    sample.uss_bytes += static_cast<double>(process.uss_bytes);
    sample.fds += process.fds;
    sample.threads += process.threads;
  }
  series_.AddService(t_s, status.service_pss_bytes);
  NoteEnds(t_s, status);
  NoteAlarms(status);
  Keep(sample);
}

void SoakMonitor::Keep(const Sample& sample) {
  if (skipped_++ % stride_ != 0) return;
  if (samples_.size() == kSamples) {
    for (std::size_t i = 0; i < kSamples / 2; ++i) samples_[i] = samples_[2 * i];
    samples_.resize(kSamples / 2);
    stride_ *= 2;
  }
  samples_.push_back(sample);
}

// The status counts ends by cause and lists who is there: who went is given the causes in turn,
// which is exact unless several went between two looks.
void SoakMonitor::NoteEnds(double t_s, const runtime::ServiceStatus& status) {
  std::vector<std::uint32_t> now;
  for (const auto& process : status.processes) {
    if (process.role == "worker") now.push_back(process.id);
  }
  std::vector<std::uint32_t> gone;
  std::ranges::set_difference(workers_, now, std::back_inserter(gone));  // both in order of id
  const auto ends = EndsOf(status.totals.worker_exits);
  for (std::size_t cause = 0; cause < ends.size(); ++cause) {
    for (; ends_[cause] < ends[cause]; ++ends_[cause]) {
      const std::uint32_t id = gone.empty() ? kNoWorker : gone.back();
      if (!gone.empty()) gone.pop_back();
      series_.EndProcess(t_s, "worker", id, static_cast<EndCause>(cause + 1));
    }
  }
  workers_ = std::move(now);
}

void SoakMonitor::NoteAlarms(const runtime::ServiceStatus& status) {
  for (const runtime::ServiceEvent& event : status.events) {
    if (event.uptime_s <= last_event_s_) continue;
    last_event_s_ = event.uptime_s;
    const bool is_alarm = event.text.starts_with("leak alarm") ||
                          event.text.find(" leaks from:") != std::string::npos;
    if (is_alarm && alarms_.size() < kAlarms) alarms_.push_back(event.text);
  }
}

// What is held whatever is on the way: a request has a descriptor on either side, and a worker that
// is replaced is there twice for a moment.
SoakMonitor::Sample SoakMonitor::Least(std::span<const Sample> samples) {
  Sample least = samples.front();
  for (const Sample& one : samples) {
    least.fds = std::min(least.fds, one.fds);
    least.threads = std::min(least.threads, one.threads);
  }
  return least;
}

void SoakMonitor::FillIn(SoakReport& report) const {
  report.leak_alarms = alarms_;
  if (samples_.empty()) return;
  const double from =
      samples_.front().t_s + kWarmUpShare * (samples_.back().t_s - samples_.front().t_s);
  const auto first =
      std::ranges::find_if(samples_, [&](const Sample& one) { return one.t_s >= from; });
  std::vector<double> minutes, bytes, scratch;
  for (auto sample = first; sample != samples_.end(); ++sample) {
    minutes.push_back(sample->t_s / 60);
    bytes.push_back(sample->uss_bytes);
  }
  if (const auto line = runtime::TheilSen(minutes, bytes, kConfidence, scratch)) {
    const runtime::Slope slope = runtime::WidenedForSeries(minutes, bytes, *line);
    report.uss_slope = UssSlope{slope.per_x, slope.low, slope.high};
  }
  report.uss_growth_bytes = static_cast<std::int64_t>(samples_.back().uss_bytes - first->uss_bytes);
  const std::span<const Sample> kept(first, samples_.end());
  const Sample begin = Least(kept.first(std::min(kept.size(), kEndSamples)));
  const Sample end = Least(kept.last(std::min(kept.size(), kEndSamples)));
  report.fds = {begin.fds, end.fds};
  report.threads = {begin.threads, end.threads};
}

}  // namespace holostat::app
