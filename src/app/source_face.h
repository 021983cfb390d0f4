#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "holostat/holistic_tracker.h"
#include "holostat/picture.h"
#include "render/face_texture.h"

namespace holostat::app {

// The face that is in `pictures`, one of the same person each. `tracker` is one for still pictures;
// what it found before is gone afterwards. Errors: those of ReadPicture; kUnsupported when there is
// nobody with a face in one, named; those of FaceTexture::Make.
Result<render::FaceTexture> ReadSourceFace(const std::vector<std::string>& pictures,
                                           const PictureLimits& limits, HolisticTracker& tracker);

}  // namespace holostat::app
