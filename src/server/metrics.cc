#include "server/metrics.h"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <array>
#include <utility>

#include "runtime/governor.h"

namespace holostat::server {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricType;
using Families = std::vector<prometheus::MetricFamily>;
using Labels = std::vector<ClientMetric::Label>;

// Seconds. A lite picture of nobody takes 5 ms, a heavy one with a full queue before it seconds.
constexpr std::array kBounds{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                             0.25,  0.5,    1.0,   2.5,  5.0,   10.0, 30.0};

ClientMetric Sample(MetricType type, Labels labels, double value) {
  ClientMetric metric;
  metric.label = std::move(labels);
  (type == MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
  return metric;
}

ClientMetric HistogramOf(Labels labels, const LatencyHistogram& latency) {
  ClientMetric metric;
  metric.label = std::move(labels);
  metric.histogram.sample_count = latency.count();
  metric.histogram.sample_sum = latency.sum_seconds();
  for (const double bound : kBounds) {
    const std::chrono::nanoseconds limit(static_cast<std::int64_t>(bound * 1e9));
    metric.histogram.bucket.push_back({latency.CountUpTo(limit), bound});
  }
  return metric;
}

// Collects families; each is one name with its help, and what it counts is added to the last one.
class Page {
 public:
  Page& Family(MetricType type, std::string name, std::string help) {
    families_.push_back({std::move(name), std::move(help), type, {}});
    return *this;
  }
  Page& Gauge(std::string name, std::string help) {
    return Family(MetricType::Gauge, std::move(name), std::move(help));
  }
  Page& Counter(std::string name, std::string help) {
    return Family(MetricType::Counter, std::move(name), std::move(help));
  }
  template <class Number>
  Page& Add(Number value, Labels labels = {}) {
    auto& family = families_.back();
    family.metric.push_back(Sample(family.type, std::move(labels), static_cast<double>(value)));
    return *this;
  }
  Page& Add(const LatencyHistogram& latency, Labels labels) {
    families_.back().metric.push_back(HistogramOf(std::move(labels), latency));
    return *this;
  }
  std::string Text() const { return prometheus::TextSerializer().Serialize(families_); }

 private:
  Families families_;
};

void AddBuild(Page& page, const MetricsInput& input) {
  page.Gauge("holostat_build_info", "Always 1; the version is a label.")
      .Add(1, {{"version", HOLOSTAT_VERSION}, {"compiler", __VERSION__}});
  page.Gauge("holostat_uptime_seconds", "Since the service started.").Add(input.status.uptime_s);
  page.Gauge("holostat_ready", "1 while pictures are accepted, as /readyz says.").Add(input.ready);
}

// Calls `add(name, route)` for each route that has a name.
template <class Add>
void ForEachRoute(const HttpStats& http, const std::vector<std::string>& names, Add add) {
  const std::size_t last = HttpStats::kMaxRoutes - 1;
  for (std::size_t i = 0; i < std::min(names.size(), last); ++i) add(names[i], http.routes[i]);
  add("other", http.routes[last]);
}

void AddRoutes(Page& page, const HttpStats& http, const std::vector<std::string>& names) {
  page.Counter("holostat_http_requests_total", "Answers by route and status.");
  ForEachRoute(http, names, [&](const std::string& name, const HttpStats::Route& route) {
    for (std::size_t i = 0; i < route.by_status.size(); ++i) {
      // Of twenty statuses a route answers a few: the others are not worth a series.
      if (route.by_status[i] == 0 && HttpStats::kStatuses[i] != 200) continue;
      const std::string status = std::to_string(HttpStats::kStatuses[i]);
      page.Add(route.by_status[i], {{"route", name}, {"status", status}});
    }
    if (route.other > 0) page.Add(route.other, {{"route", name}, {"status", "other"}});
  });
  page.Family(MetricType::Histogram, "holostat_http_request_duration_seconds",
              "From the first byte of a request to the last of its answer.");
  ForEachRoute(http, names, [&](const std::string& name, const HttpStats::Route& route) {
    page.Add(route.latency, {{"route", name}});
  });
}

void AddConnections(Page& page, const HttpStats& http) {
  page.Gauge("holostat_http_connections", "Open now.").Add(http.connections);
  page.Counter("holostat_http_connections_total", "Accepted.").Add(http.connections_total);
  page.Counter("holostat_http_connections_refused_total", "Closed at once: over a limit.")
      .Add(http.connections_refused);
  page.Counter("holostat_http_clients_gone_total", "Clients that left in the middle of a request.")
      .Add(http.clients_gone);
  page.Counter("holostat_http_timeouts_total", "Headers, bodies and answers that took too long.")
      .Add(http.timeouts);
  page.Counter("holostat_http_rate_limited_total", "Requests over the rate of their client.")
      .Add(http.rate_limited);
  page.Counter("holostat_http_unauthorized_total", "Requests without the token.")
      .Add(http.unauthorized);
  page.Counter("holostat_http_received_bytes_total", "From clients.").Add(http.bytes_in);
  page.Counter("holostat_http_sent_bytes_total", "To clients.").Add(http.bytes_out);
}

void AddLive(Page& page, const HttpStats& http) {
  page.Gauge("holostat_live_sessions", "Open now.").Add(http.live_sessions);
  page.Counter("holostat_live_sessions_total", "Opened.").Add(http.live_sessions_total);
  page.Counter("holostat_live_frames_total", "Frames that came in.").Add(http.live_frames);
  page.Counter("holostat_live_frames_dropped_total", "Frames that a newer one has overtaken.")
      .Add(http.live_dropped);
  page.Gauge("holostat_event_streams", "Open now (/v1/events).").Add(http.event_streams);
}

void AddStages(Page& page, const HttpStats& http) {
  page.Family(MetricType::Histogram, "holostat_stage_duration_seconds",
              "What a tracked picture or live frame spent in each stage.");
  page.Add(http.queue, {{"stage", "queue"}});
  page.Add(http.decode, {{"stage", "decode"}});
  page.Add(http.inference, {{"stage", "infer"}});
  page.Add(http.encode, {{"stage", "encode"}});
}

void AddJobs(Page& page, const runtime::ServiceStatus& status) {
  const runtime::Totals& totals = status.totals;
  page.Counter("holostat_jobs_total", "Pictures and frames by what came of them.")
      .Add(totals.ok, {{"outcome", "ok"}})
      .Add(totals.client_errors, {{"outcome", "client_error"}})
      .Add(totals.failed, {{"outcome", "failed"}})
      .Add(totals.refused, {{"outcome", "refused"}});
  page.Counter("holostat_jobs_retried_total", "Tried again because their worker died or hung.")
      .Add(totals.retried);
  page.Gauge("holostat_queue_length", "Jobs that wait for a worker.").Add(status.queue_length);
  page.Gauge("holostat_queue_capacity", "Jobs that may wait; more are refused.")
      .Add(status.queue_capacity);
}

void AddWorkers(Page& page, const runtime::ServiceStatus& status) {
  page.Gauge("holostat_workers", "Worker processes by state.");
  for (const char* state : {"starting", "idle", "busy", "leaving"}) {
    const auto in_state =
        std::count_if(status.processes.begin(), status.processes.end(),
                      [&](const auto& one) { return one.role == "worker" && one.state == state; });
    page.Add(in_state, {{"state", state}});
  }
  const runtime::WorkerExits& exits = status.totals.worker_exits;
  page.Counter("holostat_worker_exits_total", "Workers that ended, by cause.")
      .Add(exits.recycled, {{"cause", "recycled"}})
      .Add(exits.crashed, {{"cause", "crashed"}})
      .Add(exits.hung, {{"cause", "hung"}})
      .Add(exits.over_budget, {{"cause", "over_budget"}})
      .Add(exits.leak, {{"cause", "leak"}})
      .Add(exits.garbage, {{"cause", "garbage"}});
  page.Counter("holostat_zygote_restarts_total", "Times the zygote was started anew.")
      .Add(status.totals.zygote_restarts);
  page.Counter("holostat_leak_alarms_total", "Alarms of the leak detector.")
      .Add(status.totals.leak_alarms);
}

void AddMemory(Page& page, const runtime::ServiceStatus& status) {
  using runtime::MemoryLevel;
  page.Gauge("holostat_memory_pss_bytes", "Memory of all processes together (PSS).")
      .Add(status.service_pss_bytes);
  page.Gauge("holostat_memory_budget_bytes", "What they may take together; 0: no budget.")
      .Add(status.budget_bytes);
  page.Gauge("holostat_memory_level", "1 for the step of the memory ladder we are on.");
  for (const auto level :
       {MemoryLevel::kNormal, MemoryLevel::kTrim, MemoryLevel::kUnload, MemoryLevel::kLighter,
        MemoryLevel::kRecycle, MemoryLevel::kRefuse, MemoryLevel::kRestart}) {
    const std::string name(runtime::MemoryLevelName(level));
    page.Add(status.memory_level == name, {{"level", name}});
  }
}

void AddProcesses(Page& page, const std::vector<runtime::ProcessStatus>& processes,
                  const std::vector<std::size_t>& slots) {
  const auto add = [&](const char* name, const char* help, auto member) {
    page.Gauge(name, help);
    for (std::size_t i = 0; i < processes.size(); ++i) {
      if (slots[i] == ProcessSlots::kCapacity) continue;
      page.Add(processes[i].*member,
               {{"role", processes[i].role}, {"id", std::to_string(slots[i])}});
    }
  };
  using runtime::ProcessStatus;
  add("holostat_process_uss_bytes", "Private memory.", &ProcessStatus::uss_bytes);
  add("holostat_process_pss_bytes", "Private memory and the share of what is shared.",
      &ProcessStatus::pss_bytes);
  add("holostat_process_rss_bytes", "Resident memory, the shared counted in full.",
      &ProcessStatus::rss_bytes);
  add("holostat_process_heap_bytes", "In use, as the allocator counts.",
      &ProcessStatus::heap_bytes);
  add("holostat_process_open_fds", "File descriptors.", &ProcessStatus::fds);
  add("holostat_process_threads", "Threads.", &ProcessStatus::threads);
  add("holostat_process_age_seconds", "Since the process was started.", &ProcessStatus::age_s);
}

}  // namespace

const std::string_view MetricsPage::kContentType = "text/plain; version=0.0.4; charset=utf-8";

std::string MetricsPage::Render(const MetricsInput& input) {
  Page page;
  AddBuild(page, input);
  AddRoutes(page, input.http, routes_);
  AddConnections(page, input.http);
  AddStages(page, input.http);
  AddLive(page, input.http);
  AddJobs(page, input.status);
  AddWorkers(page, input.status);
  AddMemory(page, input.status);
  AddProcesses(page, input.status.processes, slots_.Assign(input.status.processes));
  page.Counter("holostat_log_lines_dropped_total", "Because nobody took them.")
      .Add(input.log_lines_dropped);
  return page.Text();
}

}  // namespace holostat::server
