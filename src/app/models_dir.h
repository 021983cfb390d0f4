#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace holostat::app {

// Where models are looked for, in order: `option` (--models) alone when given, else
// $HOLOSTAT_MODELS alone when set, else the XDG data folder (holostat/models), the share folder of
// an installation and the folder of the build.
std::vector<std::filesystem::path> ModelSearchPath(const std::string& option);

// The first folder of the search path that holds all known model files, or else the first that
// holds any. Error: kNotFound, naming each folder tried and how to mend it.
Result<std::filesystem::path> LocateModels(const std::string& option);

}  // namespace holostat::app
