#include "media/av/watch.h"

#include <fmt/format.h>

namespace holostat::media::av {

Error Watch::ToError(std::string_view what) const {
  if (is_interrupted()) return {ErrorCode::kUnavailable, fmt::format("{}: interrupted", what)};
  return {ErrorCode::kTimeout, fmt::format("{}: nothing came for {:g} s", what,
                                           std::chrono::duration<double>(patience_).count())};
}

}  // namespace holostat::media::av
