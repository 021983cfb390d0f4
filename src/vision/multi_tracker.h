#pragma once

#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "engine/workspace.h"
#include "holostat/holistic_tracker.h"
#include "vision/face_stage.h"
#include "vision/hand_stage.h"
#include "vision/pose_stage.h"
#include "vision/stage_clock.h"
#include "vision/track_state.h"

namespace holostat::vision {

// The pipeline of HolisticTracker, which is one of these, for frames that are not all tracked
// alike. Every model is loaded once: those that find bodies, hands and faces, and those that differ
// from request to request. All of them work in one workspace.
//
// Bound to one thread at a time. May be made before fork and used after it.
class MultiTracker {
 public:
  // What may differ from frame to frame.
  struct Request {
    Complexity complexity = Complexity::kFull;
    bool refine_face = true;    // 478 face points by the attention model, else 468
    bool segmentation = false;  // also give the body mask
    bool operator==(const Request&) const = default;
  };

  struct Options {
    std::filesystem::path models_dir{};
    // What is asked for: the models that these need are loaded, and no others. At least one.
    std::vector<Request> requests{{}};
    Sampling sampling = Sampling::kPixelCentres;
    float min_detection_confidence = 0.5f;
    float min_tracking_confidence = 0.5f;
  };

  // Errors: those of HolisticTracker::Create. Throws nothing.
  static Result<std::unique_ptr<MultiTracker>> Create(
      const Options& options, StageClock::Now now = &std::chrono::steady_clock::now);

  MultiTracker(const MultiTracker&) = delete;
  MultiTracker& operator=(const MultiTracker&) = delete;

  // Whether all that `request` needs is loaded: true for every one of Options::requests, and for
  // what can be put together from their models.
  bool Has(const Request& request) const;

  // HolisticTracker::Process, as `request` says. The answer is valid until the next call, whatever
  // that requests. Without `state`, the picture is a still one and independent of all others; with
  // it, the next frame of what it follows. States do not touch each other. Errors: kUnsupported
  // when !Has(request).
  Result<FrameResult> Process(const ImageView& image, std::chrono::microseconds timestamp,
                              const Request& request, TrackState* state = nullptr);

  // Of the last Process call; see HolisticTracker.
  std::span<const StageTime> last_stage_times() const { return clock_.times(); }

  // Takes now, at once, the pages that frames will write, which would else be taken one by one by
  // the first frame. For the process that will track: one that forks others has no use for them.
  void TouchMemory();

 private:
  struct Landmarker {
    Complexity complexity;
    bool segmentation;
    PoseLandmarker pose;
    bool Suits(const Request& request) const {
      return complexity == request.complexity && segmentation == request.segmentation;
    }
  };
  struct Stages {
    PoseDetector detector;
    std::vector<Landmarker> landmarkers;
    HandStage hands;
    FaceStage face;
  };

  MultiTracker(std::shared_ptr<engine::Workspace> workspace, Stages stages, StageClock::Now now)
      : workspace_(std::move(workspace)), stages_(std::move(stages)), clock_(now) {}

  static Result<std::unique_ptr<MultiTracker>> Load(const Options& options, StageClock::Now now);
  // One for each kind that is asked for.
  static Result<std::vector<Landmarker>> LoadLandmarkers(const ModelSource& source,
                                                         const Options& options);

  // Each does its part of a frame; `state` may be null.
  // Fills people_ and says whether there is one.
  Result<bool> FindPerson(const ImageView& image, PoseLandmarker& landmarker, bool refine_face,
                          TrackState* state);
  // Fills pose_ and says whether there is a body.
  Result<bool> FindBody(const ImageView& image, PoseLandmarker& landmarker, TrackState* state);
  Result<std::optional<NormalizedRect>> LocateBody(const ImageView& image, const TrackState* state);
  Result<void> FindParts(const ImageView& image, bool refine_face, const TrackState* state);
  Result<std::optional<Hand>> FindHand(const ImageView& image, Side side, const TrackState* state);

  std::shared_ptr<engine::Workspace> workspace_;
  Stages stages_;
  StageClock clock_;
  Pose pose_;
  std::array<Person, 1> people_;
};

}  // namespace holostat::vision
