#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "vision/body_match.h"
#include "vision/normalized_rect.h"
#include "vision/timeline.h"
#include "vision/track_state.h"

namespace holostat::vision {

// Where a body is about to be, by how it moved until a moment ago: a third of a second, in which
// who is passed by may have been taken along by the other.
class Motion {
 public:
  // The body is new there.
  void Start(std::chrono::microseconds timestamp, const BodyPlace& place);
  // Later than the one before.
  void Add(std::chrono::microseconds timestamp, const BodyPlace& place);

  // Where it is by then, if it goes on as it did: for little more than a second.
  BodyPlace At(std::chrono::microseconds timestamp) const;
  const BodyPlace& place() const { return samples_[newest_].place; }  // where it was last
  std::chrono::microseconds last() const { return samples_[newest_].timestamp; }

 private:
  struct Sample {
    std::chrono::microseconds timestamp{0};
    BodyPlace place;
    Point speed;  // pixels a second, of the last third of a second or so
  };
  const Sample& Earlier(std::size_t frames) const {
    return samples_[(newest_ + samples_.size() - frames) % samples_.size()];
  }

  std::array<Sample, 16> samples_;  // a ring
  std::size_t newest_ = 0, count_ = 1;
};

// What following people needs to know of the frames before: one for each video or live session,
// apart from the models, which serve many. docs/people.md says who gets which id.
//
// Takes all its memory when made: a TrackState for each person that it may follow. Movable; a
// moved-from one may only be destroyed or assigned to. Thread-compatible.
class PeopleState {
 public:
  PeopleState() : PeopleState(TrackState::Options(), 1) {}
  PeopleState(const TrackState::Options& options, std::size_t people);  // REQUIRES: people > 0

  std::size_t capacity() const { return tracks_.size(); }
  // From now on at least so many can be followed. A heap call when they are more than before.
  void Reserve(std::size_t people);

  // As when new: the next frame is the first one.
  void Reset();

  // The rest is for MultiTracker, in this order for each frame. A slot is a place for a person,
  // below capacity().

  // Begins a frame in which at most `people` shall be followed. False when its timestamp strays
  // (timeline.h): then the frame shall be tracked as a still picture, and nothing else be called
  // for it but IdsOf. Another size of picture is a new start.
  bool Begin(std::chrono::microseconds timestamp, ImageSize image, std::size_t people);

  // How many may be followed in this frame.
  std::size_t most() const { return most_; }
  bool IsFollowed(std::size_t slot) const { return tracks_[slot].is_followed; }
  TrackState& track(std::size_t slot) { return tracks_[slot].state; }
  int id(std::size_t slot) const { return tracks_[slot].id; }

  // There is no such body in this frame, or it is another's.
  void Lose(std::size_t slot);
  // Of two who were found on the same body, the one who it is not: whose motion fits less, else the
  // one who came later.
  std::size_t Mistaken(std::size_t a, const BodyPlace& place_a, std::size_t b,
                       const BodyPlace& place_b) const;

  // Whether to look for bodies in this frame that nobody follows.
  bool WantsDetection() const;
  void Detected();
  // How many times that was done so far.
  std::size_t detections() const { return detections_; }
  // Where somebody should be who was lost a moment ago: hidden by others, who keep a detector from
  // seeing them. Nothing in any other case, and when they should have left the picture.
  std::optional<NormalizedRect> WhereLost(std::size_t slot) const;
  // Whether the body found there can be theirs; then it is followed again.
  bool Retake(std::size_t slot, const BodyPlace& place);
  // The slot of a body found in this frame: that of somebody lost a moment ago, if it can be them;
  // else that of somebody new. REQUIRES: fewer than most() are followed.
  std::size_t Take(const BodyPlace& place);

  // Where the body of a slot is in this frame.
  void Place(std::size_t slot, const BodyPlace& place);

  // Who the bodies of a frame that strays can be. Those that are nobody known get ids that nobody
  // has. REQUIRES: as many ids as places.
  void IdsOf(std::span<const BodyPlace> places, std::span<int> ids) const;

 private:
  struct Track {
    explicit Track(const TrackState::Options& options) : state(options) {}
    int id = 0;  // 0: of nobody yet
    bool is_followed = false;
    Motion motion;
    std::optional<NormalizedRect> last_region;  // of the body, when it was lost
    TrackState state;
  };

  void Forget();
  void LimitTo(std::size_t people);
  bool CanBe(const Track& track, const BodyPlace& place) const;
  Track* FindLost(const BodyPlace& place);
  Track& FreeTrack();

  TrackState::Options options_;
  Timeline timeline_;
  std::chrono::microseconds timestamp_{0};
  ImageSize image_;
  std::vector<Track> tracks_;
  std::size_t most_ = 0;
  int next_id_ = 1;
  std::size_t followed_at_begin_ = 0;
  int frames_since_detection_ = 0;
  std::size_t detections_ = 0;
  bool has_lost_ = false;  // somebody, since the last detection
};

}  // namespace holostat::vision
