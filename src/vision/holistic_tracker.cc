#include "holostat/holistic_tracker.h"

#include <fmt/format.h>

#include <array>
#include <new>
#include <utility>

#include "base/heap_control.h"
#include "base/result.h"
#include "vision/create_tracker.h"
#include "vision/face_stage.h"
#include "vision/hand_stage.h"
#include "vision/pose_stage.h"
#include "vision/region_builders.h"
#include "vision/stage_clock.h"

namespace holostat {
namespace vision {
namespace {

constexpr int kMaxSide = 65535;  // pixels: a promise of ours, not that of the decoders in media

struct Stages {
  PoseDetector detector;
  PoseLandmarker pose;
  HandStage hands;
  FaceStage face;
};

class StillTracker final : public HolisticTracker {
 public:
  StillTracker(Stages stages, StageClock::Now now) : stages_(std::move(stages)), clock_(now) {}

  Result<FrameResult> Process(const ImageView& image, std::chrono::microseconds timestamp) override;
  std::span<const StageTime> last_stage_times() const override { return clock_.times(); }

 private:
  // Fills person_ and says whether there is one.
  Result<bool> FindPerson(const ImageView& image);
  Result<void> FindParts(const ImageView& image);
  Result<std::optional<Hand>> FindHand(const ImageView& image, Side side);

  Stages stages_;
  StageClock clock_;
  Pose pose_;
  std::array<Person, 1> people_;
};

bool IsConfidence(float value) { return value >= 0 && value <= 1; }

Result<void> CheckOptions(const HolisticTracker::Options& options) {
  if (!IsConfidence(options.min_detection_confidence) ||
      !IsConfidence(options.min_tracking_confidence)) {
    return Fail(ErrorCode::kInvalidArgument, "confidence thresholds must lie in 0..1");
  }
  if (options.sampling != Sampling::kPixelCentres && options.sampling != Sampling::kOpenCv) {
    return Fail(ErrorCode::kInvalidArgument, "unknown sampling");
  }
  switch (options.complexity) {
    case Complexity::kLite:
    case Complexity::kFull:
    case Complexity::kHeavy:
      return {};
  }
  return Fail(ErrorCode::kInvalidArgument, "unknown complexity");
}

Result<void> CheckImage(const ImageView& image) {
  if (image.empty()) return Fail(ErrorCode::kInvalidArgument, "the picture is empty");
  if (image.width > kMaxSide || image.height > kMaxSide) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("the picture has {} x {} pixels, a side may have {}", image.width,
                            image.height, kMaxSide));
  }
  if (image.stride_bytes < std::ptrdiff_t{3} * image.width) {
    return Fail(ErrorCode::kInvalidArgument,
                "the rows of the picture are closer than they are long");
  }
  return {};
}

Result<FrameResult> StillTracker::Process(const ImageView& image,
                                          std::chrono::microseconds timestamp) {
  HOLO_TRY(CheckImage(image));
  clock_.BeginFrame();
  const bool found = HOLO_TRY(FindPerson(image));
  clock_.EndFrame();
  return FrameResult{timestamp, image.width, image.height,
                     std::span<const Person>(people_).first(found ? 1 : 0)};
}

Result<bool> StillTracker::FindPerson(const ImageView& image) {
  const std::span<const Detection> bodies = HOLO_TRY(stages_.detector.Detect(image, clock_));
  if (bodies.empty()) return false;
  const NormalizedRect region = PoseRegion(bodies.front(), {image.width, image.height});
  if (!HOLO_TRY(stages_.pose.Run(image, region, clock_, pose_))) return false;
  Person& person = people_[0];
  person.id = 1;
  person.score = pose_.score;
  person.pose_landmarks = pose_.landmarks;
  person.pose_world_landmarks = pose_.world_landmarks;
  person.segmentation = pose_.mask;
  HOLO_TRY(FindParts(image));
  return true;
}

Result<void> StillTracker::FindParts(const ImageView& image) {
  Person& person = people_[0];
  person.left_hand = HOLO_TRY(FindHand(image, Side::kLeft));
  person.right_hand = HOLO_TRY(FindHand(image, Side::kRight));
  person.face.reset();
  const auto region = HOLO_TRY(stages_.face.Locate(image, pose_.landmarks, clock_));
  if (region) HOLO_TRY(stages_.face.Run(image, *region, clock_, person.face));
  return {};
}

Result<std::optional<Hand>> StillTracker::FindHand(const ImageView& image, Side side) {
  const auto region = HOLO_TRY(stages_.hands.Locate(image, pose_.landmarks, side, clock_));
  if (!region) return std::nullopt;
  return stages_.hands.Run(image, *region, clock_);
}

}  // namespace

Result<std::unique_ptr<HolisticTracker>> CreateTracker(const HolisticTracker::Options& options,
                                                       StageClock::Now now) {
  HOLO_TRY(CheckOptions(options));
  const ModelSource source{options.models_dir, HOLO_TRY(engine::Workspace::Create())};
  Stages stages{
      HOLO_TRY(PoseDetector::Create(source, options.min_detection_confidence, options.sampling)),
      HOLO_TRY(PoseLandmarker::Create(source, {.complexity = options.complexity,
                                               .min_score = options.min_tracking_confidence,
                                               .segmentation = options.segmentation,
                                               .sampling = options.sampling})),
      HOLO_TRY(HandStage::Create(source, options.sampling)),
      HOLO_TRY(FaceStage::Create(source, options.refine_face, options.sampling))};
  source.workspace->Touch();
  return std::make_unique<StillTracker>(std::move(stages), now);
}

}  // namespace vision

Result<std::unique_ptr<HolisticTracker>> HolisticTracker::Create(const Options& options) {
  try {
    auto tracker = vision::CreateTracker(options, &std::chrono::steady_clock::now);
    ReleaseFreeHeap();  // the model files; measured: 3 MB
    return tracker;
  } catch (const std::bad_alloc&) {
    return Fail(ErrorCode::kOverloaded, "out of memory");  // so short that it needs no memory
  }
}

}  // namespace holostat
