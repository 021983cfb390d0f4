#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace holostat::app {

// A place in a video as people write it: "90", "90.5", "1:30" or "1:02:03.250". Minutes and seconds
// behind a colon are below 60. Nothing: it is no such time, or over 1000 hours.
std::optional<std::chrono::microseconds> ParseMediaTime(std::string_view text);

// For people to read: "1:02:03", "4:05", without parts of a second.
std::string FormatMediaTime(std::chrono::microseconds time);

}  // namespace holostat::app
