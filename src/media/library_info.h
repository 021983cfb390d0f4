#pragma once

#include <string>
#include <vector>

namespace holostat::media {

// Name and version of each codec library in use, for `holostat doctor`.
std::vector<std::string> LibraryVersions();

}  // namespace holostat::media
