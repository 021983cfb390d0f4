#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "render/skin_model.h"
#include "render/vec4.h"

namespace holostat::render {

// A colour for each landmark, smooth over the mesh: what the light of a face adds to a texture.
// Takes all its memory when made.
class LightField {
 public:
  LightField();

  void Reset() { is_empty_ = true; }
  // Moves `share` of the way, 0..1, towards the smooth field that fits `differences` best: what was
  // measured at the skin triangles, in their order. The first time all the way.
  void Follow(std::span<const SkinSample> differences, float share);

  // R, G, B to add, and 0.
  const Vec4& at(std::size_t landmark) const { return field_[landmark]; }

 private:
  void Measure(std::span<const SkinSample> differences);
  void Smooth();

  bool is_empty_ = true;
  std::vector<Vec4> field_, measured_, smooth_;
  std::vector<float> weight_;  // of what was measured
};

}  // namespace holostat::render
