#pragma once

#include <cstddef>
#include <optional>

#include "exporter/keypoint_sets.h"
#include "holostat/frame_result.h"

namespace holostat::exporter {

// A keypoint in pixels of the picture. confidence 0: there is none, and all is 0.
struct Keypoint {
  float x = 0, y = 0, confidence = 0;
};

// Keypoints of a frame in the sets of keypoint_sets.h. A coordinate that is not finite makes a
// point that is not there.
class KeypointReader {
 public:
  explicit KeypointReader(const FrameResult& frame)
      : width_(static_cast<float>(frame.width)), height_(static_cast<float>(frame.height)) {}

  // Confidence: the visibility; of a middle the lesser one.
  Keypoint Body(const Person& person, BodyKeypoint which) const;
  // Confidence: that of the face. `index` may be of an iris that the face does not have.
  Keypoint OfFace(const std::optional<Face>& face, std::size_t index) const;
  Keypoint OfHand(const std::optional<Hand>& hand, std::size_t index) const;

 private:
  Keypoint At(float x, float y, float confidence) const;

  float width_, height_;
};

}  // namespace holostat::exporter
