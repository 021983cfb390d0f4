#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.h"
#include "holostat/image.h"
#include "vision/anchors.h"
#include "vision/detection.h"
#include "vision/region_model.h"
#include "vision/weighted_nms.h"

namespace holostat::vision {

// More things than this in one picture are dropped, the least sure first.
inline constexpr std::size_t kMaxDetections = 16;

// A single-shot detector: model, anchors, decoding and suppression in one.
struct SsdSpec {
  RegionModelSpec model;  // output 0: boxes, output 1: scores
  std::vector<AnchorLayer> layers;
  std::size_t keypoint_count = 0;
  float min_score = 0.5f;  // what scores less is not kept
};

class SsdDetector {
 public:
  static Result<SsdDetector> Create(const ModelSource& source, SsdSpec spec);

  void TouchMemory() { model_.TouchMemory(); }  // see RegionModel

  struct Output {
    std::span<const Detection>
        detections;  // surest first, in fractions of the crop; until next Run
    RegionModel::Crop crop;
  };
  // No heap call. Errors: kInternal from the engine.
  Result<Output> Run(const ImageView& image, const PixelRegion& region, StageClock& clock);

  // What the last run saw that scores at least `min_score`, as in Output. REQUIRES: there was one.
  std::span<const Detection> Decode(float min_score);

 private:
  SsdDetector(const SsdSpec& spec, std::vector<Point> anchors, RegionModel model);

  int input_size_;
  std::size_t keypoint_count_;
  float min_score_;
  std::vector<Point> anchors_;
  RegionModel model_;
  WeightedNms nms_;
  std::vector<Detection> candidates_;
  std::vector<Detection> kept_;
};

}  // namespace holostat::vision
