#include <fmt/format.h>

#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>

#include "runtime/service_status.h"

namespace holostat::runtime {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxJsonBytes = 4u << 20;

bool Take(const Json& json, std::string& out) {
  if (!json.is_string()) return false;
  out = json.get_ref<const std::string&>();
  return true;
}

bool Take(const Json& json, double& out) {
  if (!json.is_number()) return false;
  out = json.get<double>();
  return out >= 0;  // a time
}

template <std::integral T>
bool Take(const Json& json, T& out) {
  if (!json.is_number_unsigned()) return false;  // no count, size or pid is negative
  const auto number = json.get<std::uint64_t>();
  if (number > static_cast<std::uint64_t>(std::numeric_limits<T>::max())) return false;
  out = static_cast<T>(number);
  return true;
}

// Reads the fields of a document; the first one that is wrong is kept, and nothing is read after.
class Reader {
 public:
  // REQUIRES: `json` outlives it.
  explicit Reader(const Json& json) : json_(&json) {
    if (!json.is_object()) fault_ = "not an object";
  }

  template <class T>
  void Required(const char* name, T& out) {
    if (!Read(name, out)) SetFault(fmt::format("no \"{}\"", name));
  }
  // Stays as it is when it is missing.
  template <class T>
  void Optional(const char* name, T& out) {
    Read(name, out);
  }

  // Reads the object `name`, and each object of the list `name`, with `read(Reader&)`.
  template <class ReadFields>
  void Object(const char* name, bool required, ReadFields read) {
    const Json* object = Find(name);
    if (object == nullptr) return required ? SetFault(fmt::format("no \"{}\"", name)) : void();
    Nested(*object, name, read);
  }
  template <class ReadFields>
  void List(const char* name, bool required, ReadFields read) {
    const Json* list = Find(name);
    if (list == nullptr) return required ? SetFault(fmt::format("no \"{}\"", name)) : void();
    if (!list->is_array()) return SetFault(fmt::format("\"{}\" is no list", name));
    for (const Json& element : *list) Nested(element, name, read);
  }

  const std::string& fault() const { return fault_; }

 private:
  const Json* Find(const char* name) const {
    if (!fault_.empty()) return nullptr;
    const auto found = json_->find(name);
    return found == json_->end() ? nullptr : &*found;
  }
  template <class T>
  bool Read(const char* name, T& out) {
    const Json* value = Find(name);
    if (value == nullptr) return false;
    if (!Take(*value, out)) SetFault(fmt::format("\"{}\" has the wrong type or range", name));
    return true;
  }
  template <class ReadFields>
  void Nested(const Json& object, const char* name, ReadFields read) {
    if (!fault_.empty()) return;
    Reader inner(object);
    read(inner);
    if (!inner.fault_.empty()) SetFault(fmt::format("in \"{}\": {}", name, inner.fault_));
  }
  void SetFault(std::string fault) {
    if (fault_.empty()) fault_ = std::move(fault);
  }

  const Json* json_;
  std::string fault_;
};

ProcessStatus ReadProcess(Reader& reader) {
  ProcessStatus process;
  reader.Required("role", process.role);
  reader.Required("id", process.id);
  reader.Required("pid", process.pid);
  reader.Required("state", process.state);
  reader.Required("generation", process.generation);
  reader.Required("age_s", process.age_s);
  reader.Required("requests", process.requests);
  reader.Required("uss_bytes", process.uss_bytes);
  reader.Required("pss_bytes", process.pss_bytes);
  reader.Required("rss_bytes", process.rss_bytes);
  reader.Required("fds", process.fds);
  reader.Optional("heap_bytes", process.heap_bytes);
  reader.Optional("threads", process.threads);
  reader.Optional("growth", process.growth);
  return process;
}

void ReadExits(Reader& reader, WorkerExits& exits) {
  reader.Required("recycled", exits.recycled);
  reader.Required("crashed", exits.crashed);
  reader.Required("hung", exits.hung);
  reader.Required("over_budget", exits.over_budget);
  reader.Required("leak", exits.leak);
  reader.Optional("garbage", exits.garbage);
}

void ReadTotals(Reader& reader, Totals& totals) {
  reader.Required("requests", totals.requests);
  reader.Required("ok", totals.ok);
  reader.Required("client_errors", totals.client_errors);
  reader.Required("retried", totals.retried);
  reader.Required("failed", totals.failed);
  reader.Optional("refused", totals.refused);
  reader.Optional("cancelled", totals.cancelled);
  reader.Object("worker_exits", true, [&](Reader& r) { ReadExits(r, totals.worker_exits); });
  reader.Optional("zygote_restarts", totals.zygote_restarts);
  reader.Required("leak_alarms", totals.leak_alarms);
}

void ReadStatus(Reader& reader, ServiceStatus& status) {
  reader.Required("uptime_s", status.uptime_s);
  reader.List("processes", true, [&](Reader& r) { status.processes.push_back(ReadProcess(r)); });
  reader.Object("totals", true, [&](Reader& r) { ReadTotals(r, status.totals); });
  reader.Object("latency_ms", false, [&](Reader& r) {
    r.Required("p50", status.latency.p50_ms);
    r.Required("p99", status.latency.p99_ms);
    r.Required("max", status.latency.max_ms);
  });
  reader.Object("queue", false, [&](Reader& r) {
    r.Required("length", status.queue_length);
    r.Required("capacity", status.queue_capacity);
  });
  reader.Object("memory", true, [&](Reader& r) {
    r.Required("service_pss_bytes", status.service_pss_bytes);
    r.Required("budget_bytes", status.budget_bytes);
    r.Required("level", status.memory_level);
  });
  reader.Object("recovery_ms", false, [&](Reader& r) {
    r.Required("p50", status.recovery_p50_ms);
    r.Required("max", status.recovery_max_ms);
  });
  reader.List("events", false, [&](Reader& r) {
    ServiceEvent& event = status.events.emplace_back();
    r.Required("uptime_s", event.uptime_s);
    r.Required("text", event.text);
  });
}

}  // namespace

Result<ServiceStatus> FromJson(std::string_view json) {
  if (json.size() > kMaxJsonBytes) {
    return Fail(ErrorCode::kLimitExceeded, "a status is at most 4 MB");
  }
  const Json document = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded()) return Fail(ErrorCode::kCorruptData, "status: not JSON");
  ServiceStatus status;
  Reader reader(document);
  ReadStatus(reader, status);
  if (!reader.fault().empty()) return Fail(ErrorCode::kCorruptData, "status: " + reader.fault());
  return status;
}

}  // namespace holostat::runtime
