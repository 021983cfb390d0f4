#include "vision/multi_tracker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "vision/body_match.h"
#include "vision/part_claims.h"
#include "vision/region_builders.h"

namespace holostat::vision {
namespace {

constexpr std::size_t kMaskValues = std::size_t{kMaskSize} * kMaskSize;

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
    if (request.people < 1 || request.people > kMaxPeople) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("people must be 1 to {}, not {}", kMaxPeople, request.people));
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

std::size_t MostPeople(const MultiTracker::Options& options) {
  const auto most = std::ranges::max_element(options.requests, {}, &MultiTracker::Request::people);
  return static_cast<std::size_t>(most->people);
}

}  // namespace

MultiTracker::MultiTracker(std::shared_ptr<engine::Workspace> workspace, Stages stages,
                           const Options& options, StageClock::Now now)
    : workspace_(std::move(workspace)),
      stages_(std::move(stages)),
      clock_(now),
      bodies_(MostPeople(options)),
      people_(MostPeople(options)) {
  if (std::ranges::none_of(options.requests, &Request::segmentation)) return;
  masks_ = std::make_unique_for_overwrite<float[]>(bodies_.size() * kMaskValues);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    bodies_[i].mask_values = {masks_.get() + i * kMaskValues, kMaskValues};
  }
}

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
  return std::unique_ptr<MultiTracker>(
      new MultiTracker(source.workspace, std::move(stages), options, now));
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
  return request.people > 0 && std::cmp_less_equal(request.people, people_.size()) &&
         stages_.face.Has(request.refine_face) &&
         std::ranges::any_of(stages_.landmarkers,
                             [&](const Landmarker& it) { return it.Suits(request); });
}

Result<FrameResult> MultiTracker::Process(const ImageView& image,
                                          std::chrono::microseconds timestamp,
                                          const Request& request, PeopleState* state) {
  HOLO_TRY(CheckImage(image));
  if (!Has(request)) return Fail(ErrorCode::kUnsupported, "models that this needs are not loaded");
  const auto landmarker = std::ranges::find_if(
      stages_.landmarkers, [&](const Landmarker& it) { return it.Suits(request); });
  const auto asked = static_cast<std::size_t>(request.people);
  const bool counts =
      state != nullptr && state->Begin(timestamp, {image.width, image.height}, asked);
  const Frame frame{.image = image,
                    .landmarker = landmarker->pose,
                    .refine_face = request.refine_face,
                    .most_people = state != nullptr ? state->most() : asked,
                    .state = counts ? state : nullptr};
  clock_.BeginFrame();
  HOLO_TRY(FindBodies(frame));
  Identify(frame, counts ? nullptr : state);
  HOLO_TRY(FillPeople(frame));
  clock_.EndFrame();
  return FrameResult{timestamp, image.width, image.height,
                     std::span<const Person>(people_).first(body_count_)};
}

void MultiTracker::TouchMemory() {
  workspace_->Touch();
  stages_.detector.TouchMemory();
  for (Landmarker& landmarker : stages_.landmarkers) landmarker.pose.TouchMemory();
  stages_.hands.TouchMemory();
  stages_.face.TouchMemory();
}

Result<void> MultiTracker::FindBodies(const Frame& frame) {
  body_count_ = 0;
  if (frame.state != nullptr) {
    HOLO_TRY(FollowBodies(frame));
    PartBodies(frame);
    if (!frame.state->WantsDetection()) return {};
    HOLO_TRY(FindLostBodies(frame));
  }
  return FindNewBodies(frame);
}

// Where they should be by now.
Result<void> MultiTracker::FollowBodies(const Frame& frame) {
  for (std::size_t slot = 0; slot < frame.state->capacity(); ++slot) {
    if (!frame.state->IsFollowed(slot)) continue;
    Body& body = bodies_[body_count_];
    const auto& region = frame.state->track(slot).body();
    if (region &&
        HOLO_TRY(frame.landmarker.Run(frame.image, *region, clock_, body.pose, body.mask_values))) {
      body.slot = slot;
      ++body_count_;
    } else {
      frame.state->Lose(slot);
    }
  }
  return {};
}

// Leaves each body to one of those who follow it.
void MultiTracker::PartBodies(const Frame& frame) {
  for (std::size_t i = 0; i < body_count_;) {
    Body& body = bodies_[i];
    const auto rest = bodies().subspan(i + 1);
    const auto other = std::ranges::find_if(
        rest, [&](const Body& it) { return IsSameBody(it.pose, body.pose, frame.size()); });
    if (other == rest.end()) {
      ++i;
      continue;
    }
    const std::size_t slot = frame.state->Mistaken(body.slot, PlaceOf(body.pose, frame.size()),
                                                   other->slot, PlaceOf(other->pose, frame.size()));
    frame.state->Lose(slot);
    Drop(slot == body.slot ? body : *other);
  }
}

// Where they should be by now.
Result<void> MultiTracker::FindLostBodies(const Frame& frame) {
  for (std::size_t slot = 0; slot < frame.state->capacity(); ++slot) {
    if (body_count_ == frame.most_people) break;
    const auto region = frame.state->WhereLost(slot);
    if (!region || !HOLO_TRY(TryRegion(frame, *region))) continue;
    Body& body = bodies_[body_count_];
    if (!frame.state->Retake(slot, PlaceOf(body.pose, frame.size()))) continue;
    body.slot = slot;
    ++body_count_;
  }
  return {};
}

