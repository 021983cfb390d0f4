#include "app/media_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

namespace holostat::app {
namespace {

constexpr double kMostSeconds = 3'600'000;

// Digits, with a fraction or not: no sign, no exponent.
std::optional<double> ParseNumber(std::string_view text) {
  const bool is_plain = std::all_of(text.begin(), text.end(),
                                    [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
  double value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
  return is_plain && is_whole ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<std::chrono::microseconds> ParseMediaTime(std::string_view text) {
  double seconds = 0;
  for (int part = 0; part < 3; ++part) {
    const std::size_t colon = text.find(':');
    const bool is_last = colon == std::string_view::npos;
    const std::string_view digits = text.substr(0, colon);
    const auto value = ParseNumber(digits);
    if (!value || (part > 0 && *value >= 60)) return std::nullopt;
    if (!is_last && digits.find('.') != std::string_view::npos) return std::nullopt;
    seconds = seconds * 60 + *value;
    if (seconds > kMostSeconds) return std::nullopt;
    if (is_last) return std::chrono::microseconds(std::llround(seconds * 1e6));
    text.remove_prefix(colon + 1);
  }
  return std::nullopt;
}

std::string FormatMediaTime(std::chrono::microseconds time) {
  const auto seconds =
      std::max<std::int64_t>(0, std::chrono::floor<std::chrono::seconds>(time).count());
  const auto hours = seconds / 3600, minutes = seconds / 60 % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, seconds % 60);
  return fmt::format("{}:{:02}", minutes, seconds % 60);
}

}  // namespace holostat::app
