#pragma once

#include <chrono>
#include <string_view>

#include "base/line_writer.h"
#include "server/request_log_json.h"

namespace holostat::app {

// The log of a service: requests, events and messages, a line each. A reader that does not read
// never makes the service wait: lines are dropped, and when it reads again the log says how many.
// Bound to one thread.
class ServiceLog {
 public:
  // `fd` stays open while this lives.
  ServiceLog(int fd, server::LogFormat format) : format_(format), writer_(fd) {}

  void Request(const server::RequestLogEntry& entry);
  void Event(const runtime::ServiceEvent& event);
  void Message(std::string_view text);

  std::uint64_t dropped() const { return writer_.dropped(); }

 private:
  void Write(std::string_view line);

  server::LogFormat format_;
  LineWriter writer_;
  std::uint64_t told_dropped_ = 0;
};

}  // namespace holostat::app
