#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "ipc/message.h"

namespace holostat::ipc {

// Test support: a message of each type with no two fields alike, in the order of the variant, and
// its name in fuzz/corpus/message.
struct Sample {
  std::string name;
  Message message;
};

inline std::vector<Sample> MessageSamples() {
  return {
      {"zygote_ready",
       ZygoteReady{.pid = 0x01020304, .models = 6, .load_ms = 345, .heap_bytes = 1ull << 40}},
      {"fork_worker", ForkWorker{.worker_id = 7, .answer_bytes = 1 << 20, .fault = "slow=500ms"}},
      {"worker_forked", WorkerForked{.worker_id = 7, .pid = 0, .error_number = -11}},
      {"worker_ready", WorkerReady{.worker_id = 7, .pid = 4242}},
      {"job", Job{.request_id = 99,
                  .attempt = 2,
                  .request_bytes = 1234,
                  .complexity = Complexity::kHeavy,
                  .format = AnswerFormat::kBinary,
                  .refine_face = false,
                  .segmentation = true,
                  .people = 3,
                  .input = InputKind::kRgba8,
                  .width = 640,
                  .height = 480,
                  .session = 0x1122334455667788,
                  .frame = 41,
                  .timestamp_us = -33'333,
                  .reset = true,
                  .fault = std::string("leak\0:1MB", 9)}},
      {"job_done", JobDone{.request_id = 99,
                           .attempt = 2,
                           .error = static_cast<std::uint8_t>(ErrorCode::kInternal),
                           .answer_bytes = 555,
                           .answer_hash = 0xfedcba9876543210,
                           .decode_us = 4000,
                           .inference_us = 23000,
                           .encode_us = 900,
                           .heap_bytes = std::numeric_limits<std::uint64_t>::max()}},
      {"trim", Trim{}},
      {"heap_command",
       HeapCommand{.command_id = 5, .action = HeapCommand::Action::kDump, .sample_log2 = 30}},
      {"heap_done", HeapDone{.command_id = 5, .error = 0, .text = "why"}},
      {"stop", Stop{}},
  };
}

inline std::vector<std::byte> Encoded(const Message& message) {
  std::array<std::byte, kMaxMessageBytes> buffer;
  const std::size_t size = Encode(message, buffer);
  return {buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(size)};
}

}  // namespace holostat::ipc