// Looks for bodies in the whole picture, then in parts of it. Surest first, and no more tries than
// there is room for: a frame costs no more, whatever is in it.
Result<void> MultiTracker::FindNewBodies(const Frame& frame) {
  std::size_t tries = frame.most_people - body_count_;
  const std::span<const Detection> sure = HOLO_TRY(stages_.detector.Detect(frame.image, clock_));
  if (frame.state != nullptr) frame.state->Detected();
  HOLO_TRY(TryDetections(frame, sure, tries));
  if (frame.most_people == 1) return {};  // as the reference
  HOLO_TRY(TryDetections(frame, stages_.detector.DetectFurther(), tries));
  const std::size_t tiles = PoseDetector::TileCount(frame.size());
  for (std::size_t tile = 0; tile < tiles && tries > 0; ++tile) {
    // In a video they take turns: who is there now will be there a few frames later.
    if (frame.state != nullptr && tile != frame.state->detections() % tiles) continue;
    const auto in_tile = HOLO_TRY(stages_.detector.DetectInTile(frame.image, tile, clock_));
    HOLO_TRY(TryDetections(frame, in_tile, tries));
  }
  return {};
}

Result<void> MultiTracker::TryDetections(const Frame& frame, std::span<const Detection> detections,
                                         std::size_t& tries) {
  for (const Detection& detection : detections) {
    if (tries == 0) break;
    const BodyPlace detected = PlaceOf(detection, frame.size());
    const auto is_known = [&](const Body& it) {
      return IsAt(detected, PlaceOf(it.pose, frame.size()));
    };
    if (std::ranges::any_of(bodies(), is_known)) continue;
    --tries;
    if (!HOLO_TRY(TryRegion(frame, PoseRegion(detection, frame.size())))) continue;
    Body& body = bodies_[body_count_];
    if (frame.state != nullptr) body.slot = frame.state->Take(PlaceOf(body.pose, frame.size()));
    ++body_count_;
  }
  return {};
}

Result<bool> MultiTracker::TryRegion(const Frame& frame, const NormalizedRect& region) {
  Body& body = bodies_[body_count_];
  if (!HOLO_TRY(frame.landmarker.Run(frame.image, region, clock_, body.pose, body.mask_values)))
    return false;
  return std::ranges::none_of(
      bodies(), [&](const Body& it) { return IsSameBody(it.pose, body.pose, frame.size()); });
}

// Gives ids to the bodies, and puts them in that order.
void MultiTracker::Identify(const Frame& frame, const PeopleState* state_it_strays_from) {
  std::array<BodyPlace, kMaxPeople> places;
  std::array<int, kMaxPeople> ids;
  for (std::size_t i = 0; i < body_count_; ++i) {
    places[i] = PlaceOf(bodies_[i].pose, frame.size());
    ids[i] = frame.state != nullptr ? frame.state->id(bodies_[i].slot) : static_cast<int>(i) + 1;
  }
  if (state_it_strays_from != nullptr) {
    state_it_strays_from->IdsOf(std::span(places).first(body_count_),
                                std::span(ids).first(body_count_));
  }
  for (std::size_t i = 0; i < body_count_; ++i) bodies_[i].id = ids[i];
  std::ranges::sort(bodies(), {}, &Body::id);
}

Result<void> MultiTracker::FillPeople(const Frame& frame) {
  for (std::size_t i = 0; i < body_count_; ++i) {
    Body& body = bodies_[i];
    TrackState* track = nullptr;
    if (frame.state != nullptr) {
      track = &frame.state->track(body.slot);
      frame.state->Place(body.slot, PlaceOf(body.pose, frame.size()));
      track->FollowBody(body.pose, body.mask_values);
    }
    Person& person = people_[i];
    person.id = body.id;
    person.score = body.pose.score;
    person.pose_landmarks = body.pose.landmarks;
    person.pose_world_landmarks = body.pose.world_landmarks;
    person.segmentation = body.pose.mask;
    HOLO_TRY(FindParts(frame, track, person));
  }
  // Alone, a person keeps what was found, as in the reference.
  if (frame.most_people > 1) SettleClaims(std::span(people_).first(body_count_), frame.size());
  if (frame.state == nullptr) return {};
  for (std::size_t i = 0; i < body_count_; ++i) {
    frame.state->track(bodies_[i].slot).FollowParts(people_[i]);
  }
  return {};
}

// `track`: of the person; null in a still picture.
Result<void> MultiTracker::FindParts(const Frame& frame, const TrackState* track, Person& person) {
  person.left_hand = HOLO_TRY(FindHand(frame, person, Side::kLeft, track));
  person.right_hand = HOLO_TRY(FindHand(frame, person, Side::kRight, track));
  person.face.reset();
  auto region = HOLO_TRY(stages_.face.Locate(frame.image, person.pose_landmarks, clock_));
  if (region && track != nullptr) region = track->ChooseFace(*region);
  if (region)
    HOLO_TRY(stages_.face.Run(frame.image, *region, frame.refine_face, clock_, person.face));
  return {};
}

Result<std::optional<Hand>> MultiTracker::FindHand(const Frame& frame, const Person& person,
                                                   Side side, const TrackState* track) {
  auto region = HOLO_TRY(stages_.hands.Locate(frame.image, person.pose_landmarks, side, clock_));
  if (!region) return std::nullopt;
  if (track != nullptr) region = track->ChooseHand(side, *region);
  return stages_.hands.Run(frame.image, *region, clock_);
}

}  // namespace holostat::vision
