#include "vision/part_claims.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "vision/region_builders.h"

namespace holostat::vision {
namespace {

constexpr float kSameOverlap = 0.5f;    // of their boxes, at least
constexpr float kSameDistance = 0.15f;  // between their points, in longer sides of a box, at most

constexpr std::size_t kHandWrist = 0;
constexpr std::size_t kFaceNose = 1;
constexpr std::size_t kPoseNose = 0;

// Pixels.
struct Box {
  float left = std::numeric_limits<float>::max(), top = left;
  float right = std::numeric_limits<float>::lowest(), bottom = right;

  void Add(Point p) {
    left = std::min(left, p.x);
    top = std::min(top, p.y);
    right = std::max(right, p.x);
    bottom = std::max(bottom, p.y);
  }
  float longer_side() const { return std::max(right - left, bottom - top); }
  float area() const { return std::max(0.0f, right - left) * std::max(0.0f, bottom - top); }
};

float OverlapOf(const Box& a, const Box& b) {
  const Box shared{std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
                   std::min(a.bottom, b.bottom)};
  return shared.area() / (a.area() + b.area() - shared.area());
}

template <class P>
Point InPixels(const P& p, ImageSize image) {
  return {p.x * static_cast<float>(image.width), p.y * static_cast<float>(image.height)};
}

Box BoxOf(std::span<const Landmark> points, ImageSize image) {
  Box box;
  for (const Landmark& p : points) box.Add(InPixels(p, image));
  return box;
}

float Distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

// REQUIRES: as many points in both.
bool IsSamePart(std::span<const Landmark> a, std::span<const Landmark> b, ImageSize image) {
  const Box box_a = BoxOf(a, image), box_b = BoxOf(b, image);
  if (!(OverlapOf(box_a, box_b) > kSameOverlap)) return false;
  float sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += Distance(InPixels(a[i], image), InPixels(b[i], image));
  }
  const float size = std::max(box_a.longer_side(), box_b.longer_side());
  return sum / static_cast<float>(a.size()) < kSameDistance * size;
}

const std::optional<Hand>& HandOf(const Person& person, Side side) {
  return side == Side::kLeft ? person.left_hand : person.right_hand;
}
std::optional<Hand>& HandOf(Person& person, Side side) {
  return side == Side::kLeft ? person.left_hand : person.right_hand;
}

// How far the hand is from the arm that it was found at. REQUIRES: there is one.
float WristGap(const Person& person, Side side, ImageSize image) {
  return Distance(InPixels(HandOf(person, side)->landmarks[kHandWrist], image),
                  InPixels(person.pose_landmarks[WristIndex(side)], image));
}
float NoseGap(const Person& person, ImageSize image) {
  return Distance(InPixels(person.face->points[kFaceNose], image),
                  InPixels(person.pose_landmarks[kPoseNose], image));
}

void SettleHand(Person& a, Side side_a, Person& b, Side side_b, ImageSize image) {
  std::optional<Hand>&hand_a = HandOf(a, side_a), &hand_b = HandOf(b, side_b);
  if (!hand_a || !hand_b || !IsSameHand(*hand_a, *hand_b, image)) return;
  if (WristGap(a, side_a, image) <= WristGap(b, side_b, image)) {
    hand_b.reset();
  } else {
    hand_a.reset();
  }
}

void SettleFace(Person& a, Person& b, ImageSize image) {
  if (!a.face || !b.face || !IsSameFace(*a.face, *b.face, image)) return;
  if (NoseGap(a, image) <= NoseGap(b, image)) {
    b.face.reset();
  } else {
    a.face.reset();
  }
}

}  // namespace

bool IsSameHand(const Hand& a, const Hand& b, ImageSize image) {
  return IsSamePart(a.landmarks, b.landmarks, image);
}

bool IsSameFace(const Face& a, const Face& b, ImageSize image) {
  return a.count == b.count && IsSamePart(a.landmarks(), b.landmarks(), image);
}

void SettleClaims(std::span<Person> people, ImageSize image) {
  for (std::size_t i = 0; i < people.size(); ++i) {
    SettleHand(people[i], Side::kLeft, people[i], Side::kRight, image);
    for (std::size_t j = i + 1; j < people.size(); ++j) {
      for (const Side a : {Side::kLeft, Side::kRight}) {
        for (const Side b : {Side::kLeft, Side::kRight}) {
          SettleHand(people[i], a, people[j], b, image);
        }
      }
      SettleFace(people[i], people[j], image);
    }
  }
}

}  // namespace holostat::vision
