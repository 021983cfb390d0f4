#include "app/soak_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/text_bars.h"

namespace holostat::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxAlarms = 8;  // of the table; JSON has them all

double Rounded(double number) { return std::round(number * 1000) / 1000; }

std::string SignedBytes(double bytes) {
  const auto size = static_cast<std::uint64_t>(std::min(std::abs(bytes), 1e18));
  return (bytes < 0 ? "-" : "+") + BytesText(size);
}

std::string SlopeText(const SoakReport& report) {
  if (!report.uss_slope) return "too few samples for a slope";
  const UssSlope& slope = *report.uss_slope;
  const char* verdict = slope.low > 0 ? "rises" : slope.high < 0 ? "falls" : "flat: 0 is inside";
  return fmt::format("{}/min, between {} and {} ({})", SignedBytes(slope.bytes_per_min),
                     SignedBytes(slope.low), SignedBytes(slope.high), verdict);
}

std::string PeakText(const SoakReport& report) {
  std::string text = BytesText(report.peak_service_pss_bytes);
  if (report.budget_bytes == 0) return text;
  const bool over = report.peak_service_pss_bytes > report.budget_bytes;
  return text + fmt::format(" of {} ({:.0f} %{})", BytesText(report.budget_bytes),
                            100 * static_cast<double>(report.peak_service_pss_bytes) /
                                static_cast<double>(report.budget_bytes),
                            over ? ": OVER" : "");
}

std::string RestartsText(const SoakReport& report) {
  const runtime::WorkerExits& r = report.restarts;
  return fmt::format(
      "recycled {}, crashed {}, hung {}, over budget {}, leak {}, garbage {}; zygote {}",
      r.recycled, r.crashed, r.hung, r.over_budget, r.leak, r.garbage, report.zygote_restarts);
}

std::string SettingsText(const SoakReport& report) {
  std::string text;
  for (const auto& [name, value] : report.settings) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, AsciiOnly(value));
  }
  return text;
}

double Rate(const SoakReport& report) {
  return report.duration_s > 0 ? static_cast<double>(report.requests) / report.duration_s : 0;
}

Json OfBothEnds(const StartAndEnd& count) { return {{"start", count.start}, {"end", count.end}}; }

Json OfRestarts(const SoakReport& report) {
  const runtime::WorkerExits& r = report.restarts;
  return {{"recycled", r.recycled},          {"crashed", r.crashed}, {"hung", r.hung},
          {"over_budget", r.over_budget},    {"leak", r.leak},       {"garbage", r.garbage},
          {"zygote", report.zygote_restarts}};
}

}  // namespace

std::string SoakReportText(const SoakReport& report) {
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    fmt::format_to(std::back_inserter(text), "{:<18}{}\n", name, value);
  };
  line("settings", SettingsText(report));
  line("duration",
       fmt::format("{} ({:.1f} requests/s)", DurationText(report.duration_s), Rate(report)));
  line("requests",
       fmt::format("{}: ok {}, lost {}, wrong {}, retried {}, refused {}", report.requests,
                   report.ok, report.lost, report.wrong, report.retried, report.refused));
  line("latency", fmt::format("p50 {}, p99 {}", MillisecondsText(report.p50_ms),
                              MillisecondsText(report.p99_ms)));
  line("restarts", RestartsText(report));
  line("recovery", fmt::format("p50 {}, max {}", MillisecondsText(report.recovery_p50_ms),
                               MillisecondsText(report.recovery_max_ms)));
  line("private memory", SlopeText(report));
  line("growth", SignedBytes(static_cast<double>(report.uss_growth_bytes)) + " after warm-up");
  line("peak service PSS", PeakText(report));
  line("fds", fmt::format("{} -> {}", report.fds.start, report.fds.end));
  line("threads", fmt::format("{} -> {}", report.threads.start, report.threads.end));
  line("leak alarms", fmt::to_string(report.leak_alarms.size()));
  const std::size_t shown = std::min(report.leak_alarms.size(), kMaxAlarms);
  for (std::size_t i = 0; i < shown; ++i) line("", AsciiOnly(report.leak_alarms[i]));
  if (shown < report.leak_alarms.size()) {
    line("", fmt::format("... and {} more", report.leak_alarms.size() - shown));
  }
  return text;
}

std::string SoakReportJson(const SoakReport& report) {
  Json settings = Json::object();
  for (const auto& [name, value] : report.settings) settings[name] = value;
  Json document{{"requests", report.requests},   {"ok", report.ok},
                {"lost", report.lost},           {"wrong", report.wrong},
                {"retried", report.retried},     {"refused", report.refused},
                {"restarts", OfRestarts(report)}};
  document["uss_slope_bytes_per_min"] = nullptr;
  document["uss_slope_interval"] = nullptr;
  if (const auto& slope = report.uss_slope) {
    document["uss_slope_bytes_per_min"] = Rounded(slope->bytes_per_min);
    document["uss_slope_interval"] = {Rounded(slope->low), Rounded(slope->high)};
  }
  document["uss_growth_bytes"] = report.uss_growth_bytes;
  document["peak_service_pss_bytes"] = report.peak_service_pss_bytes;
  document["budget_bytes"] = report.budget_bytes;
  document["fds"] = OfBothEnds(report.fds);
  document["threads"] = OfBothEnds(report.threads);
  document["latency_ms"] = {{"p50", Rounded(report.p50_ms)}, {"p99", Rounded(report.p99_ms)}};
  document["recovery_ms"] = {{"p50", Rounded(report.recovery_p50_ms)},
                             {"max", Rounded(report.recovery_max_ms)}};
  document["leak_alarms"] = report.leak_alarms;
  document["duration_s"] = Rounded(report.duration_s);
  document["settings"] = std::move(settings);
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace holostat::app
