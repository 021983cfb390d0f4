#include "app/service_log.h"

#include <fmt/format.h>

namespace holostat::app {
namespace {

server::LogTime Now() { return std::chrono::system_clock::now(); }

}  // namespace

void ServiceLog::Request(const server::RequestLogEntry& entry) {
  Write(server::RequestLine(format_, Now(), entry));
}

void ServiceLog::Event(const runtime::ServiceEvent& event) {
  Write(server::EventLine(format_, Now(), event));
}

void ServiceLog::Message(std::string_view text) {
  Write(server::MessageLine(format_, Now(), text));
}

void ServiceLog::Write(std::string_view line) {
  const std::uint64_t before = dropped();
  writer_.Write(line);
  if (dropped() != before || before == told_dropped_) return;
  const std::string note =
      fmt::format("{} lines were dropped: nobody read the log", before - told_dropped_);
  writer_.Write(server::MessageLine(format_, Now(), note));
  if (dropped() == before) told_dropped_ = before;
}

}  // namespace holostat::app
