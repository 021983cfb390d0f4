#include "vision/bones_torso.h"

#include <array>

#include "vision/canonical_face.h"
#include "vision/procrustes.h"

namespace holostat::vision {
namespace {

// y as it is; `x` gives way.
std::optional<Quaternion> FrameOfYX(const Vec3& y, const Vec3& x) {
  const auto z = Unit(Cross(x, y));
  if (!z) return std::nullopt;
  return FromAxes(Cross(y, *z), y, *z);
}

// x as it is; `y` gives way.
std::optional<Quaternion> FrameOfXY(const Vec3& x, const Vec3& y) {
  const auto z = Unit(Cross(x, y));
  if (!z) return std::nullopt;
  return FromAxes(x, Cross(*z, x), *z);
}

// Where the eleven points of a pose on the head (nose, three of each eye, ears, mouth) lie on the
// canonical face; the middle of two vertices.
constexpr std::array<std::array<std::uint16_t, 2>, 11> kHeadPoints{{{1, 1},
                                                                    {362, 362},
                                                                    {263, 362},
                                                                    {263, 263},
                                                                    {133, 133},
                                                                    {33, 133},
                                                                    {33, 33},
                                                                    {454, 454},
                                                                    {234, 234},
                                                                    {291, 291},
                                                                    {61, 61}}};

Vec3 CanonicalPoint(std::size_t index) {
  const auto& [x, y, z] = kCanonicalFace[index];
  return {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
}

}  // namespace

std::optional<TorsoRotations> TorsoOf(const BodyPoints& body) {
  if (!body.Sees(11) || !body.Sees(12)) return std::nullopt;
  const auto across_shoulders = Unit(body[11] - body[12]);
  const auto up = Unit(Middle(body[11], body[12]) - Middle(body[23], body[24]));
  if (!across_shoulders || !up) return std::nullopt;
  const auto chest = FrameOfYX(*up, *across_shoulders);
  if (!chest) return std::nullopt;
  TorsoRotations torso{*chest, *chest, *chest};
  if (!body.Sees(23) || !body.Sees(24)) return torso;
  const auto across_hips = Unit(body[23] - body[24]);
  if (!across_hips) return torso;
  torso.hips = FrameOfXY(*across_hips, *up).value_or(*chest);
  torso.spine = FrameOfYX(*up, *across_hips + *across_shoulders).value_or(*chest);
  return torso;
}

std::optional<Quaternion> HeadOf(const BodyPoints& body, const FaceGeometry* geometry) {
  if (geometry) return geometry->flat_rotation();
  std::array<Vec3, kHeadPoints.size()> from, to;
  std::array<double, kHeadPoints.size()> weights;
  for (std::size_t i = 0; i < kHeadPoints.size(); ++i) {
    if (!body.Sees(i)) return std::nullopt;
    from[i] = Middle(CanonicalPoint(kHeadPoints[i][0]), CanonicalPoint(kHeadPoints[i][1]));
    to[i] = 100.0 * body[i];
    weights[i] = 1;
  }
  const auto fit = FitSimilarity(from, to, weights);
  if (!fit) return std::nullopt;
  return fit->rotation;
}

}  // namespace holostat::vision
