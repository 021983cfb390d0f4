#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "holostat/holistic_tracker.h"
#include "vision/pose_smoother.h"
#include "vision/region_model.h"
#include "vision/ssd_detector.h"

namespace holostat::vision {

// Finds bodies in a whole picture.
class PoseDetector {
 public:
  static Result<PoseDetector> Create(const ModelSource& source, float min_score, Sampling sampling);

  // Surest first, in fractions of the picture; PoseRegion(detection) is where the body is. Valid
  // until the next call. Errors: kInternal from the engine.
  Result<std::span<const Detection>> Detect(const ImageView& image, StageClock& clock);

  void TouchMemory() { detector_.TouchMemory(); }  // see RegionModel

 private:
  explicit PoseDetector(SsdDetector detector)
      : detector_(std::move(detector)), detections_(kMaxDetections) {}

  SsdDetector detector_;
  std::vector<Detection> detections_;
};

// A body and what later stages need of it.
struct Pose {
  float score = 0;
  std::array<PoseLandmark, kPoseLandmarkCount> landmarks{};
  std::array<PoseLandmark, kPoseLandmarkCount> world_landmarks{};
  std::array<PoseLandmark, kPoseAnchorCount> anchors{};
  std::optional<SegmentationMask> mask;  // borrowed from the landmarker until its next call
};

// Places the landmarks of a body in a region.
class PoseLandmarker {
 public:
  struct Options {
    Complexity complexity = Complexity::kFull;
    float min_score = 0.5f;  // a body must score more
    bool segmentation = false;
    Sampling sampling = Sampling::kPixelCentres;
  };
  static Result<PoseLandmarker> Create(const ModelSource& source, const Options& options);

  // Writes to `pose` and says whether there is a body; `pose` is undefined when there is none.
  // Errors: kInternal from the engine.
  Result<bool> Run(const ImageView& image, const NormalizedRect& region, StageClock& clock,
                   Pose& pose);

  // The values of the last pose's mask, to be changed. Empty without segmentation.
  std::span<float> mask_values() { return mask_; }

  void TouchMemory() { model_.TouchMemory(); }  // see RegionModel

 private:
  PoseLandmarker(RegionModel model, const Options& options);

  void Decode(const NormalizedRect& region, const Padding& padding, Pose& pose) const;

  RegionModel model_;
  float min_score_;
  Sampling sampling_;
  std::vector<float> mask_;  // probabilities; empty without segmentation
};

}  // namespace holostat::vision
