#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "runtime/event_loop.h"

namespace holostat::runtime {

// The door through which `holostat top` and `holostat heap` reach a running process: a unix socket
// in the abstract namespace, "@holostat/<pid>", so nothing is left on disk, and no name survives
// its process. One request a connection: a line of printable ASCII in; out comes "ok <bytes>\n" or
// "error <code> <bytes>\n", then that many bytes (the answer, or the error's message): a client can
// tell an answer that was cut off. Only the same user and root are served (SO_PEERCRED).
//
// Bounded: at most 8 connections (more are refused at once with kOverloaded), lines of 1024 bytes,
// 10 s for the line to come in, 10 s without progress of the answer, answers of 64 MB. How long a
// handler takes is its own affair. Bound to the thread of its loop; may be destroyed inside the
// handler.
class ControlServer {
 public:
  // The answer to one request; may be given later, and is dropped when the client has left or the
  // server is gone. Destroyed without an answer, it fails with kInternal. The first call counts.
  class Reply {
   public:
    virtual ~Reply() = default;
    virtual void Send(std::string bytes) = 0;   // the answer; ends the connection when written
    virtual void Fail(const Error& error) = 0;  // the client's Ask returns this error
  };
  using Handler = std::function<void(std::string_view request, std::unique_ptr<Reply> reply)>;

  // `loop` outlives the server. Errors: kUnavailable (the name is taken or no socket).
  static Result<std::unique_ptr<ControlServer>> Create(EventLoop& loop, Handler handler);
  virtual ~ControlServer() = default;
};

// The client's side: one request, its answer (at most 64 MB). Errors: kNotFound (no such process,
// or it has no door), what the server failed with, kTimeout, kUnavailable (refused, cut off),
// kCorruptData (another protocol), kInvalidArgument (`request` is no line).
Result<std::string> AskProcess(int pid, std::string_view request,
                               std::chrono::milliseconds timeout);

// Processes with a door, of any user, in order of pid (/proc/net/unix).
std::vector<int> FindProcesses();

}  // namespace holostat::runtime
