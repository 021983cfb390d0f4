#pragma once

#include "base/result.h"
#include "holostat/picture.h"

namespace holostat::app {

// The picture on standard input, as of DecodePicture. Ends with kUnavailable when the run is
// interrupted (app/interruption.h).
Result<Image> ReadStdinPicture(const PictureLimits& limits);

}  // namespace holostat::app
