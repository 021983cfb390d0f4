#pragma once

#include "holostat/image.h"

namespace holostat::render {

// Makes the whole picture unrecognizable, in place: squares of one colour, 24 across the longer
// side. No heap call.
void DrawMosaic(Image& image);

}  // namespace holostat::render
