#include "vision/multi_tracker.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "vision/region_builders.h"

namespace holostat::vision {
namespace {

constexpr int kMaxSide = 65535;  // pixels: a promise of ours, not that of the decoders in media

bool IsConfidence(float value) { return value >= 0 && value <= 1; }

bool IsComplexity(Complexity value) {
  switch (value) {
    case Complexity::kLite:
    case Complexity::kFull:
    case Complexity::kHeavy:
      return true;
  }
  return false;
}

Result<void> CheckOptions(const MultiTracker::Options& options) {
  if (!IsConfidence(options.min_detection_confidence) ||
      !IsConfidence(options.min_tracking_confidence)) {
    return Fail(ErrorCode::kInvalidArgument, "confidence thresholds must lie in 0..1");
  }
  if (options.sampling != Sampling::kPixelCentres && options.sampling != Sampling::kOpenCv) {
    return Fail(ErrorCode::kInvalidArgument, "unknown sampling");
  }
  if (options.requests.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "nothing is to be tracked");
  }
  for (const MultiTracker::Request& request : options.requests) {
    if (!IsComplexity(request.complexity)) {
      return Fail(ErrorCode::kInvalidArgument, "unknown complexity");
    }
  }
  return {};
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

bool AnyRefines(const MultiTracker::Options& options, bool refine) {
  return std::ranges::any_of(options.requests, [&](const MultiTracker::Request& request) {
    return request.refine_face == refine;
  });
}

}  // namespace

Result<std::unique_ptr<MultiTracker>> MultiTracker::Create(const Options& options,
                                                           StageClock::Now now) {
  try {
    return Load(options, now);
  } catch (const std::bad_alloc&) {
    return Fail(ErrorCode::kOverloaded, "out of memory");  // so short that it needs no memory
  }
}

Result<std::unique_ptr<MultiTracker>> MultiTracker::Load(const Options& options,
                                                         StageClock::Now now) {
  HOLO_TRY(CheckOptions(options));
  const ModelSource source{options.models_dir, HOLO_TRY(engine::Workspace::Create())};
  Stages stages{
      HOLO_TRY(PoseDetector::Create(source, options.min_detection_confidence, options.sampling)),
      HOLO_TRY(LoadLandmarkers(source, options)),
      HOLO_TRY(HandStage::Create(source, options.sampling)),
      HOLO_TRY(FaceStage::Create(source, {.plain = AnyRefines(options, false),
                                          .refined = AnyRefines(options, true),
                                          .sampling = options.sampling}))};
  return std::unique_ptr<MultiTracker>(new MultiTracker(source.workspace, std::move(stages), now));
}

Result<std::vector<MultiTracker::Landmarker>> MultiTracker::LoadLandmarkers(
    const ModelSource& source, const Options& options) {
  std::vector<Landmarker> loaded;
  for (const Request& request : options.requests) {
    const auto suits = [&](const Landmarker& it) { return it.Suits(request); };
    if (std::ranges::any_of(loaded, suits)) continue;
    loaded.push_back(
        {request.complexity, request.segmentation,
         HOLO_TRY(PoseLandmarker::Create(source, {.complexity = request.complexity,
                                                  .min_score = options.min_tracking_confidence,
                                                  .segmentation = request.segmentation,
                                                  .sampling = options.sampling}))});
  }
  return loaded;
}

bool MultiTracker::Has(const Request& request) const {
  return stages_.face.Has(request.refine_face) &&
         std::ranges::any_of(stages_.landmarkers,
                             [&](const Landmarker& it) { return it.Suits(request); });
}

Result<FrameResult> MultiTracker::Process(const ImageView& image,
                                          std::chrono::microseconds timestamp,
                                          const Request& request, TrackState* state) {
  HOLO_TRY(CheckImage(image));
  if (!Has(request)) return Fail(ErrorCode::kUnsupported, "models that this needs are not loaded");
  const auto landmarker = std::ranges::find_if(
      stages_.landmarkers, [&](const Landmarker& it) { return it.Suits(request); });
  if (state != nullptr && !state->Begin(timestamp, {image.width, image.height})) state = nullptr;
  clock_.BeginFrame();
  const bool found = HOLO_TRY(FindPerson(image, landmarker->pose, request.refine_face, state));
  clock_.EndFrame();
  return FrameResult{timestamp, image.width, image.height,
                     std::span<const Person>(people_).first(found ? 1 : 0)};
}

void MultiTracker::TouchMemory() {
  workspace_->Touch();
  stages_.detector.TouchMemory();
  for (Landmarker& landmarker : stages_.landmarkers) landmarker.pose.TouchMemory();
  stages_.hands.TouchMemory();
  stages_.face.TouchMemory();
}

Result<bool> MultiTracker::FindPerson(const ImageView& image, PoseLandmarker& landmarker,
                                      bool refine_face, TrackState* state) {
  if (!HOLO_TRY(FindBody(image, landmarker, state))) return false;
  Person& person = people_[0];
  person.id = 1;
  person.score = pose_.score;
  person.pose_landmarks = pose_.landmarks;
  person.pose_world_landmarks = pose_.world_landmarks;
  person.segmentation = pose_.mask;
  HOLO_TRY(FindParts(image, refine_face, state));
  if (state != nullptr) state->FollowParts(person);
  return true;
}

Result<bool> MultiTracker::FindBody(const ImageView& image, PoseLandmarker& landmarker,
                                    TrackState* state) {
  const auto region = HOLO_TRY(LocateBody(image, state));
  const bool found = region && HOLO_TRY(landmarker.Run(image, *region, clock_, pose_));
  if (state == nullptr) return found;
  if (found) {
    state->FollowBody(pose_, landmarker.mask_values());
  } else {
    state->LoseBody();
  }
  return found;
}

Result<std::optional<NormalizedRect>> MultiTracker::LocateBody(const ImageView& image,
                                                               const TrackState* state) {
  if (state != nullptr && state->body()) return state->body();
  const std::span<const Detection> bodies = HOLO_TRY(stages_.detector.Detect(image, clock_));
  if (bodies.empty()) return std::nullopt;
  return PoseRegion(bodies.front(), {image.width, image.height});
}

Result<void> MultiTracker::FindParts(const ImageView& image, bool refine_face,
                                     const TrackState* state) {
  Person& person = people_[0];
  person.left_hand = HOLO_TRY(FindHand(image, Side::kLeft, state));
  person.right_hand = HOLO_TRY(FindHand(image, Side::kRight, state));
  person.face.reset();
  auto region = HOLO_TRY(stages_.face.Locate(image, pose_.landmarks, clock_));
  if (region && state != nullptr) region = state->ChooseFace(*region);
  if (region) HOLO_TRY(stages_.face.Run(image, *region, refine_face, clock_, person.face));
  return {};
}

Result<std::optional<Hand>> MultiTracker::FindHand(const ImageView& image, Side side,
                                                   const TrackState* state) {
  auto region = HOLO_TRY(stages_.hands.Locate(image, pose_.landmarks, side, clock_));
  if (!region) return std::nullopt;
  if (state != nullptr) region = state->ChooseHand(side, *region);
  return stages_.hands.Run(image, *region, clock_);
}

}  // namespace holostat::vision
