#pragma once

#include <optional>
#include <span>

#include "base/result.h"
#include "holostat/frame_result.h"
#include "vision/normalized_rect.h"
#include "vision/region_model.h"
#include "vision/ssd_detector.h"

namespace holostat::vision {

// Finds the face of a body.
class FaceStage {
 public:
  // `refine`: 478 points by the attention model, else 468.
  static Result<FaceStage> Create(const ModelSource& source, bool refine, Sampling sampling);

  // Where the face is, from the pose and a look at the picture. Nothing when there is none.
  // Errors: kInternal from the engine.
  Result<std::optional<NormalizedRect>> Locate(
      const ImageView& image, std::span<const PoseLandmark, kPoseLandmarkCount> pose,
      StageClock& clock);

  // Writes the landmarks of the face in `region` to `face`, or empties it when the model sees no
  // face there. Errors: kInternal from the engine.
  Result<void> Run(const ImageView& image, const NormalizedRect& region, StageClock& clock,
                   std::optional<Face>& face);

 private:
  FaceStage(SsdDetector detector, RegionModel landmarks, bool refine)
      : detector_(std::move(detector)), landmarks_(std::move(landmarks)), refine_(refine) {}

  void Decode(const NormalizedRect& region, Face& face) const;

  SsdDetector detector_;
  RegionModel landmarks_;
  bool refine_;
};

}  // namespace holostat::vision
