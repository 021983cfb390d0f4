#include "server/static_files.h"

#include <algorithm>

namespace holostat::server {
namespace {

// The page loads what is ours and nothing else; it makes pictures (blob:, data:) itself, and uses
// the camera.
constexpr std::string_view kPagePolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "media-src 'self' blob:; connect-src 'self'; font-src 'self'; worker-src 'self' blob:; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

// Whether a list like "gzip, br;q=0" names `item` and does not say that it is not wanted.
bool Accepts(std::string_view list, std::string_view item) {
  while (!list.empty()) {
    std::string_view entry = list.substr(0, list.find(','));
    list.remove_prefix(std::min(entry.size() + 1, list.size()));
    entry.remove_prefix(std::min(entry.find_first_not_of(" \t"), entry.size()));
    const std::size_t end = entry.find_first_of("; \t");
    if (entry.substr(0, end) != item) continue;
    const std::size_t quality = entry.find("q=");
    return quality == std::string_view::npos ||
           entry.find_first_of("123456789", quality) != std::string_view::npos;
  }
  return false;
}

bool HasTag(std::string_view if_none_match, std::string_view etag) {
  return if_none_match == "*" || if_none_match.find(etag) != std::string_view::npos;
}

}  // namespace

const EmbeddedFile* FindFile(std::string_view path) {
  const auto files = EmbeddedFiles();
  const auto found = std::ranges::lower_bound(files, path, {}, &EmbeddedFile::path);
  return found == files.end() || found->path != path ? nullptr : &*found;
}

Response AnswerFile(const EmbeddedFile& file, const RequestHead& head) {
  Response response;
  response.headers.emplace_back("ETag", file.etag);
  response.headers.emplace_back("Vary", "Accept-Encoding");
  response.headers.emplace_back(
      "Cache-Control", file.immutable ? "public, max-age=31536000, immutable" : "no-cache");
  response.headers.emplace_back("Content-Security-Policy", kPagePolicy);
  response.headers.emplace_back("Permissions-Policy",
                                "camera=(self), microphone=(), geolocation=()");
  response.headers.emplace_back("Cross-Origin-Opener-Policy", "same-origin");
  if (HasTag(head.if_none_match, file.etag)) {
    response.status = 304;
    return response;
  }
  response.content_type = file.content_type;
  const bool packed = !file.gzip.empty() && Accepts(head.accept_encoding, "gzip");
  if (packed) response.headers.emplace_back("Content-Encoding", "gzip");
  response.static_body = packed ? file.gzip : file.bytes;
  return response;
}

}  // namespace holostat::server
