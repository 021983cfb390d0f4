#pragma once

#include <chrono>
#include <optional>
#include <span>

#include "holostat/frame_result.h"
#include "vision/mask_smoother.h"
#include "vision/normalized_rect.h"
#include "vision/pose_smoother.h"
#include "vision/pose_stage.h"
#include "vision/region_builders.h"

namespace holostat::vision {

// What following a person needs to know of the frames before; PeopleState has one for each person.
// docs/tracking.md says what is carried over and when.
//
// Takes all its memory when made: about 12 kB, and a mask of 256 kB that stays untouched while none
// is asked for. Movable; a moved-from one may only be destroyed or assigned to. Thread-compatible.
class TrackState {
 public:
  struct Options {
    bool smooth_landmarks = true;     // of the body; hands and face are never smoothed
    bool smooth_segmentation = true;  // the mask
  };
  TrackState() : TrackState(Options()) {}
  explicit TrackState(const Options& options) : options_(options) {}

  // As when new: nobody is followed.
  void Reset();

  // The rest is for MultiTracker, in this order for each frame.

  // Begins a frame, later than the one before. Another size of picture needs a Reset.
  void Begin(std::chrono::microseconds timestamp, ImageSize image);

  // Where the body should be by now. Nothing: it has to be found.
  const std::optional<NormalizedRect>& body() const { return body_; }

  // There is no body in this frame.
  void LoseBody();

  // Smooths the body of this frame, and remembers where to look for it in the next one.
  // `mask_values` are those of its mask, if it has one.
  void FollowBody(Pose& pose, std::span<float> mask_values);

  // Where to look for a part that this frame's pictures shows in `found`: there, or where it should
  // be by the frame before.
  NormalizedRect ChooseHand(Side side, const NormalizedRect& found) const;
  NormalizedRect ChooseFace(const NormalizedRect& found) const;

  // Remembers the parts of this frame, missing ones as well.
  void FollowParts(const Person& person);

 private:
  Options options_;
  std::chrono::microseconds timestamp_{0};
  ImageSize image_;
  std::optional<NormalizedRect> body_;
  std::optional<Hand> left_hand_, right_hand_;
  std::optional<Face> face_;
  PoseSmoother pose_smoother_;
  MaskSmoother mask_smoother_;
};

}  // namespace holostat::vision
