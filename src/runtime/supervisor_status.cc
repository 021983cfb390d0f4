// The part of Supervisor that tells others what it knows.
#include <fmt/format.h>
#include <unistd.h>

#include "runtime/supervisor.h"

namespace holostat::runtime {
namespace {

double Seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}
double Milliseconds(std::chrono::nanoseconds time) { return Seconds(time) * 1e3; }

}  // namespace

ProcessStatus Supervisor::DescribeProcess(std::string role, std::uint32_t id, pid_t pid,
                                          SteadyTime since) {
  ProcessStatus status;
  status.role = std::move(role);
  status.id = id;
  status.pid = pid;
  status.state = "running";
  status.age_s = Seconds(clock_.Now() - since);
  if (const auto sample = SampleProcess(pid, SampleDetail::kMemory)) {
    status.uss_bytes = sample->uss_bytes;
    status.pss_bytes = sample->pss_bytes;
    status.rss_bytes = sample->rss_bytes;
    status.fds = sample->fds;
    status.threads = sample->threads;
  }
  return status;
}

ProcessStatus Supervisor::DescribeWorker(const Worker& worker) {
  ProcessStatus status = DescribeProcess("worker", worker.id(), worker.pid(), worker.created);
  status.state = WorkerStateName(worker.state);
  status.generation = worker.generation;
  status.requests = worker.requests;
  status.heap_bytes = worker.heap_bytes;
  status.growth = GrowthName(monitor_->LastGrowth(worker.id()));
  return status;
}

ServiceStatus Supervisor::Status() {
  ServiceStatus status;
  status.uptime_s = log_.UptimeSeconds();
  status.processes.push_back(DescribeProcess(
      "supervisor", 0, ::getpid(),
      clock_.Now() - std::chrono::nanoseconds(static_cast<std::int64_t>(status.uptime_s * 1e9))));
  for (const ZygoteProcess* zygote : {zygote_.get(), next_.get()}) {
    if (zygote == nullptr) continue;
    status.processes.push_back(DescribeProcess("zygote", 0, zygote->pid(), zygote->started()));
    ProcessStatus& it = status.processes.back();
    it.generation = zygote->is_ready() ? generation_ : generation_ + 1;
    it.state = zygote->is_ready() ? "running" : "starting";
    it.heap_bytes = zygote->heap_bytes();
  }
  for (const auto& worker : pool_->workers()) status.processes.push_back(DescribeWorker(*worker));
  const PoolStats& stats = pool_->stats();
  status.totals = stats.totals;
  status.latency = {Milliseconds(stats.latency.Quantile(0.5)),
                    Milliseconds(stats.latency.Quantile(0.99)), Milliseconds(stats.latency.max())};
  status.queue_length = pool_->queue_length();
  status.queue_capacity = options_.pool.queue_capacity;
  for (const ProcessStatus& process : status.processes)
    status.service_pss_bytes += process.pss_bytes;
  status.budget_bytes = options_.budget_bytes;
  status.memory_level = MemoryLevelName(governor_.level());
  status.recovery_p50_ms = Milliseconds(stats.recovery.Quantile(0.5));
  status.recovery_max_ms = Milliseconds(stats.recovery.max());
  status.events.assign(log_.events().begin(), log_.events().end());
  return status;
}

void Supervisor::OnControl(std::string_view request, std::unique_ptr<ControlServer::Reply> reply) {
  if (request == "status") {
    reply->Send(ToJson(Status()));
  } else if (request == "reload") {
    Reload("asked for");
    reply->Send("reloading\n");
  } else if (IsHeapRequest(request)) {
    OnHeapRequest(request, std::move(reply));
  } else {
    reply->Fail({ErrorCode::kInvalidArgument, fmt::format("unknown request: {}", request)});
  }
}

HeapBroker::Target Supervisor::TargetOf(Worker& worker) {
  return {[&worker](const ipc::Message& message, std::span<const int> fds) {
            return worker.Send(message, fds);
          },
          worker.pid(), fmt::format("worker {}", worker.id())};
}

Result<HeapBroker::Target> Supervisor::HeapTarget(const HeapRequest& request) {
  if (request.target == HeapRequest::Target::kWorker) {
    Worker* worker = pool_->Find(request.worker_id);
    if (worker == nullptr || worker->pid() == 0)
      return Fail(ErrorCode::kNotFound, fmt::format("there is no worker {}", request.worker_id));
    return TargetOf(*worker);
  }
  if (zygote_ == nullptr) return Fail(ErrorCode::kUnavailable, "there is no zygote now");
  ZygoteProcess& zygote = *zygote_;
  return HeapBroker::Target{[&zygote](const ipc::Message& message, std::span<const int> fds) {
                              return zygote.Send(message, fds);
                            },
                            zygote.pid(), "zygote"};
}

void Supervisor::OnHeapRequest(std::string_view line, std::unique_ptr<ControlServer::Reply> reply) {
  const std::shared_ptr<ControlServer::Reply> shared = std::move(reply);  // std::function copies
  const auto give = [shared](Result<std::string> answer) {
    if (answer) {
      shared->Send(*std::move(answer));
    } else {
      shared->Fail(answer.error());
    }
  };
  const auto request = ParseHeapRequest(line);
  if (!request) return give(tl::unexpected(request.error()));
  if (request->target == HeapRequest::Target::kOwn)
    return give(HandleOwnHeapRequest(line, "supervisor"));
  const auto target = HeapTarget(*request);
  if (!target) return give(tl::unexpected(target.error()));
  heap_->Ask(*target, *request, give);
}

}  // namespace holostat::runtime
