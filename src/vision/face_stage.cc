#include "vision/face_stage.h"

#include <utility>

#include "base/check.h"
#include "vision/activation.h"
#include "vision/face_refinement.h"
#include "vision/landmark_decoder.h"
#include "vision/projection.h"
#include "vision/region_builders.h"

namespace holostat::vision {
namespace {

constexpr float kMinScore = 0.5f;  // the face needs more

constexpr int kDetectionInput = 128;
constexpr int kLandmarkInput = 192;
constexpr LandmarkScale kFaceScale{kLandmarkInput};

// Outputs of the two landmark models; the mesh comes first in both.
constexpr std::size_t kMesh = 0, kPlainFlag = 1, kRefinedFlag = 6;
enum RefinedOutput : std::size_t { kLips = 1, kLeftEye, kRightEye, kLeftIris, kRightIris };

SsdSpec DetectorSpec(Sampling sampling) {
  return {.model = {.model = ModelId::kFaceDetection,
                    .stage = Stage::kFaceDetection,
                    .input_size = kDetectionInput,
                    .low = -1,
                    .high = 1,
                    .border = media::Border::kZero,
                    .sampling = sampling,
                    .outputs = {},
                    .sizes = {}},
          .layers = {{8, 2}, {16, 6}},
          .keypoint_count = kFaceKeypointCount};
}

RegionModelSpec LandmarkSpec(bool refine, Sampling sampling) {
  RegionModelSpec spec{.model = refine ? ModelId::kFaceLandmarkAttention : ModelId::kFaceLandmark,
                       .stage = Stage::kFaceLandmark,
                       .input_size = kLandmarkInput,
                       .sampling = sampling,
                       .keep_aspect = false,  // its regions are square anyway
                       .outputs = {kMesh, kPlainFlag},
                       .sizes = {kFaceMeshCount * 3, 1}};
  if (refine) {
    spec.outputs = {kMesh, kLips, kLeftEye, kRightEye, kLeftIris, kRightIris, kRefinedFlag};
    spec.sizes = {kFaceMeshCount * 3,
                  kLipsPoints.size() * 2,
                  kLeftEyePoints.size() * 2,
                  kRightEyePoints.size() * 2,
                  kIrisPointCount * 2,
                  kIrisPointCount * 2,
                  1};
  }
  return spec;
}

void Decode(const RegionModel& model, const NormalizedRect& region, bool refine, Face& face) {
  const std::span<Landmark, kFaceRefinedCount> points(face.points);
  DecodeLandmarks(model.output(kMesh), kFaceScale, points.first<kFaceMeshCount>());
  face.count = kFaceMeshCount;
  if (refine) {
    RefineFace({model.output(kLips), model.output(kLeftEye), model.output(kRightEye),
                model.output(kLeftIris), model.output(kRightIris)},
               kLandmarkInput, points);
    face.count = kFaceRefinedCount;
  }
  ProjectToImage(region, points.first(face.count));
}

}  // namespace

Result<FaceStage> FaceStage::Create(const ModelSource& source, const Options& options) {
  FaceStage stage(HOLO_TRY(SsdDetector::Create(source, DetectorSpec(options.sampling))));
  const auto load = [&](bool refine) {
    return RegionModel::Create(source, LandmarkSpec(refine, options.sampling));
  };
  if (options.plain) stage.plain_.emplace(HOLO_TRY(load(false)));
  if (options.refined) stage.refined_.emplace(HOLO_TRY(load(true)));
  return stage;
}

void FaceStage::TouchMemory() {
  detector_.TouchMemory();
  if (plain_) plain_->TouchMemory();
  if (refined_) refined_->TouchMemory();
}

Result<std::optional<NormalizedRect>> FaceStage::Locate(
    const ImageView& image, std::span<const PoseLandmark, kPoseLandmarkCount> pose,
    StageClock& clock) {
  const ImageSize size{image.width, image.height};
  const auto pixels = ToPixels(FaceSearchRegion(pose, size), size);
  if (!pixels) return std::nullopt;
  const SsdDetector::Output found = HOLO_TRY(detector_.Run(image, *pixels, clock));
  if (found.detections.empty()) return std::nullopt;
  const Matrix2x3 to_image = RegionToImage(found.crop.padded, size);
  return FaceRegion(ProjectToImage(to_image, found.detections.front()), size);
}

Result<void> FaceStage::Run(const ImageView& image, const NormalizedRect& region, bool refine,
                            StageClock& clock, std::optional<Face>& face) {
  HOLO_CHECK(Has(refine));
  face.reset();
  const auto pixels = ToPixels(region, {image.width, image.height});
  if (!pixels) return {};
  RegionModel& model = refine ? *refined_ : *plain_;
  HOLO_TRY(model.Run(image, *pixels, clock));
  const float score = Sigmoid(model.output(refine ? kRefinedFlag : kPlainFlag)[0]);
  if (!(score > kMinScore)) return {};
  face.emplace();
  face->score = score;
  Decode(model, region, refine, *face);
  return {};
}

}  // namespace holostat::vision
