#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "runtime/supervisor.h"
#include "server/http_stats.h"
#include "server/live_frame.h"
#include "server/live_options.h"

namespace holostat::server {

// Bytes before the frame of a binary answer (docs/live.md, "Binary output").
inline constexpr std::size_t kLiveAnswerHeaderBytes = 40;

struct LiveMessage {
  std::string bytes;
  bool is_binary = false;
};

// Why a session ends, as a close code of RFC 6455 (or of ours, from 4000 on).
enum class LiveClose : std::uint16_t {
  kAskedFor = 1000,
  kGoingAway = 1001,
  kPolicy = 1008,  // what came is no message of docs/live.md
  kTooLarge = 1009,
  kOverloaded = 1013,
  kIdle = 4408,
};

// One live session without its socket: messages in, messages out (docs/live.md).
//
// Holds at most one frame that waits; one is with a worker, and the next only goes there once the
// answer before has been sent: a client that reads slowly gets fewer frames, not older ones. Bound
// to the supervisor's thread.
class LiveSession {
 public:
  struct Outlet {
    // Takes a message to send; OnSent is told when it is gone. May be called from within any call
    // of the session, and from the supervisor's Step.
    std::function<void(LiveMessage)> send;
    std::function<void(LiveClose, std::string_view why)> close;  // the session's last word
  };
  // Frames that fail one after the other, after which a session is closed.
  static constexpr std::size_t kMaxFaultyFrames = 100;

  // `id` is not 0 and of this session alone. All references outlive it.
  LiveSession(std::uint64_t id, runtime::Supervisor& supervisor, HttpStats& stats,
              const LiveOptions& options, Outlet outlet);
  ~LiveSession();  // takes its frames back
  LiveSession(const LiveSession&) = delete;
  LiveSession& operator=(const LiveSession&) = delete;

  void Begin();  // says "ready"
  void OnText(std::string_view text);
  // Takes the bytes of a frame and gives back a buffer to read the next one into: its contents are
  // of no use, its memory is.
  void OnFrame(std::vector<std::byte>& message);
  void OnSent();

  std::uint64_t dropped() const { return dropped_; }
  std::size_t waiting_bytes() const { return waiting_.capacity(); }

 private:
  struct Asked {  // of a frame at work
    std::uint32_t sequence = 0;
    std::int64_t timestamp_us = 0;
    bool binary = false;
  };

  void SubmitNext();
  Result<std::uint64_t> Submit(const LiveFrame& frame);
  void OnAnswer(const Asked& of, const Result<runtime::Answer>& answer);
  static std::string FrameBytes(const Asked& of, std::uint64_t dropped,
                                const runtime::Answer& answer);
  static std::string FrameText(const Asked& of, std::uint64_t dropped,
                               const runtime::Answer& answer);
  void NoticeWorker(std::uint32_t worker_id);
  void CountTimes(const runtime::StageTimes& times);
  void OnFault(std::uint32_t sequence, const Error& error);
  void Drop();
  void Send(std::string bytes, bool is_binary = false);
  void Close(LiveClose code, std::string_view why);

  const std::uint64_t id_;
  runtime::Supervisor& supervisor_;
  HttpStats& stats_;
  LiveOptions options_;
  Outlet outlet_;
  std::vector<std::byte> waiting_;  // a frame, if has_waiting_
  bool has_waiting_ = false;
  std::optional<std::uint64_t> at_work_;  // its request
  std::size_t unsent_ = 0;                // messages given to the outlet
  std::uint64_t frames_ = 0, dropped_ = 0;
  std::size_t faulty_ = 0;  // frames, one after the other
  std::uint32_t worker_id_ = 0;
  bool reset_next_ = false, closed_ = false;
};

}  // namespace holostat::server
