#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "base/result.h"

namespace holostat::ipc {

// What the processes of a service say to each other: one message a datagram, at most
// kMaxMessageBytes, over the channels of channel.h. All integers little-endian; a text is its
// length (16 bits) and its bytes. A message starts with kMagic, kVersion and its type.
inline constexpr std::uint32_t kMagic = 0x4f4c4f48;  // "HOLO"
inline constexpr std::uint16_t kVersion = 2;
inline constexpr std::size_t kMaxMessageBytes = 4096;
inline constexpr std::size_t kMaxTextBytes = 1024;

inline constexpr std::uint8_t kMinSampleLog2 = 10, kMaxSampleLog2 = 30;  // of HeapCommand

enum class Complexity : std::uint8_t { kLite = 1, kFull, kHeavy };
enum class AnswerFormat : std::uint8_t {
  kJson = 1,
  kSvg,
  kJpeg,
  kPng,
  kMask,
  kOpenpose,
  kCoco,
  kBinary,  // the compact form of a live session
};
// A body model as it can be loaded: each complexity alone, or so that it draws the mask as well.
// One bit each, in the sets of models below.
constexpr std::uint32_t ModelBit(Complexity complexity, bool segmentation = false) {
  return 1u << (static_cast<unsigned>(complexity) + (segmentation ? 4u : 0u));
}

enum class InputKind : std::uint8_t {
  kEncoded = 1,  // the bytes of a picture file
  kRgb8,         // pixels, rows without padding
  kRgba8,
};

// --- supervisor <-> zygote -------------------------------------------------------------------

// The zygote has loaded its models and can fork.
struct ZygoteReady {
  std::uint32_t pid = 0;
  std::uint32_t models = 0;      // those that are loaded
  std::uint32_t load_ms = 0;     // from exec to here
  std::uint64_t heap_bytes = 0;  // in use, as the allocator counts; 0 where it cannot tell
};

// Fork a worker. Comes with two fds: the worker's end of its channel, and its answer area.
struct ForkWorker {
  std::uint32_t worker_id = 0;
  std::uint64_t answer_bytes = 0;  // size of the answer area
  std::string fault = {};          // chaos only: how the worker is to start ("slow=500ms"); else ""
};

struct WorkerForked {
  std::uint32_t worker_id = 0;
  std::uint32_t pid = 0;          // 0: fork failed
  std::int32_t error_number = 0;  // errno where it failed
};

// --- supervisor <-> worker -------------------------------------------------------------------

// The worker is in its sandbox, its arena is touched: it waits for a job.
struct WorkerReady {
  std::uint32_t worker_id = 0;
  std::uint32_t pid = 0;
};

// As many people as a job may ask for.
inline constexpr int kMaxJobPeople = 8;

// Track one picture. Comes with one fd: the request slot (slot.h), read-only.
struct Job {
  std::uint64_t request_id = 0;
  std::uint32_t attempt = 0;        // 1, 2: told apart, so that no late answer is mixed up
  std::uint64_t request_bytes = 0;  // of the slot
  Complexity complexity = Complexity::kFull;
  AnswerFormat format = AnswerFormat::kJson;
  bool refine_face = true;
  bool segmentation = false;
  std::uint8_t people = 1;  // at most; 1..kMaxJobPeople
  InputKind input = InputKind::kEncoded;
  std::uint32_t width = 0, height = 0;  // pixels; of raw input only
  std::uint64_t session = 0;            // 0: none. Frames of one session go to one worker, in order
  std::uint64_t frame = 0;              // number in the session, from 0
  std::int64_t timestamp_us = 0;
  bool reset = false;      // the frame has nothing to do with those before it
  std::string fault = {};  // chaos only: what goes wrong ("crash", "leak:1MB"); else ""
};

// The answer (or, if `error` is not 0, a message for a person) stands in the answer area.
struct JobDone {
  std::uint64_t request_id = 0;
  std::uint32_t attempt = 0;
  std::uint8_t error = 0;  // 0, or an ErrorCode
  std::uint64_t answer_bytes = 0;
  std::uint64_t answer_hash = 0;  // Hash64 of these bytes (hash.h)
  // Where the time of the job went; what is neither decoding nor encoding counts as inference.
  std::uint32_t decode_us = 0, inference_us = 0, encode_us = 0;
  std::uint64_t heap_bytes = 0;  // in use after the job, as the allocator counts; 0: cannot tell
};

// Give back what is only kept to be faster next time.
struct Trim {};

// Heap sampling (heap_control.h), of a worker or the zygote. kDump comes with one fd to write to.
struct HeapCommand {
  enum class Action : std::uint8_t { kStart = 1, kStop, kDump };
  std::uint64_t command_id = 0;
  Action action = Action::kStart;
  std::uint8_t sample_log2 = 16;  // kStart: a sample each 2^n allocated bytes on average
};

struct HeapDone {
  std::uint64_t command_id = 0;
  std::uint8_t error = 0;  // 0, or an ErrorCode
  std::string text = {};   // then: why
};

// Finish and exit with status 0.
struct Stop {};

using Message = std::variant<ZygoteReady, ForkWorker, WorkerForked, WorkerReady, Job, JobDone, Trim,
                             HeapCommand, HeapDone, Stop>;

// Writes `message` to the start of `out` and gives how many bytes it took; no heap call.
// REQUIRES: texts of at most kMaxTextBytes (longer ones are cut).
std::size_t Encode(const Message& message, std::span<std::byte, kMaxMessageBytes> out);

// Error: kCorruptData for anything that Encode cannot have written of a valid message: another
// magic or version, an unknown type, enum value or ErrorCode, a `sample_log2` out of bounds, too
// short, bytes left over, a text that is too long. Allocates no more than the texts have bytes (and
// an error's message).
Result<Message> Decode(std::span<const std::byte> bytes);

}  // namespace holostat::ipc
