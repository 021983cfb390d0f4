#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "holostat/frame_result.h"
#include "vision/one_euro_filter.h"

namespace holostat::render {

// Makes the mesh of a face steady over the frames of a video, so that what is drawn on it does not
// tremble: a one-euro filter a coordinate, on the scale of the face, as MediaPipe's face landmarker
// has it (mediapipe/tasks/cc/vision/face_landmarker, Apache-2.0: cut-offs 0.05 and 1 Hz, beta 80).
// Takes all its memory when made.
class FaceSteadier {
 public:
  FaceSteadier() : filters_(kFaceMeshCount * 3) {}

  void Reset();
  // Moves the 468 points of `face`, which is in a picture of width x height. A timestamp that is
  // not later than the one before, or later by over a second, begins anew.
  void Apply(std::chrono::microseconds timestamp, int width, int height, Face& face);

 private:
  std::optional<std::chrono::microseconds> last_;
  std::vector<vision::OneEuroFilter> filters_;
};

}  // namespace holostat::render
