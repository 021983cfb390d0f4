#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
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

  // Likewise, of the picture of the last Detect, those as well that score only half of what counts:
  // beside a sure body others are seen less surely (docs/people.md). REQUIRES: there was one.
  std::span<const Detection> DetectFurther();

  // How many squares are looked at one by one in a picture that is not nearly square; 0 for one
  // that is. They see people larger than a look at the whole picture does.
  static std::size_t TileCount(ImageSize image);
  // As Detect, in one of these squares, which lie side by side from left to right or from top to
  // bottom. A score must be halfway between what counts and 1: without its surroundings a large
  // hand, for one, looks like a body. REQUIRES: tile < TileCount(...).
  Result<std::span<const Detection>> DetectInTile(const ImageView& image, std::size_t tile,
                                                  StageClock& clock);

  void TouchMemory() { detector_.TouchMemory(); }  // see RegionModel

 private:
  PoseDetector(SsdDetector detector, float min_score)
      : detector_(std::move(detector)), min_score_(min_score), detections_(kMaxDetections) {}

  std::span<const Detection> InPicture(std::span<const Detection> in_crop);

  SsdDetector detector_;
  float min_score_;
  Padding padding_;  // of the last Detect
  std::vector<Detection> detections_;
};

// A body and what later stages need of it.
struct Pose {
  float score = 0;
  std::array<PoseLandmark, kPoseLandmarkCount> landmarks{};
  std::array<PoseLandmark, kPoseLandmarkCount> world_landmarks{};
  std::array<PoseLandmark, kPoseAnchorCount> anchors{};
  std::optional<SegmentationMask> mask;  // its values are where Run was told to put them
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

  // Writes to `pose`, and with segmentation its mask to `mask_values`, and says whether there is a
  // body; both are undefined when there is none. Errors: kInternal from the engine.
  // REQUIRES: with segmentation, mask_values has the size of a mask.
  Result<bool> Run(const ImageView& image, const NormalizedRect& region, StageClock& clock,
                   Pose& pose, std::span<float> mask_values);

  void TouchMemory() { model_.TouchMemory(); }  // see RegionModel

 private:
  PoseLandmarker(RegionModel model, const Options& options)
      : model_(std::move(model)), options_(options) {}

  void Decode(const NormalizedRect& region, const Padding& padding, Pose& pose) const;

  RegionModel model_;
  Options options_;
};

}  // namespace holostat::vision
