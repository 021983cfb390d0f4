#include "server/query.h"

#include <fmt/format.h>

#include <charconv>

namespace holostat::server {
namespace {

constexpr std::size_t kMaxParameters = 32;

Result<std::string> Decode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    unsigned value = 0;
    const std::string_view digits = text.substr(i + 1, 2);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (digits.size() != 2 || error != std::errc() || end != digits.data() + 2)
      return Fail(ErrorCode::kInvalidArgument, "the query has a % without two digits behind it");
    out += static_cast<char>(value);
    i += 2;
  }
  return out;
}

}  // namespace

Result<std::map<std::string, std::string>> ParseQuery(std::string_view query) {
  std::map<std::string, std::string> parameters;
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    std::string name = HOLO_TRY(Decode(pair.substr(0, equals)));
    std::string value = HOLO_TRY(
        Decode(equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1)));
    if (parameters.size() == kMaxParameters)
      return Fail(ErrorCode::kInvalidArgument, "the query has too many parameters");
    if (parameters.contains(name))
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("the parameter {} is given twice", name));
    parameters.emplace(std::move(name), std::move(value));
  }
  return parameters;
}

}  // namespace holostat::server
