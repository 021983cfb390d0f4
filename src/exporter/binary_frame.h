#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "holostat/frame_result.h"

namespace holostat::exporter {

inline constexpr std::uint32_t kBinaryMagic = 0x464c4f48;  // "HOLF"
inline constexpr std::uint16_t kBinaryVersion = 1;

struct BinaryOptions {
  std::uint64_t frame_index = 0;
  std::span<const std::string_view> mask_pngs = {};  // as in JsonOptions
};

// The frame as little-endian numbers, a fifth of what JSON takes: the layout is docs/live.md's,
// "Binary output". Thread-safe: no shared state.
std::string ToBinary(const FrameResult& frame, const BinaryOptions& options = {});

}  // namespace holostat::exporter
