#include "vision/signals.h"

namespace holostat::vision {

Signals SignalsOf(const Person& person, int width, int height) {
  Signals signals;
  const auto geometry = person.face ? FaceGeometry::Fit(*person.face, width, height) : std::nullopt;
  if (geometry) {
    signals.head = HeadPoseOf(geometry->pose());
    signals.face = FaceSignalsOf(*person.face, *geometry);
  }
  signals.joints = JointAnglesOf(person);
  signals.bones = BoneRotationsOf(person, geometry ? &*geometry : nullptr,
                                  signals.face ? &*signals.face : nullptr);
  return signals;
}

}  // namespace holostat::vision
