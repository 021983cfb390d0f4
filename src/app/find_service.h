#pragma once

#include <optional>
#include <string>

#include "holostat/result.h"
#include "runtime/service_status.h"

namespace holostat::app {

// A process of holostat that tells its status, and what it told.
struct FoundService {
  int pid = 0;
  std::string answer;  // the JSON as it came
  runtime::ServiceStatus status;
};

// Asks process `pid`; without one, the only process that tells its status to this user, or, where
// there are more, the only one with a supervisor. Waits two seconds for each. Errors: kNotFound
// (none), kInvalidArgument (more than one: names them), and those of AskProcess and FromJson.
Result<FoundService> FindService(std::optional<int> pid);

}  // namespace holostat::app
