#include "app/find_service.h"

#include <fmt/format.h>

#include <vector>

#include "base/result.h"
#include "runtime/control_server.h"

namespace holostat::app {
namespace {

constexpr auto kPatience = std::chrono::seconds(2);

Result<FoundService> Ask(int pid) {
  std::string answer = HOLO_TRY(runtime::AskProcess(pid, runtime::kStatusRequest, kPatience));
  auto status =
      HOLO_TRY_CONTEXT(runtime::FromJson(answer), fmt::format("the answer of process {}", pid));
  return FoundService{.pid = pid, .answer = std::move(answer), .status = std::move(status)};
}

}  // namespace

Result<FoundService> FindService(std::optional<int> pid) {
  if (pid) return Ask(*pid);
  std::vector<FoundService> services;
  std::string pids, why_not;
  for (const int candidate : runtime::FindProcesses()) {
    auto service = Ask(candidate);
    if (service) {
      pids += fmt::format("{}{}", pids.empty() ? "" : ", ", candidate);
      services.push_back(*std::move(service));
    } else {
      why_not += fmt::format("; process {}: {}", candidate, service.error().message);
    }
  }
  if (services.size() == 1) return std::move(services.front());
  if (services.empty()) {
    return Fail(ErrorCode::kNotFound, "no service of holostat runs here" + why_not);
  }
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("several services run: choose one with --pid ({})", pids));
}

}  // namespace holostat::app
