#pragma once

#include <optional>
#include <span>

#include "vision/rotation.h"

namespace holostat::vision {

// x -> scale * rotation(x) + translation.
struct Similarity {
  double scale = 1;
  Quaternion rotation;
  Vec3 translation;

  Vec3 Apply(const Vec3& x) const { return scale * rotation.Rotate(x) + translation; }
  Vec3 Undo(const Vec3& x) const { return 1 / scale * rotation.Inverse().Rotate(x - translation); }
};

// The similarity that takes `from` nearest to `to`: least sum of weight * distance^2 over rotations
// and translations, and the scale of MediaPipe's solver, sum w (R a).b / sum w a.a about the centre
// of `from`. The rotation is the largest eigenvector of Horn's 4x4 matrix (Closed-form solution of
// absolute orientation using unit quaternions, 1987), which never mirrors. Nothing where the points
// do not determine it. REQUIRES: three spans of one length.
std::optional<Similarity> FitSimilarity(std::span<const Vec3> from, std::span<const Vec3> to,
                                        std::span<const double> weights);

}  // namespace holostat::vision
