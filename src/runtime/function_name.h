#pragma once

#include <string>
#include <string_view>

namespace holostat::runtime {

// The name of a function for a person, from its linkage name: demangled, without parameters, return
// type and what follows them; template arguments longer than a short word become "...":
//   holostat::vision::Crop::Make, std::vector<...>::push_back, foo()::{lambda#1} -> foo::{lambda#1}
// Of a name that is not mangled, template arguments alone are shortened.
std::string ShortFunctionName(std::string_view linkage_name);

}  // namespace holostat::runtime
