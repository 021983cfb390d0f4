#pragma once

#include <array>
#include <optional>

#include "holostat/frame_result.h"
#include "vision/procrustes.h"

namespace holostat::vision {

// Where a face is in the space of a camera, found by laying MediaPipe's canonical face over it: the
// steps of its face geometry module (docs/signals.md, "Head"). The camera is at the origin and
// looks along -z; x to the right of the picture, y up; centimetres of a face of the canonical
// size. The camera is taken to have a vertical field of view of 63 degrees, as MediaPipe does.
class FaceGeometry {
 public:
  // Nothing for a face that is a point, or not finite. `width` and `height` of the picture, pixels.
  static std::optional<FaceGeometry> Fit(const Face& face, int width, int height);

  // Takes the canonical face (x to the person's left, y up, z out of the face) into the camera's
  // space; its scale is near 1.
  const Similarity& pose() const { return pose_; }

  // How the face is turned where perspective is left out: towards the ray on which it is seen, not
  // towards the camera's axis. What the body's world landmarks are turned by as well.
  const Quaternion& flat_rotation() const { return flat_rotation_; }

  // A landmark, of the irises too, as it would lie on the canonical face: the turn, the place and
  // the size of the head taken away, the expression left. Centimetres.
  Vec3 OnCanonicalFace(const Landmark& point) const { return pose_.Undo(ToCamera(point, scale_)); }

 private:
  FaceGeometry(double plane_width, double plane_height, double depth)
      : plane_width_(plane_width), plane_height_(plane_height), depth_(depth) {}

  // On the plane at distance 1 of the camera, y up, z as it was found: smaller is nearer.
  Vec3 OnPlane(const Landmark& point) const;
  // `scale`: what a centimetre at the depth of the face is on that plane.
  Vec3 ToCamera(const Landmark& point, double scale) const;

  double plane_width_, plane_height_;  // of the picture at distance 1
  double depth_;                       // mean z of the face on the plane
  double scale_ = 1;
  Similarity pose_;
  Quaternion flat_rotation_;
};

}  // namespace holostat::vision
