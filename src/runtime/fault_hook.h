#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "ipc/message.h"

namespace holostat::runtime {

// Where the faults of holostat-chaos enter a worker; the release program has none. `fault` is the
// text of ipc::Job or ipc::ForkWorker, empty for none.
class FaultHook {
 public:
  virtual ~FaultHook() = default;
  virtual void AtStart(std::string_view fault) = 0;
  virtual void BeforeJob(std::string_view fault) = 0;
  // After the answer was written and `done` filled, before it is sent.
  virtual void BeforeAnswer(std::string_view fault, std::span<std::byte> answer,
                            ipc::JobDone& done) = 0;
  virtual void AfterAnswer(std::string_view fault) = 0;
};

}  // namespace holostat::runtime
