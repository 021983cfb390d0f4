#include "server/request_log_json.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace holostat::server {
namespace {

using Json = nlohmann::ordered_json;

// How much is kept of a text. JSON makes up to six bytes of one, so that together they must stay
// well below a sixth of kMaxLogLine.
constexpr std::size_t kMaxId = 96, kMaxClient = 64, kMaxMethod = 16, kMaxPath = 200,
                      kMaxError = 200;
constexpr std::size_t kMaxText = 512;  // of an event: alone in its line

std::string Timestamp(LogTime now) {
  const auto since = std::chrono::floor<std::chrono::milliseconds>(now.time_since_epoch());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(static_cast<std::time_t>(seconds.count())),
                     (since - seconds).count());
}

// For a person at a terminal: bytes that would move its cursor, or start a line, become '?'.
std::string Plain(std::string_view text, std::size_t most) {
  std::string plain(text.substr(0, most));
  std::replace_if(
      plain.begin(), plain.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  return plain;
}

double Milliseconds(std::chrono::microseconds time) {
  return static_cast<double>(time.count()) / 1000;
}

std::string Line(const Json& document) {
  return document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string RequestJson(LogTime now, const RequestLogEntry& entry) {
  Json document{{"time", Timestamp(now)},
                {"event", "request"},
                {"request_id", entry.request_id.substr(0, kMaxId)},
                {"client", entry.client.substr(0, kMaxClient)},
                {"method", entry.method.substr(0, kMaxMethod)},
                {"path", entry.path.substr(0, kMaxPath)},
                {"status", entry.status},
                {"duration_ms", Milliseconds(entry.duration)},
                {"bytes_in", entry.bytes_in},
                {"bytes_out", entry.bytes_out}};
  if (entry.worker_id != 0) document["worker"] = entry.worker_id;
  if (entry.attempts != 0) document["attempts"] = entry.attempts;
  if (!entry.error.empty()) document["error"] = entry.error.substr(0, kMaxError);
  return Line(document);
}

std::string RequestText(LogTime now, const RequestLogEntry& entry) {
  std::string line = fmt::format(
      "{} {} {} {} {} {} {:.1f} ms {} -> {} B", Timestamp(now), Plain(entry.client, kMaxClient),
      Plain(entry.request_id, kMaxId), Plain(entry.method, kMaxMethod), Plain(entry.path, kMaxPath),
      entry.status, Milliseconds(entry.duration), entry.bytes_in, entry.bytes_out);
  if (entry.worker_id != 0) line += fmt::format(" worker {}", entry.worker_id);
  if (entry.attempts > 1) line += fmt::format(" attempt {}", entry.attempts);
  if (!entry.error.empty()) line += ": " + Plain(entry.error, kMaxError);
  return line + "\n";
}

}  // namespace

std::optional<LogFormat> ParseLogFormat(std::string_view name) {
  if (name == "text") return LogFormat::kText;
  if (name == "json") return LogFormat::kJson;
  return std::nullopt;
}

std::string RequestLine(LogFormat format, LogTime now, const RequestLogEntry& entry) {
  return format == LogFormat::kJson ? RequestJson(now, entry) : RequestText(now, entry);
}

std::string EventLine(LogFormat format, LogTime now, const runtime::ServiceEvent& event) {
  if (format == LogFormat::kText)
    return fmt::format("{} {}\n", Timestamp(now), Plain(event.text, kMaxText));
  const double uptime_s = std::isfinite(event.uptime_s) ? event.uptime_s : 0;
  return Line({{"time", Timestamp(now)},
               {"event", "service"},
               {"uptime_s", std::round(uptime_s * 1000) / 1000},
               {"text", event.text.substr(0, kMaxText)}});
}

std::string MessageLine(LogFormat format, LogTime now, std::string_view text) {
  if (format == LogFormat::kText)
    return fmt::format("{} {}\n", Timestamp(now), Plain(text, kMaxText));
  return Line({{"time", Timestamp(now)}, {"event", "message"}, {"text", text.substr(0, kMaxText)}});
}

}  // namespace holostat::server
