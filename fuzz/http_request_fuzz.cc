// What a client can say before a worker is asked: head, query, chunks, form. None of it may crash,
// and a head that is taken has the shape that the rest of the server relies on.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/check.h"
#include "server/chunked_body.h"
#include "server/multipart.h"
#include "server/request_head.h"
#include "server/routes.h"

namespace holostat::server {
namespace {

void ReadChunks(std::span<const std::byte> bytes) {
  std::size_t total = 0;
  ChunkedBody body([&](std::span<const std::byte> part) -> Result<void> {
    total += part.size();
    return {};
  });
  while (!body.done()) {
    const auto used = body.Put(bytes);
    if (!used || *used == 0) break;
    bytes = bytes.subspan(*used);
  }
}

void Exercise(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  std::size_t scanned = 0;
  if (ScanHead(text, scanned) == HeadProgress::kComplete) {
    HOLO_CHECK(scanned <= text.size());
    if (const auto head = ReadHead(text.substr(0, scanned))) {
      HOLO_CHECK(head->path == "*" || head->path.starts_with('/'));
      HOLO_CHECK(head->framing == Framing::kLength || head->content_length == 0);
      for (const Route& route : Routes()) static_cast<void>(ReadParameters(route, head->query));
      const auto body = bytes.subspan(scanned);
      if (head->framing == Framing::kChunked) ReadChunks(body);
      static_cast<void>(ReadForm(body, head->content_type, 4));
    }
  }
  ReadChunks(bytes);
  if (const auto form = ReadForm(bytes, "multipart/form-data; boundary=b", 4)) {
    for (const FormPart& part : *form) HOLO_CHECK(part.bytes.size() <= bytes.size());
  }
}

}  // namespace
}  // namespace holostat::server

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  holostat::server::Exercise({reinterpret_cast<const char*>(data), size});
  return 0;
}
