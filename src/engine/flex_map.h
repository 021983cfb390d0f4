#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace holostat::engine {

// A FlexBuffer whose root is a map of numbers and number lists: how TFLite files carry the options
// of custom operators. Read by hand because the verifier of FlatBuffers 2.0.8 accepts keys without
// a terminator and maps with fewer values than keys, both of which its readers then run past.
//
// Borrows its bytes. Any bytes are safe. Errors: kCorruptData.
class FlexMap {
 public:
  static Result<FlexMap> Parse(std::span<const std::uint8_t> bytes);

  Result<std::int32_t> Int(std::string_view key) const;
  Result<float> Float(std::string_view key) const;
  Result<std::vector<std::int32_t>> IntList(std::string_view key) const;

 private:
  struct Slot {  // a value of the map: where it lies and its packed type byte
    std::size_t at;
    std::uint8_t type;
    std::uint8_t own_width;  // of what an offset in the slot points to
  };

  explicit FlexMap(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  Result<void> Locate();
  Result<Slot> Find(std::string_view key) const;
  bool KeyIs(std::size_t at, std::string_view key) const;
  Result<std::uint64_t> Unsigned(std::size_t at, std::size_t width) const;
  Result<std::int32_t> Integer(std::size_t at, std::size_t width, bool is_signed) const;
  Result<std::size_t> Follow(std::size_t at, std::size_t width) const;

  std::span<const std::uint8_t> bytes_;
  std::size_t count_ = 0;
  std::size_t values_at_ = 0, value_width_ = 0;
  std::size_t keys_at_ = 0, key_width_ = 0;
};

}  // namespace holostat::engine
