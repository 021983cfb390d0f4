#pragma once

#include <span>
#include <string_view>

namespace holostat::server {

// A file of the web page, put into the program at build time (web/, tools/embed_files.py).
struct EmbeddedFile {
  std::string_view path;          // "/", "/assets/index-4f3a.js"
  std::string_view content_type;  // "text/html; charset=utf-8"
  std::string_view etag;          // quoted, from its contents
  std::string_view gzip;          // its bytes, packed; empty where that saves nothing
  std::string_view bytes;
  bool immutable = false;  // its name has a hash of its contents: may be cached for ever
};

// Sorted by path. Generated; of static storage.
std::span<const EmbeddedFile> EmbeddedFiles();

}  // namespace holostat::server
