#pragma once

#include <optional>

#include "vision/face_geometry.h"
#include "vision/rotation.h"
#include "vision/signals_body.h"

namespace holostat::vision {

// The trunk, turned against the world. The spine goes from the middle of the hips to the middle of
// the shoulders; hips that are not seen turn as the chest does.
struct TorsoRotations {
  Quaternion hips, spine, chest;
};
// Nothing where the shoulders are not seen.
std::optional<TorsoRotations> TorsoOf(const BodyPoints& body);

// The head, turned against the world: as its face is, or else as the points of the pose on it are.
std::optional<Quaternion> HeadOf(const BodyPoints& body, const FaceGeometry* geometry);

}  // namespace holostat::vision
