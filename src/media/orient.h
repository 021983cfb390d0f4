#pragma once

#include "holostat/image.h"
#include "media/exif.h"

namespace holostat::media {

// Turns stored rows into the upright picture. Mirrors and half turns work in place; quarter turns
// need a second picture while they run.
Image Orient(Image stored, Orientation orientation);

}  // namespace holostat::media
