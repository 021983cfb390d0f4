#include "app/exit_code.h"

namespace holostat::app {

ExitCode InputExitCode(ErrorCode code) {
  switch (code) {
    case ErrorCode::kLimitExceeded:
      return ExitCode::kOverLimit;
    case ErrorCode::kInternal:
    case ErrorCode::kOverloaded:  // no memory left for it: the machine's fault, not the picture's
      return ExitCode::kInternal;
    default:
      return ExitCode::kInputUnreadable;
  }
}

ExitCode ModelExitCode(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInternal:
    case ErrorCode::kOverloaded:
      return ExitCode::kInternal;
    case ErrorCode::kInvalidArgument:
      return ExitCode::kUsage;
    default:
      return ExitCode::kModel;
  }
}

ExitCode OutputExitCode(ErrorCode code) {
  return code == ErrorCode::kLimitExceeded ? ExitCode::kOverLimit : ExitCode::kInternal;
}

}  // namespace holostat::app
