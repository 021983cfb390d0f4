#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "holostat/image.h"

namespace holostat::media::av {

// How stored rows lie in the upright picture: first transposed, then mirrored.
struct Turn {
  bool transpose = false;
  bool mirror_columns = false;  // left to right
  bool mirror_rows = false;     // top to bottom

  bool is_none() const { return !transpose && !mirror_columns && !mirror_rows; }
};

// Of a display matrix (libavutil/display.h): the multiple of 90 degrees, mirrored or not, that is
// nearest to it.
Turn TurnOf(const std::int32_t* display_matrix);

// Writes the upright picture into rows of `stride_bytes`. REQUIRES: room for it; no overlap.
void TurnInto(const ImageView& stored, Turn turn, std::uint8_t* upright,
              std::ptrdiff_t stride_bytes);

}  // namespace holostat::media::av
