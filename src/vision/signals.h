#pragma once

#include <optional>

#include "holostat/frame_result.h"
#include "vision/signals_bones.h"
#include "vision/signals_face.h"
#include "vision/signals_head.h"
#include "vision/signals_joints.h"

namespace holostat::vision {

// What the landmarks of a person say about posture and expression, for avatars and for measuring;
// formulas and units: docs/signals.md. Left and right are the person's own. What cannot be told is
// absent.
struct Signals {
  std::optional<HeadPose> head;     // from the face
  std::optional<FaceSignals> face;  // likewise
  JointAngles joints;               // from the body's world landmarks
  BoneRotations bones;              // from body, hands and face
};

// `width` and `height` of the picture, pixels. A pure function; makes no heap call.
Signals SignalsOf(const Person& person, int width, int height);

}  // namespace holostat::vision
