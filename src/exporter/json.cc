#include "exporter/json.h"

#include <openssl/evp.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "base/check.h"
#include "exporter/signals_json.h"

namespace holostat::exporter {
namespace {

// Writes JSON text as it comes; the callers place the commas. All numbers go through
// std::to_chars, which knows no locale.
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  Writer& Raw(std::string_view text) {
    out_.append(text);
    return *this;
  }

  template <class Integer>
  Writer& Int(Integer value) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    return Raw({digits, end});
  }

  Writer& Float(float value) {
    if (!std::isfinite(value)) return Raw("null");
    // "-0" would be read as the integer 0 and lose its sign.
    if (value == 0 && std::signbit(value)) return Raw("-0.0");
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    return Raw({digits, end});
  }

  Writer& Base64(std::string_view bytes) {
    HOLO_CHECK(bytes.size() <= std::numeric_limits<int>::max());
    const std::size_t start = out_.size();
    const std::size_t length = (bytes.size() + 2) / 3 * 4;
    out_.resize(start + length + 1);  // EVP_EncodeBlock ends its text with a zero
    EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out_.data() + start),
                    reinterpret_cast<const unsigned char*>(bytes.data()),
                    static_cast<int>(bytes.size()));
    out_.resize(start + length);
    return *this;
  }

 private:
  std::string& out_;
};

// Milliseconds with the microseconds as decimals: exact, and always with a decimal point.
void WriteMilliseconds(std::chrono::microseconds time, Writer& json) {
  const std::int64_t us = time.count();
  const std::uint64_t magnitude =
      us < 0 ? 0 - static_cast<std::uint64_t>(us) : static_cast<std::uint64_t>(us);
  const auto fraction = static_cast<unsigned>(magnitude % 1000);
  const char decimals[] = {static_cast<char>('0' + fraction / 100),
                           static_cast<char>('0' + fraction / 10 % 10),
                           static_cast<char>('0' + fraction % 10)};
  const std::size_t used = fraction % 10 != 0 ? 3 : fraction % 100 != 0 ? 2 : 1;
  if (us < 0) json.Raw("-");
  json.Int(magnitude / 1000).Raw(".").Raw({decimals, used});
}

void WriteRow(const Landmark& point, Writer& json) {
  json.Raw("[").Float(point.x).Raw(",").Float(point.y).Raw(",").Float(point.z).Raw("]");
}

void WriteRow(const PoseLandmark& point, Writer& json) {
  json.Raw("[").Float(point.x).Raw(",").Float(point.y).Raw(",").Float(point.z);
  json.Raw(",").Float(point.visibility).Raw(",").Float(point.presence).Raw("]");
}

template <class Points>
void WriteRows(const Points& points, Writer& json) {
  json.Raw("[");
  bool first = true;
  for (const auto& point : points) {
    if (!first) json.Raw(",");
    first = false;
    WriteRow(point, json);
  }
  json.Raw("]");
}

void WriteFace(const std::optional<Face>& face, Writer& json) {
  json.Raw(",\"face_landmarks\":");
  if (!face) {
    json.Raw("null");
    return;
  }
  WriteRows(face->landmarks(), json);
}

using HandPoints = std::array<Landmark, kHandLandmarkCount>;

void WriteHandRows(std::string_view key, const std::optional<Hand>& hand, HandPoints Hand::*points,
                   Writer& json) {
  json.Raw(key);
  if (!hand) {
    json.Raw("null");
    return;
  }
  WriteRows((*hand).*points, json);
}

void WriteHandScore(std::string_view key, const std::optional<Hand>& hand, Writer& json) {
  json.Raw(key);
  json.Float(hand ? hand->score : std::numeric_limits<float>::quiet_NaN());
}

// A side from the header chunk of a PNG file, which lies at a fixed place (PNG specification,
// 11.2.2): 16 bytes of signature and chunk start, then width and height, big-endian.
std::uint32_t PngSide(std::string_view png, std::size_t offset) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    value = value << 8 | static_cast<unsigned char>(png[offset + i]);
  }
  return value;
}

void WriteSegmentation(std::string_view png, Writer& json) {
  json.Raw(",\"segmentation\":");
  if (png.empty()) {
    json.Raw("null");
    return;
  }
  HOLO_CHECK(png.size() >= 24 && png.starts_with("\x89PNG\r\n\x1a\n"));
  json.Raw("{\"width\":").Int(PngSide(png, 16)).Raw(",\"height\":").Int(PngSide(png, 20));
  json.Raw(",\"png\":\"").Base64(png).Raw("\"}");
}

// Up to the end of the object, which is left open.
void WritePerson(const Person& person, std::string_view mask_png, Writer& json) {
  json.Raw("{\"id\":").Int(person.id).Raw(",\"score\":").Float(person.score);
  json.Raw(",\"pose_landmarks\":");
  WriteRows(person.pose_landmarks, json);
  json.Raw(",\"pose_world_landmarks\":");
  WriteRows(person.pose_world_landmarks, json);
  WriteFace(person.face, json);
  WriteHandRows(",\"left_hand_landmarks\":", person.left_hand, &Hand::landmarks, json);
  WriteHandRows(",\"right_hand_landmarks\":", person.right_hand, &Hand::landmarks, json);
  WriteHandRows(",\"left_hand_world_landmarks\":", person.left_hand, &Hand::world_landmarks, json);
  WriteHandRows(",\"right_hand_world_landmarks\":", person.right_hand, &Hand::world_landmarks,
                json);
  WriteHandScore(",\"left_hand_score\":", person.left_hand, json);
  WriteHandScore(",\"right_hand_score\":", person.right_hand, json);
  WriteSegmentation(mask_png, json);
}

}  // namespace

std::string ToJson(const FrameResult& frame, const JsonOptions& options) {
  std::string out;
  AppendJson(frame, options, out);
  return out;
}

void AppendJson(const FrameResult& frame, const JsonOptions& options, std::string& out) {
  Writer json(out);
  json.Raw("{\"schema\":\"holostat.frame/1\",\"frame\":").Int(options.frame_index);
  json.Raw(",\"timestamp_ms\":");
  WriteMilliseconds(frame.timestamp, json);
  json.Raw(",\"image\":{\"width\":").Int(frame.width).Raw(",\"height\":").Int(frame.height);
  json.Raw("},\"people\":[");
  for (std::size_t i = 0; i < frame.people.size(); ++i) {
    if (i != 0) json.Raw(",");
    const bool has_mask = i < options.mask_pngs.size();
    WritePerson(frame.people[i], has_mask ? options.mask_pngs[i] : std::string_view(), json);
    if (options.signals) {
      json.Raw(",\"signals\":");
      AppendSignals(vision::SignalsOf(frame.people[i], frame.width, frame.height), out);
    }
    json.Raw("}");
  }
  json.Raw("]}");
}

}  // namespace holostat::exporter
