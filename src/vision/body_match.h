#pragma once

#include "holostat/frame_result.h"
#include "vision/detection.h"
#include "vision/normalized_rect.h"
#include "vision/pose_stage.h"

namespace holostat::vision {

// Whether two bodies, each found by itself, are one. Rules and figures: docs/people.md.

// Where a body is in a picture.
struct BodyPlace {
  Point hips;      // the middle of them, pixels
  float size = 0;  // from there to where the body reaches, pixels: about half a standing person
};
BodyPlace PlaceOf(const Detection& detection, ImageSize image);
BodyPlace PlaceOf(const Pose& pose, ImageSize image);

// How far apart they are, in units of the larger one's size. Not finite when a place is not.
float DistanceOf(const BodyPlace& a, const BodyPlace& b);

// Whether a detection at `detected` is of the body at `followed`, which was found by its landmarks.
bool IsAt(const BodyPlace& detected, const BodyPlace& followed);

// 1 when each landmark of one lies on that of the other, 0 when they have nothing in common: as the
// object keypoint similarity of COCO, but with one tolerance, a tenth of the body's size, for all
// points. Points that one of the two does not show hardly count.
float SimilarityOf(const Pose& a, const Pose& b, ImageSize image);

// Whether two sets of landmarks lie on the same body.
bool IsSameBody(const Pose& a, const Pose& b, ImageSize image);

}  // namespace holostat::vision
