#pragma once

#include <optional>
#include <span>
#include <string>

#include "holostat/frame_result.h"

namespace holostat::app {

// Whose face is meant when there are several.
struct PersonChoice {
  enum class Rule { kLargest = 1, kLeftmost, kRightmost, kId };
  Rule rule = Rule::kLargest;
  int id = 0;  // of kId
};

// "largest", "leftmost", "rightmost" or an id from 1. Nothing: it is none of them.
std::optional<PersonChoice> ParsePersonChoice(const std::string& text);

// The person with a face who is meant; null if there is none. `kept` is who was meant in the frame
// before, 0 at first: as long as that id is there, it is meant still, so that people who cross do
// not swap faces.
const Person* ChoosePerson(std::span<const Person> people, const PersonChoice& choice, int kept);

}  // namespace holostat::app
