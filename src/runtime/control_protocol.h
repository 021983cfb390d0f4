#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace holostat::runtime {

// What both sides of control_server.h agree on.
inline constexpr std::string_view kControlNamePrefix = "holostat/";
inline constexpr std::size_t kMaxControlLineBytes = 1024;  // with its newline
inline constexpr std::size_t kMaxControlHeadBytes = 64;    // with its newline
inline constexpr std::size_t kMaxControlErrorBytes = 4096;
inline constexpr std::size_t kMaxControlAnswerBytes = 64u << 20;

// What comes before the bytes of an answer.
struct ControlHead {
  std::optional<ErrorCode> error;  // of a request that failed: then the bytes are its message
  std::size_t bytes = 0;
};
std::string FormatControlHead(const ControlHead& head);       // with its newline
Result<ControlHead> ParseControlHead(std::string_view line);  // without. Error: kCorruptData
bool IsControlLine(std::string_view line);  // printable ASCII, not empty, not too long

// The address of the door of process `pid`.
struct ControlAddress {
  sockaddr_un address{};
  socklen_t length = 0;
};
ControlAddress ControlAddressOf(int pid);

}  // namespace holostat::runtime
