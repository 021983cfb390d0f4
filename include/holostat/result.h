#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "holostat/api.h"

namespace holostat {

// What went wrong, named by what the caller can do about it.
enum class ErrorCode {
  kInvalidArgument = 1,  // the call is wrong: change it
  kNotFound,             // the named thing does not exist
  kUnsupported,          // well-formed, but not something this build handles
  kCorruptData,          // bytes that do not parse: do not retry with the same bytes
  kLimitExceeded,        // larger than a configured limit, refused before memory was spent on it
  kOverloaded,           // try again later
  kTimeout,              // took longer than its deadline
  kUnavailable,          // something this needs is down
  kInternal,             // a fault of ours
};

// The snake_case name of a code, for messages and JSON: "corrupt_data".
HOLO_API std::string_view ErrorCodeName(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;  // one sentence for a person: what failed, on which object, why
};

// A value or the reason there is none. Building one on the success path never allocates.
template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> Fail(ErrorCode code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message)});
}

}  // namespace holostat
