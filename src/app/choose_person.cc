#include "app/choose_person.h"

#include <algorithm>
#include <charconv>

namespace holostat::app {
namespace {

struct Extent {
  float left, right, top, bottom;
};

Extent ExtentOf(const Face& face) {
  Extent e{face.points[0].x, face.points[0].x, face.points[0].y, face.points[0].y};
  for (const Landmark& p : face.landmarks()) {
    e = {std::min(e.left, p.x), std::max(e.right, p.x), std::min(e.top, p.y),
         std::max(e.bottom, p.y)};
  }
  return e;
}

// Who has the most is meant.
float RankOf(const Person& person, PersonChoice::Rule rule) {
  const Extent e = ExtentOf(*person.face);
  switch (rule) {
    case PersonChoice::Rule::kLeftmost:
      return -(e.left + e.right);
    case PersonChoice::Rule::kRightmost:
      return e.left + e.right;
    default:
      return (e.right - e.left) * (e.bottom - e.top);
  }
}

}  // namespace

std::optional<PersonChoice> ParsePersonChoice(const std::string& text) {
  using Rule = PersonChoice::Rule;
  if (text == "largest") return PersonChoice{Rule::kLargest};
  if (text == "leftmost") return PersonChoice{Rule::kLeftmost};
  if (text == "rightmost") return PersonChoice{Rule::kRightmost};
  PersonChoice choice{Rule::kId};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), choice.id);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole && choice.id > 0 ? std::optional(choice) : std::nullopt;
}

const Person* ChoosePerson(std::span<const Person> people, const PersonChoice& choice, int kept) {
  const bool by_id = choice.rule == PersonChoice::Rule::kId;
  const int id = by_id ? choice.id : kept;
  const auto same = std::ranges::find(people, id, &Person::id);
  if (id > 0 && same != people.end()) return same->face ? &*same : nullptr;
  if (by_id) return nullptr;
  const Person* best = nullptr;
  for (const Person& person : people) {
    if (!person.face) continue;
    if (best == nullptr || RankOf(person, choice.rule) > RankOf(*best, choice.rule)) best = &person;
  }
  return best;
}

}  // namespace holostat::app
