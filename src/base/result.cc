#include "base/result.h"

namespace holostat {

std::string_view ErrorCodeName(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "invalid_argument";
    case ErrorCode::kNotFound:
      return "not_found";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kCorruptData:
      return "corrupt_data";
    case ErrorCode::kLimitExceeded:
      return "limit_exceeded";
    case ErrorCode::kOverloaded:
      return "overloaded";
    case ErrorCode::kTimeout:
      return "timeout";
    case ErrorCode::kUnavailable:
      return "unavailable";
    case ErrorCode::kInternal:
      return "internal";
  }
  return "unknown";
}

Error WithContext(Error error, std::string_view context) {
  error.message.insert(0, ": ");
  error.message.insert(0, context);
  return error;
}

}  // namespace holostat
