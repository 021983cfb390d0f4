#include "runtime/control_protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace holostat::runtime {
namespace {

constexpr std::string_view kOk = "ok ";
constexpr std::string_view kError = "error ";

std::optional<ErrorCode> CodeOfName(std::string_view name) {
  for (int code = static_cast<int>(ErrorCode::kInvalidArgument);
       code <= static_cast<int>(ErrorCode::kInternal); ++code) {
    if (ErrorCodeName(static_cast<ErrorCode>(code)) == name) return static_cast<ErrorCode>(code);
  }
  return std::nullopt;
}

std::optional<std::size_t> ParseSize(std::string_view digits) {
  std::size_t size = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return size;
}

}  // namespace

std::string FormatControlHead(const ControlHead& head) {
  return head.error ? fmt::format("error {} {}\n", ErrorCodeName(*head.error), head.bytes)
                    : fmt::format("ok {}\n", head.bytes);
}

Result<ControlHead> ParseControlHead(std::string_view line) {
  ControlHead head;
  const auto corrupt = [] { return Fail(ErrorCode::kCorruptData, "not an answer of holostat"); };
  if (line.starts_with(kOk)) {
    line.remove_prefix(kOk.size());
  } else if (line.starts_with(kError)) {
    line.remove_prefix(kError.size());
    const auto space = line.find(' ');
    if (space == line.npos) return corrupt();
    head.error = CodeOfName(line.substr(0, space));
    if (!head.error) return corrupt();
    line.remove_prefix(space + 1);
  } else {
    return corrupt();
  }
  const auto size = ParseSize(line);
  if (!size || *size > (head.error ? kMaxControlErrorBytes : kMaxControlAnswerBytes)) {
    return corrupt();
  }
  head.bytes = *size;
  return head;
}

bool IsControlLine(std::string_view line) {
  return !line.empty() && line.size() < kMaxControlLineBytes &&
         std::all_of(line.begin(), line.end(), [](char c) { return c >= 0x20 && c <= 0x7e; });
}

ControlAddress ControlAddressOf(int pid) {
  ControlAddress made;
  made.address.sun_family = AF_UNIX;
  const std::string name = fmt::format("{}{}", kControlNamePrefix, pid);
  // sun_path[0] stays 0: the abstract namespace, where the length ends the name.
  std::copy(name.begin(), name.end(), made.address.sun_path + 1);
  made.length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return made;
}

}  // namespace holostat::runtime
