#include "exporter/openpose.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "exporter/keypoints.h"

namespace holostat::exporter {
namespace {

class Writer {
 public:
  explicit Writer(const FrameResult& frame) : reader_(frame) {}

  void Write(const Person& person) {
    fmt::format_to(Out(), R"({{"person_id":[{}])", person.id);
    Begin("pose_keypoints_2d");
    for (const BodyKeypoint which : kBody25) Put(reader_.Body(person, which));
    Begin("face_keypoints_2d");
    for (const std::size_t index : kFace68) Put(reader_.OfFace(person.face, index));
    for (const std::size_t index : kPupils) Put(reader_.OfFace(person.face, index));
    WriteHand("hand_left_keypoints_2d", person.left_hand);
    WriteHand("hand_right_keypoints_2d", person.right_hand);
    for (const auto name : {"pose_keypoints_3d", "face_keypoints_3d", "hand_left_keypoints_3d",
                            "hand_right_keypoints_3d"})
      Begin(name);
    out_ += "]}";
  }
  std::string& text() { return out_; }

 private:
  std::back_insert_iterator<std::string> Out() { return std::back_inserter(out_); }

  void WriteHand(std::string_view name, const std::optional<Hand>& hand) {
    Begin(name);
    for (std::size_t i = 0; i < kHandLandmarkCount; ++i) Put(reader_.OfHand(hand, i));
  }
  // A list, and the end of the one before.
  void Begin(std::string_view name) {
    if (std::exchange(is_in_list_, true)) out_ += ']';
    fmt::format_to(Out(), R"(,"{}":[)", name);
    is_first_ = true;
  }
  void Put(const Keypoint& point) {
    if (!std::exchange(is_first_, false)) out_ += ',';
    fmt::format_to(Out(), "{:.3f},{:.3f},{:.4f}", point.x, point.y, point.confidence);
  }

  KeypointReader reader_;
  std::string out_;
  bool is_in_list_ = false, is_first_ = true;
};

}  // namespace

std::string ToOpenPose(const FrameResult& frame) {
  std::string text = R"({"version":1.3,"people":[)";
  bool is_first = true;
  for (const Person& person : frame.people) {
    Writer writer(frame);
    writer.Write(person);
    if (!std::exchange(is_first, false)) text += ',';
    text += writer.text();
  }
  return text + "]}";
}

}  // namespace holostat::exporter
