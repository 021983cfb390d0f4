#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace holostat::app {

// Small drawings and numbers for a terminal of fixed-width characters.
enum class Glyphs { kAscii = 1, kUnicode };

// What the locale of the environment (LC_ALL, LC_CTYPE, LANG) can show.
Glyphs GlyphsOfEnvironment();

// `share` (clamped to 0..1) of `width` characters filled: "[####......]".
std::string Bar(double share, std::size_t width, Glyphs glyphs);

// A character a value, as high as its share of the largest one (of `least_top` when that is more).
std::string Sparkline(std::span<const double> values, double least_top, Glyphs glyphs);

std::string BytesText(std::uint64_t bytes);  // "512 B", "3.4 kB", "135.2 MB": units of 1024
std::string DurationText(double seconds);    // "0:01:05", "3d 04:00:00"
std::string MillisecondsText(double ms);     // "1.25 ms", "25.5 ms", "2.10 s"; none: "-"

// Text from another process as it may be shown: what is no printable ASCII becomes '?'.
std::string AsciiOnly(std::string_view text);

// At most `columns` characters of a text that holds ASCII and our own glyphs.
std::string CutToWidth(std::string_view text, std::size_t columns);
std::size_t WidthOf(std::string_view text);

}  // namespace holostat::app
