#pragma once

#include <string>
#include <utility>

#include "base/result.h"

namespace holostat::engine {

// What a model file says cannot be: the error of all its readers.
inline tl::unexpected<Error> Corrupt(std::string message) {
  return Fail(ErrorCode::kCorruptData, std::move(message));
}

}  // namespace holostat::engine
