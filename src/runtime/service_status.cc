#include "runtime/service_status.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace holostat::runtime {
namespace {

using Json = nlohmann::ordered_json;

// To the thousandth: a person reads it, and a microsecond of uptime is noise.
double Rounded(double number) {
  return std::isfinite(number) ? std::round(number * 1000) / 1000 : 0;
}

Json OfProcess(const ProcessStatus& process) {
  return {{"role", process.role},
          {"id", process.id},
          {"pid", process.pid},
          {"state", process.state},
          {"generation", process.generation},
          {"age_s", Rounded(process.age_s)},
          {"requests", process.requests},
          {"uss_bytes", process.uss_bytes},
          {"pss_bytes", process.pss_bytes},
          {"rss_bytes", process.rss_bytes},
          {"heap_bytes", process.heap_bytes},
          {"fds", process.fds},
          {"threads", process.threads},
          {"growth", process.growth}};
}

Json OfTotals(const Totals& totals) {
  const WorkerExits& exits = totals.worker_exits;
  return {{"requests", totals.requests},
          {"ok", totals.ok},
          {"client_errors", totals.client_errors},
          {"retried", totals.retried},
          {"failed", totals.failed},
          {"refused", totals.refused},
          {"cancelled", totals.cancelled},
          {"worker_exits",
           {{"recycled", exits.recycled},
            {"crashed", exits.crashed},
            {"hung", exits.hung},
            {"over_budget", exits.over_budget},
            {"leak", exits.leak},
            {"garbage", exits.garbage}}},
          {"zygote_restarts", totals.zygote_restarts},
          {"leak_alarms", totals.leak_alarms}};
}

}  // namespace

std::string ToJson(const ServiceStatus& status) {
  Json processes = Json::array(), events = Json::array();
  for (const ProcessStatus& process : status.processes) processes.push_back(OfProcess(process));
  for (const ServiceEvent& event : status.events) {
    events.push_back({{"uptime_s", Rounded(event.uptime_s)}, {"text", event.text}});
  }
  const Json document{
      {"uptime_s", Rounded(status.uptime_s)},
      {"processes", std::move(processes)},
      {"totals", OfTotals(status.totals)},
      {"latency_ms",
       {{"p50", Rounded(status.latency.p50_ms)},
        {"p99", Rounded(status.latency.p99_ms)},
        {"max", Rounded(status.latency.max_ms)}}},
      {"queue", {{"length", status.queue_length}, {"capacity", status.queue_capacity}}},
      {"memory",
       {{"service_pss_bytes", status.service_pss_bytes},
        {"budget_bytes", status.budget_bytes},
        {"level", status.memory_level}}},
      {"recovery_ms",
       {{"p50", Rounded(status.recovery_p50_ms)}, {"max", Rounded(status.recovery_max_ms)}}},
      {"events", std::move(events)}};
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace holostat::runtime
