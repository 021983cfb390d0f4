#pragma once

#include <array>
#include <span>

#include "holostat/frame_result.h"
#include "render/color_match.h"

namespace holostat::render {

// What was measured at one skin triangle of a face.
struct SkinSample {
  Color color{};
  float weight = 0;  // 0: nothing
};

// How much each landmark near the oval looks like the skin of the inner face, 0..1; 1 for all
// others. Hair, a hat or what is behind the face do not: they are neither taken from a source nor
// covered. `samples` are those of FaceSkinTriangles, in order. Makes no heap call.
std::array<float, kFaceMeshCount> LikenessToSkin(std::span<const SkinSample> samples);

}  // namespace holostat::render
