#include "app/text_bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace holostat::app {
namespace {

// U+2581..U+2588, lower one eighth block to full block.
constexpr std::array<std::string_view, 8> kUnicodeLevels{"\u2581", "\u2582", "\u2583", "\u2584",
                                                         "\u2585", "\u2586", "\u2587", "\u2588"};
constexpr std::array<std::string_view, 8> kAsciiLevels{"_", ".", ":", "-", "=", "+", "*", "#"};

bool ContinuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

double Share(double part, double whole) {
  const double share = part / whole;
  return std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0;
}

bool IsUtf8(std::string locale) {
  std::transform(locale.begin(), locale.end(), locale.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return locale.find("utf-8") != locale.npos || locale.find("utf8") != locale.npos;
}

}  // namespace

Glyphs GlyphsOfEnvironment() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    return IsUtf8(value) ? Glyphs::kUnicode : Glyphs::kAscii;
  }
  return Glyphs::kAscii;
}

std::string Bar(double share, std::size_t width, Glyphs glyphs) {
  const double filled = std::round(Share(share, 1) * static_cast<double>(width));
  const bool unicode = glyphs == Glyphs::kUnicode;
  std::string bar = "[";
  for (std::size_t i = 0; i < width; ++i) {
    const bool is_filled = static_cast<double>(i) < filled;
    if (unicode) {
      bar += is_filled ? "\u2588" : "\u2591";
    } else {
      bar += is_filled ? '#' : '.';
    }
  }
  return bar + "]";
}

std::string Sparkline(std::span<const double> values, double least_top, Glyphs glyphs) {
  double top = least_top;
  for (const double value : values) top = std::max(top, value);
  std::string line;
  for (const double value : values) {
    const auto level = static_cast<std::size_t>(std::lround(Share(value, top) * 7));
    line += (glyphs == Glyphs::kUnicode ? kUnicodeLevels : kAsciiLevels)[level];
  }
  return line;
}

std::string BytesText(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1024;
  for (const char* unit : {"kB", "MB", "GB"}) {
    if (value < 1023.95) return fmt::format("{:.1f} {}", value, unit);
    value /= 1024;
  }
  return fmt::format("{:.1f} TB", value);
}

std::string DurationText(double seconds) {
  if (!(seconds >= 0 && seconds < 1e12)) return "?";
  const auto whole = static_cast<std::uint64_t>(seconds);
  const std::uint64_t days = whole / 86400, hours = whole / 3600 % 24, minutes = whole / 60 % 60;
  return days == 0 ? fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60)
                   : fmt::format("{}d {:02}:{:02}:{:02}", days, hours, minutes, whole % 60);
}

std::string MillisecondsText(double ms) {
  if (!(ms > 0)) return "-";
  if (ms >= 1000) return fmt::format("{:.2f} s", ms / 1000);
  return ms < 10 ? fmt::format("{:.2f} ms", ms) : fmt::format("{:.1f} ms", ms);
}

std::string AsciiOnly(std::string_view text) {
  std::string shown;
  for (const char c : text) {
    if (ContinuesCharacter(c)) continue;  // one mark a character
    shown += c >= 0x20 && c <= 0x7e ? c : '?';
  }
  return shown;
}

std::string CutToWidth(std::string_view text, std::size_t columns) {
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    if (ContinuesCharacter(text[end])) continue;
    if (columns-- == 0) break;
  }
  return std::string(text.substr(0, end));
}

std::size_t WidthOf(std::string_view text) {
  return text.size() -
         static_cast<std::size_t>(std::count_if(text.begin(), text.end(), ContinuesCharacter));
}

}  // namespace holostat::app
