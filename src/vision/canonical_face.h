#pragma once

#include <array>
#include <cstdint>

#include "holostat/frame_result.h"

namespace holostat::vision {

// MediaPipe's canonical face: each point of the mesh on a face of no expression that looks at the
// viewer. Centimetres; x to the person's left, y up, z out of the face. Source and licence:
// canonical_face.cc.
extern const std::array<std::array<float, 3>, kFaceMeshCount> kCanonicalFace;

// The points that tell where a face is, and how much each counts.
struct FaceBasisPoint {
  std::uint16_t index;
  float weight;
};
inline constexpr std::size_t kFaceBasisCount = 33;
extern const std::array<FaceBasisPoint, kFaceBasisCount> kFaceBasis;

}  // namespace holostat::vision
