#include "render/skin_model.h"

#include <algorithm>

#include "render/face_mesh.h"
#include "render/face_regions.h"

namespace holostat::render {
namespace {

constexpr int kInner = 6;  // rings from the oval: further in there is hardly anything but skin
constexpr double kLike = 2, kUnlike = 3.5;  // standard deviations

}  // namespace

std::array<float, kFaceMeshCount> LikenessToSkin(std::span<const SkinSample> samples) {
  const FaceRegions& regions = TheFaceRegions();
  const auto triangles = FaceSkinTriangles();
  ColorStats inner;
  std::array<Color, kFaceMeshCount> sums{};
  std::array<float, kFaceMeshCount> weights{};
  for (std::size_t t = 0; t < samples.size(); ++t) {
    const SkinSample& sample = samples[t];
    if (!regions.is_plain[t] || !(sample.weight > 0)) continue;
    const auto is_inner = [&](std::uint16_t v) { return regions.rings[v] >= kInner; };
    if (std::ranges::all_of(triangles[t], is_inner)) inner.Add(sample.color, sample.weight);
    for (const std::uint16_t v : triangles[t]) {
      for (std::size_t c = 0; c < 3; ++c) sums[v][c] += sample.weight * sample.color[c];
      weights[v] += sample.weight;
    }
  }
  std::array<float, kFaceMeshCount> likeness;
  likeness.fill(1);
  if (inner.weight() <= 0) return likeness;
  const ColorDistance distance(inner);
  for (std::size_t v = 0; v < likeness.size(); ++v) {
    if (regions.rings[v] >= kInner || !(weights[v] > 0)) continue;
    const Color mean{sums[v][0] / weights[v], sums[v][1] / weights[v], sums[v][2] / weights[v]};
    const double share = std::clamp((distance(mean) - kLike) / (kUnlike - kLike), 0.0, 1.0);
    likeness[v] = static_cast<float>(1 - share * share * (3 - 2 * share));
  }
  return likeness;
}

}  // namespace holostat::render
