#include "vision/pose_stage.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "vision/heatmap_refinement.h"
#include "vision/landmark_decoder.h"
#include "vision/projection.h"
#include "vision/region_builders.h"
#include "vision/segmentation.h"

namespace holostat::vision {
namespace {

constexpr float kNearlySquare = 1.25f;  // the longer side over the shorter one, at most
constexpr std::size_t kMostTiles = 3;
constexpr float kFurtherShare = 0.5f;  // of the score that a body must have

constexpr int kDetectionInput = 224;
constexpr int kLandmarkInput = 256;
constexpr int kHeatmapSize = 64;
// The model gives 39 points: 33 of the body, the two anchors, four that nobody uses.
constexpr std::size_t kRawLandmarks = 39;
constexpr std::size_t kUsedLandmarks = kPoseLandmarkCount + kPoseAnchorCount;

enum Output : std::size_t { kLandmarks = 0, kFlag, kMask, kHeatmap, kWorld };

ModelId PoseModel(Complexity complexity) {
  switch (complexity) {
    case Complexity::kLite:
      return ModelId::kPoseLandmarkLite;
    case Complexity::kHeavy:
      return ModelId::kPoseLandmarkHeavy;
    case Complexity::kFull:
      break;
  }
  return ModelId::kPoseLandmarkFull;
}

}  // namespace

Result<PoseDetector> PoseDetector::Create(const ModelSource& source, float min_score,
                                          Sampling sampling) {
  SsdSpec spec{.model = {.model = ModelId::kPoseDetection,
                         .stage = Stage::kPoseDetection,
                         .input_size = kDetectionInput,
                         .low = -1,
                         .high = 1,
                         .border = media::Border::kZero,
                         .sampling = sampling,
                         .outputs = {},
                         .sizes = {}},
               .layers = {{8, 2}, {16, 2}, {32, 6}},
               .keypoint_count = kPoseKeypointCount,
               .min_score = min_score};
  return PoseDetector(HOLO_TRY(SsdDetector::Create(source, std::move(spec))), min_score);
}

Result<std::span<const Detection>> PoseDetector::Detect(const ImageView& image, StageClock& clock) {
  const PixelRegion whole = WholeImage({image.width, image.height});
  const SsdDetector::Output found = HOLO_TRY(detector_.Run(image, whole, clock));
  padding_ = found.crop.padding;
  return InPicture(found.detections);
}

std::span<const Detection> PoseDetector::DetectFurther() {
  return InPicture(detector_.Decode(kFurtherShare * min_score_));
}

std::size_t PoseDetector::TileCount(ImageSize image) {
  const auto [shorter, longer] = std::minmax(image.width, image.height);
  const float aspect = static_cast<float>(longer) / static_cast<float>(shorter);
  if (!(aspect > kNearlySquare)) return 0;
  return std::min(static_cast<std::size_t>(std::ceil(aspect)), kMostTiles);
}

Result<std::span<const Detection>> PoseDetector::DetectInTile(const ImageView& image,
                                                              std::size_t tile, StageClock& clock) {
  const ImageSize size{image.width, image.height};
  const auto [shorter, longer] = std::minmax(image.width, image.height);
  const float side = static_cast<float>(shorter);
  const float step = static_cast<float>(longer - shorter) / static_cast<float>(TileCount(size) - 1);
  const float along = side / 2 + step * static_cast<float>(tile);
  const bool is_wide = image.width > image.height;
  const PixelRegion region{is_wide ? along : side / 2, is_wide ? side / 2 : along, side, side, 0};
  HOLO_TRY(detector_.Run(image, region, clock));
  const std::span<const Detection> found = detector_.Decode(0.5f * (1 + min_score_));
  const Matrix2x3 to_image = RegionToImage(region, size);
  std::ranges::transform(found, detections_.begin(),
                         [&](const Detection& d) { return ProjectToImage(to_image, d); });
  return std::span<const Detection>(detections_).first(found.size());
}

std::span<const Detection> PoseDetector::InPicture(std::span<const Detection> in_crop) {
  std::ranges::transform(in_crop, detections_.begin(),
                         [&](const Detection& d) { return RemoveLetterbox(padding_, d); });
  return std::span<const Detection>(detections_).first(in_crop.size());
}

Result<PoseLandmarker> PoseLandmarker::Create(const ModelSource& source, const Options& options) {
  RegionModelSpec spec{.model = PoseModel(options.complexity),
                       .stage = Stage::kPoseLandmark,
                       .input_size = kLandmarkInput,
                       .sampling = options.sampling,
                       .outputs = {kLandmarks, kFlag, kHeatmap, kWorld},
                       .sizes = {kRawLandmarks * 5, 1, kHeatmapSize * kHeatmapSize * kRawLandmarks,
                                 kRawLandmarks * 3}};
  if (options.segmentation) {
    spec.outputs.push_back(kMask);
    spec.sizes.push_back(std::size_t{kMaskSize} * kMaskSize);
  }
  RegionModel model = HOLO_TRY(RegionModel::Create(source, std::move(spec)));
  return PoseLandmarker(std::move(model), options);
}

Result<bool> PoseLandmarker::Run(const ImageView& image, const NormalizedRect& region,
                                 StageClock& clock, Pose& pose, std::span<float> mask_values) {
  const ImageSize size{image.width, image.height};
  const auto pixels = ToPixels(region, size);
  if (!pixels) return false;
  const RegionModel::Crop crop = HOLO_TRY(model_.Run(image, *pixels, clock));
  pose.score = model_.output(kFlag)[0];
  if (!(pose.score > options_.min_score)) return false;
  Decode(region, crop.padding, pose);
  pose.mask.reset();
  if (options_.segmentation) {
    DecodeMask(model_.output(kMask), mask_values);
    pose.mask = SegmentationMask{mask_values, ImageToMask(crop.padded, size, options_.sampling)};
  }
  return true;
}

void PoseLandmarker::Decode(const NormalizedRect& region, const Padding& padding,
                            Pose& pose) const {
  std::array<PoseLandmark, kRawLandmarks> points;
  DecodePoseLandmarks(model_.output(kLandmarks), kLandmarkInput, points);
  RefineFromHeatmap({model_.output(kHeatmap), kHeatmapSize, kHeatmapSize}, points);
  const auto used = std::span(points).first<kUsedLandmarks>();
  RemoveLetterbox(padding, std::span<PoseLandmark>(used));
  ProjectToImage(region, std::span<PoseLandmark>(used));
  std::ranges::copy(used.first<kPoseLandmarkCount>(), pose.landmarks.begin());
  std::ranges::copy(used.last<kPoseAnchorCount>(), pose.anchors.begin());

  const std::span<const float> world = model_.output(kWorld);
  for (std::size_t i = 0; i < kPoseLandmarkCount; ++i) {
    pose.world_landmarks[i] = {world[3 * i], world[3 * i + 1], world[3 * i + 2],
                               points[i].visibility, points[i].presence};
  }
  RotateWorld(region.rotation, std::span<PoseLandmark>(pose.world_landmarks));
}

}  // namespace holostat::vision
