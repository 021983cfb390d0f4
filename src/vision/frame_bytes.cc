#include "vision/frame_bytes.h"

#include <optional>
#include <type_traits>

namespace holostat::vision {
namespace {

template <class T>
void Append(std::string& out, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void AppendHand(std::string& out, const std::optional<Hand>& hand) {
  out += hand ? 'h' : '-';
  if (!hand) return;
  Append(out, hand->score);
  Append(out, hand->landmarks);
  Append(out, hand->world_landmarks);
}

}  // namespace

std::string Bytes(const FrameResult& frame) {
  std::string out = std::to_string(frame.width) + "x" + std::to_string(frame.height);
  for (const Person& person : frame.people) {
    Append(out, person.id);
    Append(out, person.score);
    Append(out, person.pose_landmarks);
    Append(out, person.pose_world_landmarks);
    AppendHand(out, person.left_hand);
    AppendHand(out, person.right_hand);
    out += person.face ? 'f' : '-';
    if (person.face) {
      Append(out, person.face->score);
      for (const Landmark& p : person.face->landmarks()) Append(out, p);
    }
    out += person.segmentation ? 'm' : '-';
    if (person.segmentation) {
      Append(out, person.segmentation->image_to_mask);
      for (float value : person.segmentation->values) Append(out, value);
    }
  }
  return out;
}

}  // namespace holostat::vision
