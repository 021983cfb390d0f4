#include "server/live_frame.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace holostat::server {
namespace {

static_assert(std::endian::native == std::endian::little, "the header is read as it lies");

template <class T>
T Read(std::span<const std::byte> message, std::size_t offset) {
  T value;
  std::memcpy(&value, message.data() + offset, sizeof value);
  return value;
}

// Bytes a pixel; 0 for a picture file.
std::size_t Channels(ipc::InputKind input) {
  switch (input) {
    case ipc::InputKind::kRgb8:
      return 3;
    case ipc::InputKind::kRgba8:
      return 4;
    case ipc::InputKind::kEncoded:
      break;
  }
  return 0;
}

Result<void> CheckSize(const LiveFrame& frame) {
  const std::size_t channels = Channels(frame.input);
  if (channels == 0) {
    if (frame.width == 0 && frame.height == 0) return {};
    return Fail(ErrorCode::kInvalidArgument, "width and height belong to raw frames only");
  }
  const std::uint64_t pixels = std::uint64_t{frame.width} * frame.height;
  if (pixels == frame.picture.size() / channels && frame.picture.size() % channels == 0) return {};
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("a raw frame of {} x {} with {} bytes a pixel does not have {} bytes",
                          frame.width, frame.height, channels, frame.picture.size()));
}

}  // namespace

Result<LiveFrame> ParseLiveFrame(std::span<const std::byte> message) {
  if (message.size() <= kLiveHeaderBytes) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("a frame has a header of {} bytes and a picture; this one has {} bytes",
                            kLiveHeaderBytes, message.size()));
  }
  const auto version = Read<std::uint8_t>(message, 0);
  if (version != kLiveVersion) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("frame version {}: only {} is known", version, kLiveVersion));
  }
  const auto kind = Read<std::uint8_t>(message, 1);
  if (kind < 1 || kind > 3 || Read<std::uint16_t>(message, 2) != 0) {
    return Fail(ErrorCode::kInvalidArgument,
                "a frame of unknown kind, or its reserved bytes are not 0");
  }
  LiveFrame frame;
  frame.input = static_cast<ipc::InputKind>(kind);
  frame.sequence = Read<std::uint32_t>(message, 4);
  frame.width = Read<std::uint32_t>(message, 8);
  frame.height = Read<std::uint32_t>(message, 12);
  frame.timestamp = std::chrono::microseconds(Read<std::int64_t>(message, 16));
  frame.picture = message.subspan(kLiveHeaderBytes);
  HOLO_TRY(CheckSize(frame));
  return frame;
}

}  // namespace holostat::server
