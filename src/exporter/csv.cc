#include "exporter/csv.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>
#include <span>

namespace holostat::exporter {
namespace {

// Landmarks of one part: `prefix`_INDEX_COORDINATE.
struct Part {
  std::string_view prefix;
  std::size_t count;
  bool has_confidence;  // visibility and presence
};
constexpr std::array kParts{Part{"pose", kPoseLandmarkCount, true},
                            Part{"pose_world", kPoseLandmarkCount, true},
                            Part{"left_hand", kHandLandmarkCount, false},
                            Part{"right_hand", kHandLandmarkCount, false},
                            Part{"left_hand_world", kHandLandmarkCount, false},
                            Part{"right_hand_world", kHandLandmarkCount, false},
                            Part{"face", kFaceRefinedCount, false}};

template <class... Args>
void Format(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

// A cell behind the first one; empty for what is not finite.
void Number(float value, std::string& out) {
  out += ',';
  if (std::isfinite(value)) Format(out, "{}", value);
}

void Empty(std::size_t cells, std::string& out) { out.append(cells, ','); }

// Quoted where it must be (RFC 4180).
void Text(std::string_view text, std::string& out) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void Rows(std::span<const Landmark> points, std::size_t columns, std::string& out) {
  for (const Landmark& point : points) {
    for (const float value : {point.x, point.y, point.z}) Number(value, out);
  }
  Empty(3 * (columns - points.size()), out);
}

void Rows(std::span<const PoseLandmark> points, std::string& out) {
  for (const PoseLandmark& point : points) {
    for (const float value : {point.x, point.y, point.z, point.visibility, point.presence})
      Number(value, out);
  }
}

void HandRows(const std::optional<Hand>& hand,
              std::array<Landmark, kHandLandmarkCount> Hand::*points, std::string& out) {
  if (hand) {
    Rows((*hand).*points, kHandLandmarkCount, out);
  } else {
    Rows({}, kHandLandmarkCount, out);
  }
}

void Score(const std::optional<Hand>& hand, std::string& out) {
  out += ',';
  if (hand && std::isfinite(hand->score)) Format(out, "{}", hand->score);
}

void PersonCells(const Person& person, std::string& out) {
  Format(out, ",{}", person.id);
  Number(person.score, out);
  Score(person.left_hand, out);
  Score(person.right_hand, out);
  Rows(person.pose_landmarks, out);
  Rows(person.pose_world_landmarks, out);
  HandRows(person.left_hand, &Hand::landmarks, out);
  HandRows(person.right_hand, &Hand::landmarks, out);
  HandRows(person.left_hand, &Hand::world_landmarks, out);
  HandRows(person.right_hand, &Hand::world_landmarks, out);
  Rows(person.face ? person.face->landmarks() : std::span<const Landmark>(), kFaceRefinedCount,
       out);
}

constexpr std::size_t PersonCellCount() {
  std::size_t count = 4;
  for (const Part& part : kParts) count += part.count * (part.has_confidence ? 5 : 3);
  return count;
}

void FrameCells(const FrameResult& frame, std::uint64_t index, std::string_view source,
                std::string& out) {
  Text(source, out);
  Format(out, ",{},{:.3f},{},{}", index, static_cast<double>(frame.timestamp.count()) / 1000,
         frame.width, frame.height);
}

}  // namespace

void AppendCsvHead(std::string& out) {
  out += "source,frame,timestamp_ms,width,height,person_id,score,left_hand_score,right_hand_score";
  for (const Part& part : kParts) {
    for (std::size_t i = 0; i < part.count; ++i) {
      for (const std::string_view name : {"x", "y", "z", "visibility", "presence"}) {
        if (name.size() == 1 || part.has_confidence) Format(out, ",{}_{}_{}", part.prefix, i, name);
      }
    }
  }
  out += '\n';
}

void AppendCsvRows(const FrameResult& frame, std::uint64_t frame_index, std::string_view source,
                   std::string& out) {
  for (const Person& person : frame.people) {
    FrameCells(frame, frame_index, source, out);
    PersonCells(person, out);
    out += '\n';
  }
  if (!frame.people.empty()) return;
  FrameCells(frame, frame_index, source, out);
  Empty(PersonCellCount(), out);
  out += '\n';
}

}  // namespace holostat::exporter
