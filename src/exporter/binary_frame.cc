#include "exporter/binary_frame.h"

#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace holostat::exporter {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie");
static_assert(sizeof(Landmark) == 3 * sizeof(float) && sizeof(PoseLandmark) == 5 * sizeof(float),
              "landmarks are written as they lie");

constexpr std::size_t kAlignment = 4;  // so that a reader can lay floats over the bytes

class Writer {
 public:
  template <class T>
  void Number(T value) {
    Bytes(&value, sizeof value);
  }
  template <class T, std::size_t Count>
  void Points(const std::array<T, Count>& points) {
    Bytes(points.data(), sizeof points);
  }
  void Bytes(const void* bytes, std::size_t size) {
    out_.append(static_cast<const char*>(bytes), size);
  }
  void Pad() { out_.append((kAlignment - out_.size() % kAlignment) % kAlignment, '\0'); }
  std::string Take() { return std::move(out_); }

 private:
  std::string out_;
};

std::uint32_t CountOf(const std::optional<Hand>& hand) {
  return hand ? static_cast<std::uint32_t>(kHandLandmarkCount) : 0;
}

void WriteHand(const std::optional<Hand>& hand, Writer& out) {
  if (!hand) return;
  out.Points(hand->landmarks);
  out.Points(hand->world_landmarks);
}

void WritePerson(const Person& person, std::string_view mask_png, Writer& out) {
  out.Number(static_cast<std::uint32_t>(person.id));
  out.Number(person.score);
  out.Number(person.left_hand ? person.left_hand->score : 0.0f);
  out.Number(person.right_hand ? person.right_hand->score : 0.0f);
  out.Number(static_cast<std::uint32_t>(person.face ? person.face->count : 0));
  out.Number(CountOf(person.left_hand));
  out.Number(CountOf(person.right_hand));
  out.Number(static_cast<std::uint32_t>(mask_png.size()));
  out.Points(person.pose_landmarks);
  out.Points(person.pose_world_landmarks);
  if (person.face) out.Bytes(person.face->points.data(), person.face->landmarks().size_bytes());
  WriteHand(person.left_hand, out);
  WriteHand(person.right_hand, out);
  out.Bytes(mask_png.data(), mask_png.size());
  out.Pad();
}

}  // namespace

std::string ToBinary(const FrameResult& frame, const BinaryOptions& options) {
  Writer out;
  out.Number(kBinaryMagic);
  out.Number(kBinaryVersion);
  out.Number(static_cast<std::uint16_t>(frame.people.size()));
  out.Number(static_cast<std::uint32_t>(frame.width));
  out.Number(static_cast<std::uint32_t>(frame.height));
  out.Number(options.frame_index);
  out.Number(static_cast<std::int64_t>(frame.timestamp.count()));
  for (std::size_t i = 0; i < frame.people.size(); ++i) {
    WritePerson(frame.people[i],
                i < options.mask_pngs.size() ? options.mask_pngs[i] : std::string_view(), out);
  }
  return out.Take();
}

}  // namespace holostat::exporter
