// What a client of a live session sends: the first byte chooses between a frame, a text message and
// the subprotocols that it offers. What is accepted must hold what its type promises.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

#include "server/live_frame.h"
#include "server/live_options.h"
#include "server/live_subprotocol.h"

namespace {

namespace server = holostat::server;

void ReadFrame(std::span<const std::byte> bytes) {
  const auto frame = server::ParseLiveFrame(bytes);
  if (!frame) return;
  if (frame->picture.empty()) std::abort();
  if (frame->picture.size() + server::kLiveHeaderBytes != bytes.size()) std::abort();
  if (frame->input == holostat::ipc::InputKind::kEncoded) return;
  const std::size_t channels = frame->input == holostat::ipc::InputKind::kRgb8 ? 3 : 4;
  if (std::uint64_t{frame->width} * frame->height * channels != frame->picture.size()) std::abort();
}

// What it changes is said by ToJson in a message that changes nothing more.
void ReadCommand(std::string_view text) {
  const auto command = server::ParseLiveCommand(text, {});
  if (!command || command->kind == server::LiveCommand::Kind::kReset) return;
  std::string again = server::ToJson(command->options);
  again.insert(1, R"("type":"options",)");
  const auto same = server::ParseLiveCommand(again, {});
  if (!same || !(same->options == command->options)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::span rest(data + 1, size - 1);
  const std::string_view text(reinterpret_cast<const char*>(rest.data()), rest.size());
  switch (data[0] % 3) {
    case 0:
      ReadFrame(std::as_bytes(rest));
      break;
    case 1:
      ReadCommand(text);
      break;
    default:
      static_cast<void>(server::OffersLiveSubprotocol(text));
      static_cast<void>(server::LiveAuthorization(text));
  }
  return 0;
}
