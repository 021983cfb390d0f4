#include "app/describe_frame.h"

#include <fmt/format.h>

namespace holostat::app {
namespace {

std::string Describe(const Person& person) {
  std::string text = fmt::format("pose {:.2f}", person.score);
  if (person.face)
    text += fmt::format(", face {:.2f} ({} points)", person.face->score, person.face->count);
  if (person.left_hand) text += fmt::format(", left hand {:.2f}", person.left_hand->score);
  if (person.right_hand) text += fmt::format(", right hand {:.2f}", person.right_hand->score);
  return text;
}

}  // namespace

std::string DescribeFrame(const FrameResult& frame) {
  if (frame.people.empty()) return "nobody found";
  std::string text;
  for (const Person& person : frame.people) {
    text += fmt::format("{}person {}: {}", text.empty() ? "" : "; ", person.id, Describe(person));
  }
  return text;
}

}  // namespace holostat::app
