#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace holostat::runtime {

// Why a worker leaves before it fails.
enum class RetireReason : std::uint8_t {
  kRequests = 1,  // served as many as it may
  kAge,
  kMemory,  // private memory over its budget
  kDescriptors,
  kLeak,      // the leak detector's alarm
  kPressure,  // the governor chose it
  kReload,    // of an older zygote
  kCommand,   // somebody asked
};
std::string_view RetireReasonName(RetireReason reason);

// When a worker has done enough. Each worker's limits on requests and age lie up to `jitter` below
// those given, by its id, so that not all leave at once. 0: no limit.
class RecyclePolicy {
 public:
  struct Options {
    std::uint64_t max_requests = 20000;
    std::chrono::seconds max_age{6 * 3600};
    double jitter = 0.2;
    std::uint64_t max_uss_bytes = 96u << 20;  // private memory
    std::uint32_t max_extra_fds = 16;         // more than it started with
  };
  struct Facts {
    std::uint32_t worker_id = 0;
    std::uint64_t requests = 0;
    std::chrono::milliseconds age{0};
    std::uint64_t uss_bytes = 0;
    std::uint32_t extra_fds = 0;
  };
  explicit RecyclePolicy(const Options& options) : options_(options) {}

  std::optional<RetireReason> Check(const Facts& facts) const;
  const Options& options() const { return options_; }

 private:
  Options options_;
};

}  // namespace holostat::runtime
