#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/service_status.h"
#include "server/request_log.h"

namespace holostat::server {

enum class LogFormat { kText = 1, kJson };

// "text", "json".
std::optional<LogFormat> ParseLogFormat(std::string_view name);

// One line each, with its end, of at most kMaxLogLine bytes: a longer text is cut. What comes from
// a client cannot end a line or hold control characters. There is nothing of a picture in them, no
// query and no token.
//
//   {"time":"2026-03-01T12:00:00.123Z","event":"request","request_id":"..","client":"..",
//    "method":"POST","path":"/v1/track","status":200,"duration_ms":26.1,"bytes_in":..,
//    "bytes_out":..,"worker":3,"attempts":1,"error":".."}
//   {"time":"..","event":"service","uptime_s":12.5,"text":"worker 3 (pid 4711) crashed: ..."}
//   {"time":"..","event":"message","text":"holostat is listening on ..."}
//
// `worker`, `attempts` and `error` are only there when they say something.
inline constexpr std::size_t kMaxLogLine = 4096;  // what a pipe takes in one piece (PIPE_BUF)

using LogTime = std::chrono::system_clock::time_point;
std::string RequestLine(LogFormat format, LogTime now, const RequestLogEntry& entry);
std::string EventLine(LogFormat format, LogTime now, const runtime::ServiceEvent& event);
std::string MessageLine(LogFormat format, LogTime now, std::string_view text);

}  // namespace holostat::server
