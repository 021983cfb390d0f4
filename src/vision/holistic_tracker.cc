#include "holostat/holistic_tracker.h"

#include <new>
#include <utility>

#include "base/result.h"
#include "vision/create_tracker.h"
#include "vision/multi_tracker.h"
#include "vision/people_state.h"
#include "vision/stage_clock.h"

namespace holostat {
namespace vision {
namespace {

// Asks the same of every picture.
class SingleTracker final : public HolisticTracker {
 public:
  // `state`: null for still pictures.
  SingleTracker(std::unique_ptr<MultiTracker> tracker, const MultiTracker::Request& request,
                std::unique_ptr<PeopleState> state)
      : tracker_(std::move(tracker)), request_(request), state_(std::move(state)) {}

  Result<FrameResult> Process(const ImageView& image,
                              std::chrono::microseconds timestamp) override {
    return tracker_->Process(image, timestamp, request_, state_.get());
  }
  void Reset() override {
    if (state_) state_->Reset();
  }
  std::span<const StageTime> last_stage_times() const override {
    return tracker_->last_stage_times();
  }

 private:
  std::unique_ptr<MultiTracker> tracker_;
  MultiTracker::Request request_;
  std::unique_ptr<PeopleState> state_;
};

// Null for still pictures.
std::unique_ptr<PeopleState> MakeState(const HolisticTracker::Options& options) {
  if (options.frames == Frames::kStill) return nullptr;
  return std::make_unique<PeopleState>(
      TrackState::Options{.smooth_landmarks = options.smooth_landmarks,
                          .smooth_segmentation = options.smooth_segmentation},
      static_cast<std::size_t>(options.people));
}

}  // namespace

Result<std::unique_ptr<HolisticTracker>> CreateTracker(const HolisticTracker::Options& options,
                                                       StageClock::Now now) {
  if (options.frames != Frames::kStill && options.frames != Frames::kVideo) {
    return Fail(ErrorCode::kInvalidArgument, "unknown kind of frames");
  }
  const MultiTracker::Request request{.complexity = options.complexity,
                                      .refine_face = options.refine_face,
                                      .segmentation = options.segmentation,
                                      .people = options.people};
  auto tracker =
      HOLO_TRY(MultiTracker::Create({.models_dir = options.models_dir,
                                     .requests = {request},
                                     .sampling = options.sampling,
                                     .min_detection_confidence = options.min_detection_confidence,
                                     .min_tracking_confidence = options.min_tracking_confidence},
                                    now));
  tracker->TouchMemory();
  return std::make_unique<SingleTracker>(std::move(tracker), request, MakeState(options));
}

}  // namespace vision

Result<std::unique_ptr<HolisticTracker>> HolisticTracker::Create(const Options& options) {
  try {
    return vision::CreateTracker(options, &std::chrono::steady_clock::now);
  } catch (const std::bad_alloc&) {
    return Fail(ErrorCode::kOverloaded, "out of memory");  // so short that it needs no memory
  }
}

}  // namespace holostat
