#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/workspace.h"
#include "holostat/holistic_tracker.h"
#include "vision/face_stage.h"
#include "vision/hand_stage.h"
#include "vision/people_state.h"
#include "vision/pose_stage.h"
#include "vision/stage_clock.h"

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
    int people = 1;             // how many at most, 1..kMaxPeople
    bool operator==(const Request&) const = default;
  };

  struct Options {
    std::filesystem::path models_dir{};
    // What is asked for: the models that these need are loaded, and no others, and memory is taken
    // for the most people of them. At least one.
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
  // it, the next frame of what it follows, where at most state->capacity() people are tracked.
  // States do not touch each other. Errors: kUnsupported when !Has(request).
  Result<FrameResult> Process(const ImageView& image, std::chrono::microseconds timestamp,
                              const Request& request, PeopleState* state = nullptr);

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

  // A body that was found in the frame at hand.
  struct Body {
    Pose pose;
    std::span<float> mask_values;  // where the values of its mask go; empty without segmentation
    std::size_t slot = 0;          // in the state, if there is one
    int id = 0;
  };
  // What is done with the frame at hand.
  struct Frame {
    const ImageView& image;
    PoseLandmarker& landmarker;
    bool refine_face;
    std::size_t most_people;
    PeopleState* state;  // null: it is a still picture

    ImageSize size() const { return {image.width, image.height}; }
  };

  MultiTracker(std::shared_ptr<engine::Workspace> workspace, Stages stages, const Options& options,
               StageClock::Now now);

  static Result<std::unique_ptr<MultiTracker>> Load(const Options& options, StageClock::Now now);
  // One for each kind that is asked for.
  static Result<std::vector<Landmarker>> LoadLandmarkers(const ModelSource& source,
                                                         const Options& options);

  // Each does its part of a frame.
  Result<void> FindBodies(const Frame& frame);
  Result<void> FollowBodies(const Frame& frame);
  void PartBodies(const Frame& frame);
  Result<void> FindLostBodies(const Frame& frame);
  Result<void> FindNewBodies(const Frame& frame);
  Result<void> TryDetections(const Frame& frame, std::span<const Detection> detections,
                             std::size_t& tries);
  // Whether there is a body in the region that is none of those of the frame. Then it stands behind
  // them.
  Result<bool> TryRegion(const Frame& frame, const NormalizedRect& region);
  void Identify(const Frame& frame, const PeopleState* state_it_strays_from);
  Result<void> FillPeople(const Frame& frame);
  Result<void> FindParts(const Frame& frame, const TrackState* track, Person& person);
  Result<std::optional<Hand>> FindHand(const Frame& frame, const Person& person, Side side,
                                       const TrackState* track);

  std::span<Body> bodies() { return std::span(bodies_).first(body_count_); }
  // The frame's bodies are that one less.
  void Drop(Body& body) { std::swap(body, bodies_[--body_count_]); }

  std::shared_ptr<engine::Workspace> workspace_;
  Stages stages_;
  StageClock clock_;
  // For as many people as may be asked for.
  std::unique_ptr<float[]> masks_;  // untouched until the first one; null without segmentation
  std::vector<Body> bodies_;
  std::size_t body_count_ = 0;
  std::vector<Person> people_;
};

}  // namespace holostat::vision
