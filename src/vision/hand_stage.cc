#include "vision/hand_stage.h"

#include <array>
#include <utility>

#include "vision/landmark_decoder.h"
#include "vision/projection.h"

namespace holostat::vision {
namespace {

constexpr float kMinWristVisibility = 0.1f;  // the hand needs more
constexpr float kMinScore = 0.5f;            // the hand needs more

constexpr int kRecropInput = 256;
constexpr int kLandmarkInput = 224;
constexpr LandmarkScale kRecropScale{kRecropInput};
constexpr LandmarkScale kHandScale{kLandmarkInput, 0.4f};

enum Output : std::size_t { kLandmarks = 0, kFlag, kHandedness, kWorld };

}  // namespace

Result<HandStage> HandStage::Create(const ModelSource& source, Sampling sampling) {
  RegionModel recrop = HOLO_TRY(RegionModel::Create(source, {.model = ModelId::kHandRecrop,
                                                             .stage = Stage::kHandRecrop,
                                                             .input_size = kRecropInput,
                                                             .sampling = sampling,
                                                             .outputs = {0},
                                                             .sizes = {4}}));
  RegionModel landmarks = HOLO_TRY(
      RegionModel::Create(source, {.model = ModelId::kHandLandmark,
                                   .stage = Stage::kHandLandmark,
                                   .input_size = kLandmarkInput,
                                   .sampling = sampling,
                                   .outputs = {kLandmarks, kFlag, kWorld},
                                   .sizes = {kHandLandmarkCount * 3, 1, kHandLandmarkCount * 3}}));
  return HandStage(std::move(recrop), std::move(landmarks));
}

Result<std::optional<NormalizedRect>> HandStage::Locate(
    const ImageView& image, std::span<const PoseLandmark, kPoseLandmarkCount> pose, Side side,
    StageClock& clock) {
  if (!(pose[WristIndex(side)].visibility > kMinWristVisibility)) return std::nullopt;
  const ImageSize size{image.width, image.height};
  const NormalizedRect search = HandSearchRegion(pose, side, size);
  const auto pixels = ToPixels(search, size);
  if (!pixels) return std::nullopt;
  const RegionModel::Crop crop = HOLO_TRY(recrop_.Run(image, *pixels, clock));
  std::array<Landmark, 2> points;  // centre, and the one that tells size and direction
  DecodeLandmarks(recrop_.output(0), kRecropScale, points);
  RemoveLetterbox(crop.padding, std::span<Landmark>(points));
  ProjectToImage(search, std::span<Landmark>(points));
  return HandRegion({points[0].x, points[0].y}, {points[1].x, points[1].y}, size);
}

Result<std::optional<Hand>> HandStage::Run(const ImageView& image, const NormalizedRect& region,
                                           StageClock& clock) {
  const auto pixels = ToPixels(region, {image.width, image.height});
  if (!pixels) return std::nullopt;
  const RegionModel::Crop crop = HOLO_TRY(landmarks_.Run(image, *pixels, clock));
  Hand hand;
  hand.score = landmarks_.output(kFlag)[0];
  if (!(hand.score > kMinScore)) return std::nullopt;
  DecodeLandmarks(landmarks_.output(kLandmarks), kHandScale, hand.landmarks);
  RemoveLetterbox(crop.padding, std::span<Landmark>(hand.landmarks));
  ProjectToImage(region, std::span<Landmark>(hand.landmarks));

  const std::span<const float> world = landmarks_.output(kWorld);
  for (std::size_t i = 0; i < kHandLandmarkCount; ++i) {
    hand.world_landmarks[i] = {world[3 * i], world[3 * i + 1], world[3 * i + 2]};
  }
  RotateWorld(region.rotation, std::span<Landmark>(hand.world_landmarks));
  return hand;
}

}  // namespace holostat::vision
