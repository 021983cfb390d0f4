#pragma once

#include <optional>

#include "vision/face_geometry.h"

namespace holostat::vision {

// Where an eye looks, from the head's point of view. Degrees.
struct Gaze {
  double yaw_deg = 0;    // + to the person's left
  double pitch_deg = 0;  // + up
};

// One side of a face, the person's own.
struct EyeSignals {
  // Gap of the lids / width of the eye: about 0.3 open, under 0.12 shut.
  double openness = 0;
  // Height of the brow above the corners of the eye / distance between the outer corners of the
  // eyes: about 0.2; more when raised. To be compared with the same face at rest.
  double brow = 0;
  std::optional<Gaze> gaze;  // none without irises, or behind a lid that is shut
};

struct FaceSignals {
  EyeSignals left, right;
  // Gap of the lips / distance between their inner corners: 0 shut, about 0.2 speaking.
  double mouth_openness = 0;
};

// Formulas: docs/signals.md, "Face".
FaceSignals FaceSignalsOf(const Face& face, const FaceGeometry& geometry);

}  // namespace holostat::vision
