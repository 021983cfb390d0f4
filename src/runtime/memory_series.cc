#include "runtime/memory_series.h"

#include <algorithm>

namespace holostat::runtime {
namespace {

const SeriesPoint& Larger(const SeriesPoint& a, const SeriesPoint& b) {
  return b.bytes > a.bytes ? b : a;
}

constexpr std::size_t kMaxRoleBytes = 32;
constexpr std::uint32_t kMaxEvery = 1u << 31;

}  // namespace

std::string_view EndCauseName(EndCause cause) {
  switch (cause) {
    case EndCause::kStopped:
      return "stopped";
    case EndCause::kRecycled:
      return "recycled";
    case EndCause::kCrashed:
      return "crashed";
    case EndCause::kHung:
      return "hung";
    case EndCause::kOverBudget:
      return "over budget";
    case EndCause::kLeak:
      return "leak";
    case EndCause::kGarbage:
      return "garbage";
  }
  return "unknown";
}

// Even, so that each point has a neighbour.
BoundedSeries::BoundedSeries(std::size_t capacity)
    : capacity_(std::max<std::size_t>(capacity, 2) & ~std::size_t{1}) {
  points_.resize(capacity_);  // touched now: who watches memory must not take more of it later
  points_.clear();
}

void BoundedSeries::Add(SeriesPoint point) {
  if (points_.empty() && pending_count_ == 0) first_ = point;
  last_ = point;
  largest_ = std::max(largest_, point.bytes);
  pending_ = pending_count_ == 0 ? point : Larger(pending_, point);
  if (++pending_count_ < values_a_point_) return;
  pending_count_ = 0;
  if (points_.size() == capacity_) {
    Halve();
    // The value becomes the first half of a point that stands for twice as many.
    pending_count_ = values_a_point_ / 2;
    return;
  }
  points_.push_back(pending_);
}

void BoundedSeries::Halve() {
  const std::size_t half = capacity_ / 2;
  for (std::size_t i = 0; i < half; ++i) points_[i] = Larger(points_[2 * i], points_[2 * i + 1]);
  points_.resize(half);
  values_a_point_ *= 2;
}

std::vector<SeriesPoint> BoundedSeries::Points() const {
  std::vector<SeriesPoint> all;
  all.reserve(points_.size() + 3);
  const auto add = [&](const SeriesPoint& point) {
    if (all.empty() || point.t_s > all.back().t_s) all.push_back(point);
  };
  if (points_.empty() && pending_count_ == 0) return all;
  add(first_);
  for (const SeriesPoint& point : points_) add(point);
  if (pending_count_ > 0) add(pending_);
  add(last_);
  return all;
}

MemorySeries::MemorySeries(const Options& options)
    : options_(options), service_(options.service_points) {
  options_.lines = std::max<std::size_t>(options_.lines, 1);
  lines_.reserve(options_.lines);
  roles_.reserve(kRoles);
  spare_.reserve(options_.lines);
  for (std::size_t i = 0; i < options_.lines; ++i) spare_.emplace_back(options_.points_a_line);
}

MemorySeries::Line* MemorySeries::FindLine(std::string_view role, std::uint32_t id) {
  const auto found = std::find_if(lines_.begin(), lines_.end(), [&](const Line& line) {
    return line.id == id && line.role == role && !line.ended;
  });
  return found == lines_.end() ? nullptr : &*found;
}

MemorySeries::Role* MemorySeries::FindRole(std::string_view name) {
  for (Role& role : roles_) {
    if (role.name == name) return &role;
  }
  if (roles_.size() == kRoles || name.size() > kMaxRoleBytes) return nullptr;
  return &roles_.emplace_back(Role{.name = std::string(name), .every = 1});
}

// Halves the lines of the role that has the most, where that takes some away; where its ids are all
// the same, the line that ended first. False when there is none.
bool MemorySeries::MakeRoom() {
  const auto count = [&](const Role& role) {
    return std::count_if(lines_.begin(), lines_.end(),
                         [&](const Line& line) { return line.role == role.name; });
  };
  Role& role = *std::max_element(roles_.begin(), roles_.end(),
                                 [&](const Role& a, const Role& b) { return count(a) < count(b); });
  while (lines_.size() >= options_.lines && role.every < kMaxEvery) {
    role.every *= 2;
    std::erase_if(lines_, [&](const Line& line) {
      return line.role == role.name && line.id % role.every != 0;
    });
  }
  if (lines_.size() < options_.lines) return true;
  const auto ended =
      std::find_if(lines_.begin(), lines_.end(), [](const Line& l) { return l.ended; });
  if (ended == lines_.end()) return false;
  lines_.erase(ended);
  return true;
}

void MemorySeries::AddProcess(double t_s, std::string_view role_name, std::uint32_t id,
                              std::uint64_t uss_bytes) {
  duration_s_ = std::max(duration_s_, t_s);
  const SeriesPoint point{.t_s = t_s, .bytes = static_cast<double>(uss_bytes)};
  if (Line* line = FindLine(role_name, id)) return line->uss.Add(point);
  const Role* role = FindRole(role_name);
  if (role == nullptr || id % role->every != 0) return;
  if (lines_.size() == options_.lines && (!MakeRoom() || id % role->every != 0)) return;
  lines_.push_back(Line{.role = role->name, .id = id, .uss = TakeSpare()});
  lines_.back().uss.Add(point);
}

// After the last one there have been as many lines as there may be: memory of lines that left is
// there.
BoundedSeries MemorySeries::TakeSpare() {
  if (spare_.empty()) return BoundedSeries(options_.points_a_line);
  BoundedSeries spare = std::move(spare_.back());
  spare_.pop_back();
  return spare;
}

void MemorySeries::EndProcess(double t_s, std::string_view role, std::uint32_t id, EndCause cause) {
  duration_s_ = std::max(duration_s_, t_s);
  CountEnd(t_s, cause);
  Line* line = FindLine(role, id);
  if (line == nullptr) return;
  line->ended = true;
  line->ended_s = t_s;
  line->cause = cause;
}

void MemorySeries::AddService(double t_s, std::uint64_t pss_bytes) {
  duration_s_ = std::max(duration_s_, t_s);
  service_.Add({.t_s = t_s, .bytes = static_cast<double>(pss_bytes)});
}

void MemorySeries::CountEnd(double t_s, EndCause cause) {
  while (t_s >= end_slot_s_ * kEndSlots) {
    for (std::size_t i = 0; i < kEndSlots; ++i) {
      Ends merged{};
      for (std::size_t k = 2 * i; k < 2 * i + 2 && k < kEndSlots; ++k) {
        for (std::size_t c = 0; c < kEndCauses; ++c) merged[c] += ends_[k][c];
      }
      ends_[i] = merged;
    }
    end_slot_s_ *= 2;
  }
  const auto slot = static_cast<std::size_t>(std::max(t_s, 0.0) / end_slot_s_);
  ++ends_[slot][static_cast<std::size_t>(cause) - 1];
}

}  // namespace holostat::runtime
