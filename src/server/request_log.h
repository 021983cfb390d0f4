#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace holostat::server {

// One answered (or abandoned) request: never a byte of the picture, nor the token.
struct RequestLogEntry {
  std::string_view request_id = "";
  std::string_view client = "";  // address, without port
  std::string_view method = "";
  std::string_view path = "";  // without query
  int status = 0;              // 0: the client was gone
  std::uint64_t bytes_in = 0, bytes_out = 0;
  std::chrono::microseconds duration{0};
  std::uint32_t worker_id = 0;  // 0: none was asked
  std::uint32_t attempts = 0;
  std::string_view error = "";  // a sentence; empty: none
};

using RequestLogger = std::function<void(const RequestLogEntry&)>;

}  // namespace holostat::server
