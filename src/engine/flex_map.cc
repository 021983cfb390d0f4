#include "engine/flex_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

namespace holostat::engine {
namespace {

// Type numbers of the format (upper six bits of a packed type byte; the lower two are log2 width).
enum FlexType : std::uint8_t {
  kInt = 1,
  kUInt = 2,
  kFloat = 3,
  kIndirectInt = 6,
  kIndirectUInt = 7,
  kIndirectFloat = 8,
  kMap = 9,
  kIntVector = 11,
  kUIntVector = 12,
};

FlexType TypeOf(std::uint8_t packed) { return static_cast<FlexType>(packed >> 2); }
std::uint8_t WidthOf(std::uint8_t packed) { return static_cast<std::uint8_t>(1U << (packed & 3U)); }

tl::unexpected<Error> Corrupt(std::string_view what) {
  return Fail(ErrorCode::kCorruptData, fmt::format("custom options: {}", what));
}

}  // namespace

Result<FlexMap> FlexMap::Parse(std::span<const std::uint8_t> bytes) {
  FlexMap map(bytes);
  HOLO_TRY(map.Locate());
  return map;
}

// A buffer ends with: the root value, its packed type, the root value's width. A map is a vector of
// values followed by their type bytes; before it stand the offset of its sorted key vector, the
// width of that vector's offsets, and the count.
Result<void> FlexMap::Locate() {
  const std::size_t size = bytes_.size();
  if (size < 3) return Corrupt("too short");
  const std::size_t root_width = bytes_[size - 1];
  const std::uint8_t root_type = bytes_[size - 2];
  if (!std::has_single_bit(root_width) || root_width > 8 || root_width + 2 > size) {
    return Corrupt("bad root width");
  }
  if (TypeOf(root_type) != kMap) return Corrupt("the root is not a map");

  value_width_ = WidthOf(root_type);
  values_at_ = HOLO_TRY(Follow(size - 2 - root_width, root_width));
  if (values_at_ < 3 * value_width_) return Corrupt("the map begins before the buffer");
  count_ = HOLO_TRY(Unsigned(values_at_ - value_width_, value_width_));
  if (count_ > size || values_at_ + count_ * (value_width_ + 1) > size) {
    return Corrupt("the map runs past the buffer");
  }

  key_width_ = HOLO_TRY(Unsigned(values_at_ - 2 * value_width_, value_width_));
  if (!std::has_single_bit(key_width_) || key_width_ > 8) return Corrupt("bad key width");
  keys_at_ = HOLO_TRY(Follow(values_at_ - 3 * value_width_, value_width_));
  if (keys_at_ < key_width_ || keys_at_ + count_ * key_width_ > size) {
    return Corrupt("the keys lie outside the buffer");
  }
  if (HOLO_TRY(Unsigned(keys_at_ - key_width_, key_width_)) != count_) {
    return Corrupt("keys and values differ in number");
  }
  return {};
}

Result<std::int32_t> FlexMap::Int(std::string_view key) const {
  const Slot slot = HOLO_TRY(Find(key));
  const FlexType type = TypeOf(slot.type);
  if (type == kInt || type == kUInt) return Integer(slot.at, value_width_, type == kInt);
  if (type != kIndirectInt && type != kIndirectUInt) {
    return Corrupt(fmt::format("{} is not an integer", key));
  }
  const std::size_t at = HOLO_TRY(Follow(slot.at, value_width_));
  return Integer(at, slot.own_width, type == kIndirectInt);
}

Result<float> FlexMap::Float(std::string_view key) const {
  const Slot slot = HOLO_TRY(Find(key));
  std::size_t at = slot.at;
  std::size_t width = value_width_;
  if (TypeOf(slot.type) == kIndirectFloat) {
    at = HOLO_TRY(Follow(slot.at, value_width_));
    width = slot.own_width;
  } else if (TypeOf(slot.type) != kFloat) {
    return Corrupt(fmt::format("{} is not a float", key));
  }
  const std::uint64_t bits = HOLO_TRY(Unsigned(at, width));
  if (width == 4) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if (width == 8) {
    const double value = std::bit_cast<double>(bits);
    // The conversion is only defined inside the range of float; NaN fails the comparison too.
    if (!(std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max()))) {
      return Corrupt(fmt::format("{} is out of range", key));
    }
    return static_cast<float>(value);
  }
  return Corrupt(fmt::format("{} has a width of {} bytes", key, width));
}

Result<std::vector<std::int32_t>> FlexMap::IntList(std::string_view key) const {
  const Slot slot = HOLO_TRY(Find(key));
  if (TypeOf(slot.type) != kIntVector && TypeOf(slot.type) != kUIntVector) {
    return Corrupt(fmt::format("{} is not a list of integers", key));
  }
  const std::size_t width = slot.own_width;
  const std::size_t at = HOLO_TRY(Follow(slot.at, value_width_));
  if (at < width) return Corrupt(fmt::format("{} begins before the buffer", key));
  const std::uint64_t count = HOLO_TRY(Unsigned(at - width, width));
  if (count > (bytes_.size() - at) / width) {
    return Corrupt(fmt::format("{} runs past the buffer", key));
  }
  std::vector<std::int32_t> list;
  list.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    list.push_back(HOLO_TRY(Integer(at + i * width, width, TypeOf(slot.type) == kIntVector)));
  }
  return list;
}

Result<FlexMap::Slot> FlexMap::Find(std::string_view key) const {
  for (std::size_t i = 0; i < count_; ++i) {
    const std::size_t key_at = HOLO_TRY(Follow(keys_at_ + i * key_width_, key_width_));
    if (!KeyIs(key_at, key)) continue;
    const std::uint8_t type = bytes_[values_at_ + count_ * value_width_ + i];
    return Slot{values_at_ + i * value_width_, type, WidthOf(type)};
  }
  return Corrupt(fmt::format("{} is missing", key));
}

// Keys are terminated by a zero byte.
bool FlexMap::KeyIs(std::size_t at, std::string_view key) const {
  const auto rest = bytes_.subspan(at);
  return rest.size() > key.size() && rest[key.size()] == 0 &&
         std::equal(key.begin(), key.end(), rest.begin(),
                    [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; });
}

Result<std::uint64_t> FlexMap::Unsigned(std::size_t at, std::size_t width) const {
  if (width > bytes_.size() || at > bytes_.size() - width) return Corrupt("an offset is wrong");
  std::uint64_t value = 0;
  std::memcpy(&value, bytes_.data() + at, width);  // the format is little-endian, as we are
  return value;
}

Result<std::int32_t> FlexMap::Integer(std::size_t at, std::size_t width, bool is_signed) const {
  const std::uint64_t bits = HOLO_TRY(Unsigned(at, width));
  const unsigned unused = 64 - 8 * static_cast<unsigned>(width);
  const auto value = is_signed ? static_cast<std::int64_t>(bits << unused) >> unused
                               : static_cast<std::int64_t>(bits);
  // An unsigned number of 64 bits that does not fit reads as a negative one here: refused as well.
  if (value < std::numeric_limits<std::int32_t>::min() ||
      value > std::numeric_limits<std::int32_t>::max() || (!is_signed && value < 0)) {
    return Corrupt("a number exceeds 32 bits");
  }
  return static_cast<std::int32_t>(value);
}

// Offsets point backwards from where they stand.
Result<std::size_t> FlexMap::Follow(std::size_t at, std::size_t width) const {
  const std::uint64_t offset = HOLO_TRY(Unsigned(at, width));
  if (offset > at) return Corrupt("an offset is wrong");
  return at - static_cast<std::size_t>(offset);
}

}  // namespace holostat::engine
