#include "render/face_steadier.h"

#include <algorithm>

namespace holostat::render {
namespace {

constexpr vision::OneEuroParameters kParameters{
    .min_cutoff = 0.05f, .beta = 80, .derivate_cutoff = 1};
constexpr std::chrono::seconds kLongestStep(1);

// Half of the width and height of the box of the face, pixels.
float SizeOf(const Face& face, int width, int height) {
  float left = face.points[0].x, right = left, top = face.points[0].y, bottom = top;
  for (std::size_t i = 0; i < kFaceMeshCount; ++i) {
    left = std::min(left, face.points[i].x);
    right = std::max(right, face.points[i].x);
    top = std::min(top, face.points[i].y);
    bottom = std::max(bottom, face.points[i].y);
  }
  return ((right - left) * static_cast<float>(width) +
          (bottom - top) * static_cast<float>(height)) /
         2;
}

}  // namespace

void FaceSteadier::Reset() {
  last_.reset();
  for (vision::OneEuroFilter& filter : filters_) filter.Reset();
}

void FaceSteadier::Apply(std::chrono::microseconds timestamp, int width, int height, Face& face) {
  if (last_ && (timestamp <= *last_ || timestamp - *last_ > kLongestStep)) Reset();
  // The first value passes, whatever the step.
  const double step = last_ ? std::chrono::duration<double>(timestamp - *last_).count() : 1;
  last_ = timestamp;
  const float size = SizeOf(face, width, height);
  if (!(size > 0)) return;
  const float scale = 1 / size;
  vision::OneEuroFilter* filter = filters_.data();
  for (std::size_t i = 0; i < kFaceMeshCount; ++i) {
    Landmark& p = face.points[i];
    const float w = static_cast<float>(width), h = static_cast<float>(height);
    p.x = filter++->Apply(kParameters, step, scale, p.x * w) / w;
    p.y = filter++->Apply(kParameters, step, scale, p.y * h) / h;
    p.z = filter++->Apply(kParameters, step, scale, p.z * w) / w;
  }
}

}  // namespace holostat::render
