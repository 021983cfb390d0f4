#pragma once

#include <span>

#include "holostat/frame_result.h"
#include "vision/normalized_rect.h"

namespace holostat::vision {

// Whether two hands, each found by itself, are one; likewise two faces (docs/people.md).
bool IsSameHand(const Hand& a, const Hand& b, ImageSize image);
bool IsSameFace(const Face& a, const Face& b, ImageSize image);

// Leaves a hand or face that several of `people`, or both sides of one of them, were given to the
// one whose body it fits best: whose wrist is nearest to that of the hand, whose nose to that of
// the face. The others have none then. No heap call.
void SettleClaims(std::span<Person> people, ImageSize image);

}  // namespace holostat::vision
