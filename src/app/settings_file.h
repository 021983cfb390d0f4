#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/setting.h"

namespace holostat::app {

// Sets what a TOML text sets. What is wrong: a sentence each, with `file`, line and key; unknown
// keys and sections are wrong too, and the nearest known one is suggested.
std::vector<std::string> SetFromToml(const std::vector<Setting>& settings, std::string_view text,
                                     const std::string& file);

// All of them as TOML with comments, which SetFromToml takes.
std::string ToToml(const std::vector<Setting>& settings);

}  // namespace holostat::app
