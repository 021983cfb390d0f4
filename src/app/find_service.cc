#include "app/find_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/text_bars.h"
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

std::string RoleOf(const FoundService& service) {
  const auto& processes = service.status.processes;
  return processes.empty() ? "?" : AsciiOnly(processes.front().role);
}

bool IsSupervised(const FoundService& service) {
  const auto& processes = service.status.processes;
  return std::any_of(processes.begin(), processes.end(),
                     [](const auto& process) { return process.role == "supervisor"; });
}

// The only one; or else the only service among commands that just run, such as track.
Result<FoundService> ChooseOf(std::vector<FoundService> found) {
  if (found.size() == 1) return std::move(found.front());
  const auto supervised = std::count_if(found.begin(), found.end(), IsSupervised);
  if (supervised == 1) return std::move(*std::find_if(found.begin(), found.end(), IsSupervised));
  std::string names;
  for (const FoundService& service : found) {
    names += fmt::format("{}{} {}", names.empty() ? "" : ", ", RoleOf(service), service.pid);
  }
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("several processes run: choose one with --pid ({})", names));
}

}  // namespace

Result<FoundService> FindService(std::optional<int> pid) {
  if (pid) return Ask(*pid);
  std::vector<FoundService> found;
  std::string why_not;
  for (const int candidate : runtime::FindProcesses()) {
    auto service = Ask(candidate);
    if (service) {
      found.push_back(*std::move(service));
    } else {
      why_not += fmt::format("; process {}: {}", candidate, service.error().message);
    }
  }
  if (!found.empty()) return ChooseOf(std::move(found));
  return Fail(ErrorCode::kNotFound, "no service of holostat runs here" + why_not);
}

}  // namespace holostat::app
