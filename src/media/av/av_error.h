#pragma once

#include <string_view>

#include "base/result.h"

namespace holostat::media::av {

// The Error for a code that FFmpeg returned: what failed, the meaning of the code, and the reason
// that FFmpeg's log gave on this thread (media/av/log.h).
Error AvError(int code, std::string_view what);

}  // namespace holostat::media::av
