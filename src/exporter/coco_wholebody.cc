#include "exporter/coco_wholebody.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "exporter/keypoints.h"

namespace holostat::exporter {
namespace {

constexpr float kSeen = 0.5f;  // of visibility: below it a point counts as hidden

// x, y, width, height around the points that are there; all 0 without any.
struct Box {
  float x = 0, y = 0, width = 0, height = 0;
};

Box BoxOf(const std::vector<Keypoint>& points) {
  float left = std::numeric_limits<float>::max(), top = left;
  float right = std::numeric_limits<float>::lowest(), bottom = right;
  for (const Keypoint& point : points) {
    if (point.confidence <= 0) continue;
    left = std::min(left, point.x);
    right = std::max(right, point.x);
    top = std::min(top, point.y);
    bottom = std::max(bottom, point.y);
  }
  return left <= right ? Box{left, top, right - left, bottom - top} : Box{};
}

class Writer {
 public:
  void Raw(std::string_view text) { out_ += text; }
  template <class... Args>
  void Format(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  // With COCO's v in the third place (`flags`), or the confidence.
  void Points(std::string_view name, const std::vector<Keypoint>& points, bool flags) {
    Format(R"(,"{}":[)", name);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Keypoint& point = points[i];
      Format("{}{:.3f},{:.3f},", i == 0 ? "" : ",", point.x, point.y);
      if (flags) {
        Format("{}", point.confidence <= 0 ? 0 : point.confidence < kSeen ? 1 : 2);
      } else {
        Format("{:.4f}", point.confidence);
      }
    }
    Raw("]");
  }
  void Bounds(std::string_view name, const Box& box) {
    Format(R"(,"{}":[{:.3f},{:.3f},{:.3f},{:.3f}])", name, box.x, box.y, box.width, box.height);
  }
  std::string Take() { return std::move(out_); }

 private:
  std::string out_;
};

struct Parts {
  std::vector<Keypoint> body, feet, face, left_hand, right_hand;
};

Parts PartsOf(const KeypointReader& reader, const Person& person) {
  Parts parts;
  for (const BodyKeypoint which : kCocoBody) parts.body.push_back(reader.Body(person, which));
  for (const BodyKeypoint which : kCocoFeet) parts.feet.push_back(reader.Body(person, which));
  for (const std::size_t index : kFace68) parts.face.push_back(reader.OfFace(person.face, index));
  for (std::size_t i = 0; i < kHandLandmarkCount; ++i) {
    parts.left_hand.push_back(reader.OfHand(person.left_hand, i));
    parts.right_hand.push_back(reader.OfHand(person.right_hand, i));
  }
  return parts;
}

void WritePerson(const Person& person, const Parts& parts, std::uint64_t image, Writer& out) {
  const auto labelled =
      std::ranges::count_if(parts.body, [](const Keypoint& point) { return point.confidence > 0; });
  out.Format(R"({{"id":{},"image_id":{},"category_id":1,"iscrowd":0,"score":{:.4f})", person.id,
             image, person.score);
  out.Format(R"(,"num_keypoints":{})", labelled);
  out.Points("keypoints", parts.body, true);
  out.Points("foot_kpts", parts.feet, true);
  out.Points("face_kpts", parts.face, false);
  out.Points("lefthand_kpts", parts.left_hand, false);
  out.Points("righthand_kpts", parts.right_hand, false);
  out.Bounds("bbox", BoxOf(parts.body));
  out.Bounds("face_box", BoxOf(parts.face));
  out.Bounds("lefthand_box", BoxOf(parts.left_hand));
  out.Bounds("righthand_box", BoxOf(parts.right_hand));
  out.Format(R"(,"foot_valid":true,"face_valid":{},"lefthand_valid":{},"righthand_valid":{}}})",
             person.face.has_value(), person.left_hand.has_value(), person.right_hand.has_value());
}

}  // namespace

std::string ToCocoWholeBody(const FrameResult& frame, std::uint64_t frame_index) {
  Writer out;
  out.Format(R"({{"images":[{{"id":{},"width":{},"height":{}}}],)", frame_index, frame.width,
             frame.height);
  out.Raw(R"("categories":[{"id":1,"name":"person"}],"annotations":[)");
  const KeypointReader reader(frame);
  for (std::size_t i = 0; i < frame.people.size(); ++i) {
    if (i > 0) out.Raw(",");
    WritePerson(frame.people[i], PartsOf(reader, frame.people[i]), frame_index, out);
  }
  out.Raw("]}");
  return out.Take();
}

}  // namespace holostat::exporter
