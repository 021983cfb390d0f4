#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "ipc/message.h"

namespace holostat::server {

// A frame that a client of a live session sends: a header of kLiveHeaderBytes (docs/live.md, "In")
// and the bytes of a picture.
inline constexpr std::size_t kLiveHeaderBytes = 24;
inline constexpr std::uint8_t kLiveVersion = 1;

struct LiveFrame {
  ipc::InputKind input = ipc::InputKind::kEncoded;
  std::uint32_t sequence = 0;               // the client's own
  std::uint32_t width = 0, height = 0;      // raw pixels only; else 0
  std::chrono::microseconds timestamp{0};   // as the client says: it may be anything
  std::span<const std::byte> picture = {};  // a part of the message
};

// Error: kInvalidArgument, for a person: too short, another version, an unknown kind, a reserved
// field in use, no picture, raw pixels that are not width x height, a size of a packed picture.
Result<LiveFrame> ParseLiveFrame(std::span<const std::byte> message);

}  // namespace holostat::server
