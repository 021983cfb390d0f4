// Any bytes through the decoder of messages. What it accepts must encode to the same bytes: then
// each message has one encoding only, and decoding that gives the same message again.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "ipc/message.h"

namespace {

namespace ipc = holostat::ipc;

void Check(const ipc::Message& message, std::span<const std::byte> bytes) {
  std::array<std::byte, ipc::kMaxMessageBytes> buffer;
  const std::span encoded = std::span(buffer).first(ipc::Encode(message, buffer));
  if (!std::ranges::equal(encoded, bytes)) std::abort();
  const auto again = ipc::Decode(encoded);
  if (!again || again->index() != message.index()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const auto message = ipc::Decode(bytes);
  if (message) {
    Check(*message, bytes);
  } else if (message.error().code != holostat::ErrorCode::kCorruptData) {
    std::abort();
  }
  return 0;
}
