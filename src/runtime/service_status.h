#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace holostat::runtime {

// What a service tells of itself: the Status JSON of docs/status-json.md, in memory.
struct ProcessStatus {
  std::string role = "";  // supervisor, zygote, worker, capture, track, publish
  std::uint32_t id = 0;
  std::int64_t pid = 0;
  std::string state = "";  // "starting", "idle", "busy", "leaving", "running"
  std::uint32_t generation = 0;
  double age_s = 0;
  std::uint64_t requests = 0;
  std::uint64_t uss_bytes = 0, pss_bytes = 0, rss_bytes = 0;
  std::uint64_t heap_bytes = 0;
  std::uint32_t fds = 0, threads = 0;
  std::string growth = "";  // of the leak detector: "plateau", "leak", ...
};

struct WorkerExits {
  std::uint64_t recycled = 0;  // on count, age, reload or command
  std::uint64_t crashed = 0;   // by a signal or of itself, also at start
  std::uint64_t hung = 0;      // killed past the deadline
  // Recycled for its private memory or fds, or killed by the kernel for memory.
  std::uint64_t over_budget = 0;
  std::uint64_t leak = 0;     // recycled on a leak alarm
  std::uint64_t garbage = 0;  // killed for an answer that is none
};

struct Totals {
  std::uint64_t requests = 0, ok = 0, client_errors = 0, retried = 0, failed = 0, refused = 0;
  std::uint64_t cancelled = 0;  // their clients went before the answer
  WorkerExits worker_exits;
  std::uint64_t zygote_restarts = 0;
  std::uint64_t leak_alarms = 0;
};

struct Latency {  // of answered requests, admission to answer
  double p50_ms = 0, p99_ms = 0, max_ms = 0;
};

struct ServiceEvent {
  double uptime_s = 0;
  std::string text;  // one line: "worker 3 (pid 4711) crashed: signal 11; replaced in 12 ms"
};

struct ServiceStatus {
  double uptime_s = 0;
  std::vector<ProcessStatus> processes;
  Totals totals;
  Latency latency;
  std::uint64_t queue_length = 0, queue_capacity = 0;
  std::uint64_t service_pss_bytes = 0, budget_bytes = 0;  // budget 0: none
  std::string memory_level;                               // MemoryLevelName
  double recovery_p50_ms = 0, recovery_max_ms = 0;  // death of a worker -> its successor ready
  std::vector<ServiceEvent> events;                 // the last ones (bounded), oldest first
};

// What a process with a door (control_server.h) answers with its status.
inline constexpr std::string_view kStatusRequest = "status";

// The JSON form: one line of docs/status-json.md, without a newline. Numbers that are not finite
// are written as 0, bytes that are no UTF-8 as U+FFFD.
std::string ToJson(const ServiceStatus& status);

// The other way. Strict about types and ranges; fields that it does not know are skipped, and the
// optional ones of docs/status-json.md may be missing. Errors: kCorruptData (names the field),
// kLimitExceeded (over 4 MB).
Result<ServiceStatus> FromJson(std::string_view json);

}  // namespace holostat::runtime
