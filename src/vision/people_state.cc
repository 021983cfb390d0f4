#include "vision/people_state.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/check.h"

namespace holostat::vision {
namespace {

using std::chrono::microseconds;

// Frames between two looks for people that nobody follows (docs/people.md, "How often").
constexpr int kDetectionPeriod = 5;

// How long somebody who was lost keeps their id for when they are found again.
constexpr microseconds kGrace = std::chrono::seconds(1);
// How far from where they should be they may then be, in body sizes: at once, and more a second.
constexpr float kReach = 0.5f, kReachASecond = 1.0f;

constexpr float kSpeedMemory_s = 0.3f;
constexpr microseconds kMoment{300'000};

// In body sizes: motion is no better known than that.
constexpr float kSurpriseMargin = 0.03f;

// Ids come again only when there are no more, which is after years.
int Next(int id) { return id == std::numeric_limits<int>::max() ? 1 : id + 1; }

float SecondsBetween(microseconds from, microseconds to) {
  return std::chrono::duration<float>(to - from).count();
}

}  // namespace

void Motion::Start(microseconds timestamp, const BodyPlace& place) {
  newest_ = 0;
  count_ = 1;
  samples_[0] = {timestamp, place, {}};
}

void Motion::Add(microseconds timestamp, const BodyPlace& place) {
  const Sample before = samples_[newest_];
  const float step = SecondsBetween(before.timestamp, timestamp);
  const float share = step / (step + kSpeedMemory_s);
  const auto mixed = [&](float speed, float from, float to) {
    return speed + share * ((to - from) / step - speed);
  };
  newest_ = (newest_ + 1) % samples_.size();
  count_ = std::min(count_ + 1, samples_.size());
  samples_[newest_] = {timestamp,
                       place,
                       {mixed(before.speed.x, before.place.hips.x, place.hips.x),
                        mixed(before.speed.y, before.place.hips.y, place.hips.y)}};
}

BodyPlace Motion::At(microseconds timestamp) const {
  std::size_t frames = 0;
  while (frames + 1 < count_ && last() - Earlier(frames).timestamp < kMoment) ++frames;
  const Sample& from = Earlier(frames);
  const float step = SecondsBetween({}, std::min(timestamp - from.timestamp, kMoment + kGrace));
  return {{from.place.hips.x + step * from.speed.x, from.place.hips.y + step * from.speed.y},
          place().size};
}

PeopleState::PeopleState(const TrackState::Options& options, std::size_t people)
    : options_(options) {
  HOLO_CHECK(people > 0);
  Reserve(people);
}

void PeopleState::Reserve(std::size_t people) {
  tracks_.reserve(people);
  while (tracks_.size() < people) tracks_.emplace_back(options_);
}

void PeopleState::Reset() {
  timeline_.Reset();
  Forget();
}

void PeopleState::Forget() {
  for (Track& track : tracks_) {
    track.id = 0;
    track.is_followed = false;
    track.last_region.reset();
    track.state.Reset();
  }
  next_id_ = 1;
  has_lost_ = false;
}

bool PeopleState::Begin(microseconds timestamp, ImageSize image, std::size_t people) {
  most_ = std::min(people, tracks_.size());
  const Timeline::Place place = timeline_.Add(timestamp);
  if (place == Timeline::Place::kStrays) return false;
  if (place == Timeline::Place::kStarts || !(image == image_)) Forget();
  timestamp_ = timestamp;
  image_ = image;
  LimitTo(most_);
  for (Track& track : tracks_) track.state.Begin(timestamp, image);
  followed_at_begin_ =
      static_cast<std::size_t>(std::ranges::count(tracks_, true, &Track::is_followed));
  ++frames_since_detection_;
  return true;
}

// The latest leave.
void PeopleState::LimitTo(std::size_t people) {
  auto followed = std::ranges::count(tracks_, true, &Track::is_followed);
  for (; std::cmp_greater(followed, people); --followed) {
    const auto key = [](const Track& track) { return track.is_followed ? track.id : 0; };
    const auto latest = std::ranges::max_element(tracks_, {}, key);
    latest->is_followed = false;
    latest->state.LoseBody();
  }
}

void PeopleState::Lose(std::size_t slot) {
  Track& track = tracks_[slot];
  track.is_followed = false;
  track.last_region = track.state.body();
  track.state.LoseBody();
  has_lost_ = true;
}

std::size_t PeopleState::Mistaken(std::size_t a, const BodyPlace& place_a, std::size_t b,
                                  const BodyPlace& place_b) const {
  const auto surprise = [&](std::size_t slot, const BodyPlace& place) {
    return DistanceOf(tracks_[slot].motion.At(timestamp_), place);
  };
  const float of_a = surprise(a, place_a), of_b = surprise(b, place_b);
  if (std::abs(of_a - of_b) > kSurpriseMargin) return of_a > of_b ? a : b;
  return tracks_[a].id > tracks_[b].id ? a : b;
}

bool PeopleState::WantsDetection() const {
  if (followed_at_begin_ >= most_) return false;
  return followed_at_begin_ == 0 || has_lost_ || frames_since_detection_ >= kDetectionPeriod;
}

void PeopleState::Detected() {
  frames_since_detection_ = 0;
  ++detections_;
  has_lost_ = false;
}

std::optional<NormalizedRect> PeopleState::WhereLost(std::size_t slot) const {
  const Track& track = tracks_[slot];
  if (most_ == 1 || track.id == 0 || track.is_followed || !track.last_region) return std::nullopt;
  if (timestamp_ - track.motion.last() > kGrace) return std::nullopt;
  const float width = static_cast<float>(image_.width), height = static_cast<float>(image_.height);
  const Point before = track.motion.place().hips, now = track.motion.At(timestamp_).hips;
  if (!(now.x >= 0 && now.x <= width && now.y >= 0 && now.y <= height)) return std::nullopt;
  NormalizedRect region = *track.last_region;
  region.x_center += (now.x - before.x) / width;
  region.y_center += (now.y - before.y) / height;
  return region;
}

bool PeopleState::Retake(std::size_t slot, const BodyPlace& place) {
  Track& track = tracks_[slot];
  if (!CanBe(track, place)) return false;
  track.is_followed = true;
  return true;
}

std::size_t PeopleState::Take(const BodyPlace& place) {
  Track* track = FindLost(place);
  if (track == nullptr) {
    track = &FreeTrack();
    track->state.Reset();
    track->state.Begin(timestamp_, image_);
    track->id = std::exchange(next_id_, Next(next_id_));
    track->motion.Start(timestamp_, place);
  }
  track->is_followed = true;
  return static_cast<std::size_t>(track - tracks_.data());
}

bool PeopleState::CanBe(const Track& track, const BodyPlace& place) const {
  const microseconds gone = timestamp_ - track.motion.last();
  if (track.id == 0 || track.is_followed || gone > kGrace) return false;
  const float reach = kReach + kReachASecond * SecondsBetween({}, gone);
  return DistanceOf(track.motion.At(timestamp_), place) < reach;
}

// Who is followed alone is taken for the one before, wherever they are: as the reference does.
PeopleState::Track* PeopleState::FindLost(const BodyPlace& place) {
  if (most_ == 1 && tracks_[0].id != 0) return &tracks_[0];
  Track* nearest = nullptr;
  float least = std::numeric_limits<float>::max();
  for (Track& track : tracks_) {
    if (!CanBe(track, place)) continue;
    const float distance = DistanceOf(track.motion.At(timestamp_), place);
    if (!(distance < least)) continue;
    nearest = &track;
    least = distance;
  }
  return nearest;
}

// One of nobody, else that of who is lost for longest.
PeopleState::Track& PeopleState::FreeTrack() {
  Track* free = nullptr;
  for (Track& track : tracks_) {
    if (track.is_followed) continue;
    if (track.id == 0) return track;
    if (free == nullptr || track.motion.last() < free->motion.last()) free = &track;
  }
  HOLO_CHECK(free != nullptr);
  return *free;
}

void PeopleState::Place(std::size_t slot, const BodyPlace& place) {
  Motion& motion = tracks_[slot].motion;
  if (motion.last() < timestamp_) motion.Add(timestamp_, place);
}

void PeopleState::IdsOf(std::span<const BodyPlace> places, std::span<int> ids) const {
  int next = next_id_;
  for (std::size_t i = 0; i < places.size(); ++i) {
    float least = kReach;
    ids[i] = most_ == 1 ? tracks_[0].id : 0;
    for (const Track& track : tracks_) {
      if (most_ == 1 || track.id == 0 ||
          std::ranges::find(ids.first(i), track.id) != ids.begin() + i)
        continue;
      const float distance = DistanceOf(track.motion.At(track.motion.last()), places[i]);
      if (!(distance < least)) continue;
      ids[i] = track.id;
      least = distance;
    }
    if (ids[i] == 0) ids[i] = std::exchange(next, Next(next));
  }
}

}  // namespace holostat::vision
