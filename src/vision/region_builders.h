#pragma once

#include <span>

#include "holostat/frame_result.h"
#include "vision/detection.h"
#include "vision/normalized_rect.h"

namespace holostat::vision {

// Where the next model should look, from what the one before it found. Formulas, letters and
// constants: docs/pipeline.md, "Regions". All results are square in pixels.
// Points at infinity or on top of each other give a rectangle that ToPixels refuses.

enum class Side { kLeft = 1, kRight };  // the person's own

// The body, from its detection.
NormalizedRect PoseRegion(const Detection& detection, ImageSize image);

// The body in the next frame, from the middle of its hips and the point that it reaches to.
NormalizedRect PoseRegion(Point hip_center, Point full_body_scale, ImageSize image);

// The head, from pose landmarks 0 to 10: where the face detector looks.
NormalizedRect FaceSearchRegion(std::span<const PoseLandmark, kPoseLandmarkCount> pose,
                                ImageSize image);

// The face, from its detection.
NormalizedRect FaceRegion(const Detection& detection, ImageSize image);

// The face in the next frame, from its landmarks. REQUIRES: at least kFaceMeshCount.
NormalizedRect FaceRegion(std::span<const Landmark> face, ImageSize image);

// G: the hand, roughly, from wrist, pinky and index of the pose: where the recrop model looks.
NormalizedRect HandSearchRegion(std::span<const PoseLandmark, kPoseLandmarkCount> pose, Side side,
                                ImageSize image);

// The hand, from the two points of the recrop model, already in fractions of the picture.
NormalizedRect HandRegion(Point center, Point scale, ImageSize image);

// H: the hand in the next frame, from its landmarks.
NormalizedRect HandRegion(std::span<const Landmark, kHandLandmarkCount> hand, ImageSize image);

// Landmark of the wrist of a side.
std::size_t WristIndex(Side side);

}  // namespace holostat::vision
