#pragma once

#include <optional>
#include <span>

#include "base/result.h"
#include "holostat/frame_result.h"
#include "vision/region_builders.h"
#include "vision/region_model.h"

namespace holostat::vision {

// Finds the hands of a body. One instance serves both sides.
class HandStage {
 public:
  static Result<HandStage> Create(const ModelSource& source, Sampling sampling);

  // Where the hand of `side` is, from the pose and a look at the picture. Nothing when its wrist is
  // not to be seen. Errors: kInternal from the engine.
  Result<std::optional<NormalizedRect>> Locate(
      const ImageView& image, std::span<const PoseLandmark, kPoseLandmarkCount> pose, Side side,
      StageClock& clock);

  // The landmarks of the hand in `region`. Nothing when the model sees no hand there.
  // Errors: kInternal from the engine.
  Result<std::optional<Hand>> Run(const ImageView& image, const NormalizedRect& region,
                                  StageClock& clock);

  void TouchMemory() {  // see RegionModel
    recrop_.TouchMemory();
    landmarks_.TouchMemory();
  }

 private:
  HandStage(RegionModel recrop, RegionModel landmarks)
      : recrop_(std::move(recrop)), landmarks_(std::move(landmarks)) {}

  RegionModel recrop_;
  RegionModel landmarks_;
};

}  // namespace holostat::vision
