#include "render/light_field.h"

#include <algorithm>

#include "render/face_mesh.h"
#include "render/face_regions.h"

namespace holostat::render {
namespace {

constexpr int kRounds = 24;       // of smoothing
constexpr float kTrust = 0.35f;   // in what is measured at a landmark, against what is around it
constexpr float kMostLight = 90;  // levels

}  // namespace

LightField::LightField()
    : field_(kFaceMeshCount),
      measured_(kFaceMeshCount),
      smooth_(kFaceMeshCount),
      weight_(kFaceMeshCount) {}

void LightField::Follow(std::span<const SkinSample> differences, float share) {
  Measure(differences);
  smooth_ = is_empty_ ? measured_ : field_;  // of the same size: no heap call
  Smooth();
  if (is_empty_) share = 1;
  for (std::size_t v = 0; v < field_.size(); ++v) field_[v] += (smooth_[v] - field_[v]) * share;
  is_empty_ = false;
}

// Each landmark takes the mean of the triangles around it.
void LightField::Measure(std::span<const SkinSample> differences) {
  std::ranges::fill(measured_, Vec4{});
  std::ranges::fill(weight_, 0.0f);
  const auto triangles = FaceSkinTriangles();
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const SkinSample& sample = differences[t];
    if (!(sample.weight > 0)) continue;
    const Vec4 color{sample.color[0], sample.color[1], sample.color[2], 0};
    for (const std::uint16_t v : triangles[t]) {
      measured_[v] += color * sample.weight;
      weight_[v] += sample.weight;
    }
  }
  const Vec4 most = Vec4{} + kMostLight;
  for (std::size_t v = 0; v < measured_.size(); ++v) {
    if (!(weight_[v] > 0)) continue;
    const Vec4 mean = measured_[v] / weight_[v];
    measured_[v] = mean > most ? most : (mean < -most ? -most : mean);
  }
}

// Each landmark takes the mean of its own and what is around it: nothing measured, the latter.
void LightField::Smooth() {
  const auto& neighbours = TheFaceRegions().neighbours;
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t v = 0; v < smooth_.size(); ++v) {
      const auto around = neighbours.of(v);
      const float count = static_cast<float>(around.size());
      const float own = kTrust * count * std::min(weight_[v], 1.0f);
      Vec4 sum = measured_[v] * own;
      for (const std::uint16_t n : around) sum += smooth_[n];
      smooth_[v] = sum / (own + count);
    }
  }
}

}  // namespace holostat::render
