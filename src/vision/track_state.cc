#include "vision/track_state.h"

#include "vision/region_tracking.h"

namespace holostat::vision {

void TrackState::Reset() {
  LoseBody();
  pose_smoother_.Reset();
  mask_smoother_.Reset();
}

void TrackState::Begin(std::chrono::microseconds timestamp, ImageSize image) {
  timestamp_ = timestamp;
  image_ = image;
}

void TrackState::LoseBody() {
  body_.reset();
  left_hand_.reset();
  right_hand_.reset();
  face_.reset();
  pose_smoother_.Lose();
}

void TrackState::FollowBody(Pose& pose, std::span<float> mask_values) {
  pose_smoother_.Apply(timestamp_, image_, options_.smooth_landmarks,
                       {pose.landmarks, pose.world_landmarks, pose.anchors});
  const auto& [hips, reach] = pose.anchors;
  body_ = PoseRegion(Point{hips.x, hips.y}, Point{reach.x, reach.y}, image_);
  if (options_.smooth_segmentation && pose.mask) mask_smoother_.Apply(*pose.mask, mask_values);
}

NormalizedRect TrackState::ChooseHand(Side side, const NormalizedRect& found) const {
  const std::optional<Hand>& hand = side == Side::kLeft ? left_hand_ : right_hand_;
  if (!hand) return found;
  const NormalizedRect before = HandRegion(hand->landmarks, image_);
  return StillHolds(before, hand->landmarks, found, kHandLimits, image_) ? before : found;
}

NormalizedRect TrackState::ChooseFace(const NormalizedRect& found) const {
  if (!face_) return found;
  const NormalizedRect before = FaceRegion(face_->landmarks(), image_);
  return StillHolds(before, face_->landmarks(), found, kFaceLimits, image_) ? before : found;
}

void TrackState::FollowParts(const Person& person) {
  left_hand_ = person.left_hand;
  right_hand_ = person.right_hand;
  face_ = person.face;
}

}  // namespace holostat::vision
