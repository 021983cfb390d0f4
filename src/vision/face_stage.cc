#include "vision/face_stage.h"

#include <utility>

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

}  // namespace

Result<FaceStage> FaceStage::Create(const ModelSource& source, bool refine, Sampling sampling) {
  SsdDetector detector = HOLO_TRY(SsdDetector::Create(source, DetectorSpec(sampling)));
  RegionModel landmarks = HOLO_TRY(RegionModel::Create(source, LandmarkSpec(refine, sampling)));
  return FaceStage(std::move(detector), std::move(landmarks), refine);
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

Result<void> FaceStage::Run(const ImageView& image, const NormalizedRect& region, StageClock& clock,
                            std::optional<Face>& face) {
  face.reset();
  const auto pixels = ToPixels(region, {image.width, image.height});
  if (!pixels) return {};
  HOLO_TRY(landmarks_.Run(image, *pixels, clock));
  const float score = Sigmoid(landmarks_.output(refine_ ? kRefinedFlag : kPlainFlag)[0]);
  if (!(score > kMinScore)) return {};
  face.emplace();
  face->score = score;
  Decode(region, *face);
  return {};
}

void FaceStage::Decode(const NormalizedRect& region, Face& face) const {
  const std::span<Landmark, kFaceRefinedCount> points(face.points);
  DecodeLandmarks(landmarks_.output(kMesh), kFaceScale, points.first<kFaceMeshCount>());
  face.count = kFaceMeshCount;
  if (refine_) {
    RefineFace({landmarks_.output(kLips), landmarks_.output(kLeftEye), landmarks_.output(kRightEye),
                landmarks_.output(kLeftIris), landmarks_.output(kRightIris)},
               kLandmarkInput, points);
    face.count = kFaceRefinedCount;
  }
  ProjectToImage(region, points.first(face.count));
}

}  // namespace holostat::vision
