#pragma once

#include <string_view>

#include "holostat/image.h"

namespace holostat::render {

enum class LabelCorner { kTopLeft = 1, kTopRight, kBottomLeft, kBottomRight };

struct LabelOptions {
  LabelCorner corner = LabelCorner::kBottomLeft;
  // Of the letters, as a share of the picture's shorter side.
  double height = 0.05;
};

// Writes `text` into a corner of the picture, light on a dark ground, in strokes of our own:
// capital letters, digits and - . , : / are known; small letters are written as capitals, anything
// else as a box. A text too wide for the picture is made smaller. Makes no heap call; at most
// kMostLabelLetters are written.
inline constexpr std::size_t kMostLabelLetters = 64;
void DrawLabel(std::string_view text, const LabelOptions& options, Image& image);

}  // namespace holostat::render
