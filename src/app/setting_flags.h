#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <string_view>
#include <vector>

#include "app/setting.h"

namespace holostat::app {

// Adds a flag for each. `given` is told of what the command line says, while it is parsed; its
// error ends the parsing. Neither `settings` nor what they point to need outlive the call.
void AddSettingFlags(
    CLI::App& parser, const std::vector<Setting>& settings,
    std::function<Result<void>(std::string_view name, std::string_view text)> given);

}  // namespace holostat::app
