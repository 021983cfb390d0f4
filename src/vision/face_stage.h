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
  struct Options {
    bool plain = false;    // load the model that gives 468 points
    bool refined = false;  // load the attention model, which gives 478
    Sampling sampling = Sampling::kPixelCentres;
  };
  static Result<FaceStage> Create(const ModelSource& source, const Options& options);

  // Whether the model is loaded that `refine` means.
  bool Has(bool refine) const { return (refine ? refined_ : plain_).has_value(); }

  // Where the face is, from the pose and a look at the picture. Nothing when there is none.
  // Errors: kInternal from the engine.
  Result<std::optional<NormalizedRect>> Locate(
      const ImageView& image, std::span<const PoseLandmark, kPoseLandmarkCount> pose,
      StageClock& clock);

  // Writes the landmarks of the face in `region` to `face`, or empties it when the model sees no
  // face there. Errors: kInternal from the engine. REQUIRES: Has(refine).
  Result<void> Run(const ImageView& image, const NormalizedRect& region, bool refine,
                   StageClock& clock, std::optional<Face>& face);

  void TouchMemory();  // see RegionModel

 private:
  explicit FaceStage(SsdDetector detector) : detector_(std::move(detector)) {}

  SsdDetector detector_;
  std::optional<RegionModel> plain_, refined_;
};

}  // namespace holostat::vision
