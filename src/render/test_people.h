#pragma once

#include <cmath>
#include <numbers>

#include "holostat/frame_result.h"
#include "render/topology.h"

namespace holostat::render {

// Made-up people for the tests of this module.

// A standing body with arms at its sides, in the middle third of the picture; the person's left is
// on the right of the picture. Every point is in a place of its own.
inline Person BodyPerson() {
  constexpr float kPlaces[kPoseLandmarkCount][2] = {
      {.50f, .12f}, {.52f, .10f}, {.53f, .10f}, {.54f, .10f}, {.48f, .10f}, {.47f, .10f},
      {.46f, .10f}, {.56f, .12f}, {.44f, .12f}, {.52f, .15f}, {.48f, .15f}, {.58f, .25f},
      {.42f, .25f}, {.62f, .38f}, {.38f, .38f}, {.64f, .50f}, {.36f, .50f}, {.66f, .55f},
      {.34f, .55f}, {.64f, .56f}, {.36f, .56f}, {.62f, .54f}, {.38f, .54f}, {.55f, .52f},
      {.45f, .52f}, {.56f, .70f}, {.44f, .70f}, {.56f, .88f}, {.44f, .88f}, {.55f, .92f},
      {.45f, .92f}, {.59f, .94f}, {.41f, .94f}};
  Person person;
  person.id = 1;
  person.score = 1;
  for (std::size_t i = 0; i < kPoseLandmarkCount; ++i) {
    person.pose_landmarks[i] = {kPlaces[i][0], kPlaces[i][1], 0, 1, 1};
  }
  return person;
}

// Points on a ring around (x, y), the irises in its middle.
inline Face PlainFace(float x, float y, float radius) {
  Face face;
  face.score = 1;
  face.count = kFaceRefinedCount;
  for (std::size_t i = 0; i < face.count; ++i) {
    const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / 36;
    const bool iris = i >= kFaceMeshCount;
    const float share = iris ? 0.2f : 0.5f + 0.5f * static_cast<float>(i % 7) / 6;
    face.points[i] = {x + share * radius * std::cos(angle), y + share * radius * std::sin(angle),
                      0};
  }
  return face;
}

// Wrist at (x, y), five fingers upwards.
inline Hand PlainHand(float x, float y, float size) {
  Hand hand;
  hand.score = 1;
  hand.landmarks[0] = {x, y, 0};
  for (std::size_t i = 1; i < kHandLandmarkCount; ++i) {
    const float finger = static_cast<float>((i - 1) / 4), joint = static_cast<float>((i - 1) % 4);
    hand.landmarks[i] = {x + (finger - 2) * size * 0.2f, y - size * (0.4f + 0.15f * joint), 0};
  }
  return hand;
}

inline Person FullPerson() {
  Person person = BodyPerson();
  person.face = PlainFace(0.5f, 0.12f, 0.08f);
  person.left_hand = PlainHand(0.64f, 0.5f, 0.1f);
  person.right_hand = PlainHand(0.36f, 0.5f, 0.1f);
  return person;
}

}  // namespace holostat::render
