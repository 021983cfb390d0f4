#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holostat::runtime {

// Why a process ended, as WorkerExits of service_status.h counts it.
enum class EndCause : std::uint8_t {
  kStopped = 1,  // in order, with the service
  kRecycled,
  kCrashed,
  kHung,
  kOverBudget,
  kLeak,
  kGarbage,
};
inline constexpr std::size_t kEndCauses = 7;
std::string_view EndCauseName(EndCause cause);  // "stopped", "over budget", ...

struct SeriesPoint {
  double t_s = 0;
  double bytes = 0;
};

// Values over time in a fixed number of points: when they are all used, of each two neighbours the
// larger one stays (peaks are what a plot of memory is for), and from then on a point stands for
// twice as many values. Bound to one thread; no heap call after construction.
class BoundedSeries {
 public:
  explicit BoundedSeries(std::size_t capacity);  // at least 2
  void Add(SeriesPoint point);                   // REQUIRES: t_s not before the one before

  // In order of time; the first and the latest value are always there.
  std::vector<SeriesPoint> Points() const;
  std::size_t size() const { return points_.size(); }  // at most the capacity
  double largest() const { return largest_; }

 private:
  void Halve();

  std::vector<SeriesPoint> points_;
  std::uint64_t values_a_point_ = 1, pending_count_ = 0;
  SeriesPoint pending_, first_, last_;
  double largest_ = 0;
  std::size_t capacity_;
};

// The memory of all processes of a service over its life, in a fixed amount of memory of its own
// (about 430 KB with the defaults), for memory_plot.h.
//
// Processes are known by role and id. There are `lines` of them at most: when one too many comes,
// of the role with the most lines only those whose id can be divided by 2 (then 4, 8, ...) stay and
// come in, so that what is left stands for the whole run; where ids do not differ, the
// line that ended first leaves. Ends are counted all, by cause, over
// time. At most 8 roles; others are left out. Bound to one thread.
class MemorySeries {
 public:
  struct Options {
    std::size_t lines = 96;
    std::size_t points_a_line = 256;
    std::size_t service_points = 512;
  };
  static constexpr std::size_t kEndSlots = 128;
  static constexpr std::size_t kRoles = 8;

  MemorySeries() : MemorySeries(Options{}) {}
  explicit MemorySeries(const Options& options);

  // `t_s` is the time since the run started and never goes back.
  void AddProcess(double t_s, std::string_view role, std::uint32_t id, std::uint64_t uss_bytes);
  void EndProcess(double t_s, std::string_view role, std::uint32_t id, EndCause cause);
  void AddService(double t_s, std::uint64_t pss_bytes);

  struct Line {
    std::string role;
    std::uint32_t id = 0;
    BoundedSeries uss;
    bool ended = false;
    double ended_s = 0;
    EndCause cause = EndCause::kStopped;
  };
  struct Role {
    std::string name;
    std::uint32_t every = 1;  // lines are kept of ids that can be divided by this
  };
  // How many processes ended in each `end_slot_s()` of the run, by cause - 1.
  using Ends = std::array<std::uint32_t, kEndCauses>;

  const std::vector<Line>& lines() const { return lines_; }  // in order of their first sample
  const std::vector<Role>& roles() const { return roles_; }
  const BoundedSeries& service() const { return service_; }
  const std::array<Ends, kEndSlots>& ends() const { return ends_; }
  double end_slot_s() const { return end_slot_s_; }
  double duration_s() const { return duration_s_; }

 private:
  Line* FindLine(std::string_view role, std::uint32_t id);
  Role* FindRole(std::string_view role);  // null when there are too many
  bool MakeRoom();
  BoundedSeries TakeSpare();
  void CountEnd(double t_s, EndCause cause);

  Options options_;
  std::vector<Line> lines_;
  std::vector<Role> roles_;
  std::vector<BoundedSeries> spare_;  // with all their memory, for lines to come
  BoundedSeries service_;
  std::array<Ends, kEndSlots> ends_{};
  double end_slot_s_ = 0.5;
  double duration_s_ = 0;
};

}  // namespace holostat::runtime
