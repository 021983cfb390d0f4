#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace holostat::runtime {

// What `holostat heap` asks through the door of a process (control_server.h), a line each:
//   heap start LOG2 | heap stop | heap dump      then nothing, or " worker N", or " zygote"
// Without a target it is for the process itself. The answer to start and stop is empty, that to
// dump a snapshot (heap_snapshot.h).
struct HeapRequest {
  enum class Action : std::uint8_t { kStart = 1, kStop, kDump };
  enum class Target : std::uint8_t { kOwn = 1, kWorker, kZygote };
  Action action = Action::kDump;
  std::uint8_t sample_log2 = 16;  // kStart: 10..30
  Target target = Target::kOwn;
  std::uint32_t worker_id = 0;  // kWorker
};

// What a worker's memory is sampled with unless told: a sample each 64 KiB costs no time that can
// be measured, and a leak of 1 MB shows with 16 samples.
inline constexpr std::uint8_t kDefaultSampleLog2 = 16;

bool IsHeapRequest(std::string_view line);
std::string ToLine(const HeapRequest& request);
// Error: kInvalidArgument.
Result<HeapRequest> ParseHeapRequest(std::string_view line);

// Does a request for the process itself; `process` is its name in a snapshot. Call it on any
// thread. Errors: kInvalidArgument (no request, or one for a worker or zygote), those of
// base/heap_control.h.
Result<std::string> HandleOwnHeapRequest(std::string_view line,
                                         std::string_view process = "holostat");

}  // namespace holostat::runtime
