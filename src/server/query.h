#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace holostat::server {

// "a=1&b=x%20y": names and values, percent-decoded ('+' is a space). At most 32. Errors:
// kInvalidArgument (a name twice, a bad escape, too many).
Result<std::map<std::string, std::string>> ParseQuery(std::string_view query);

}  // namespace holostat::server
