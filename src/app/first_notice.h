#pragma once

#include <string_view>

namespace holostat::app {

// Says `text` on stderr at the first call on this account, and remembers under `name` that it was
// said: an empty file in the XDG state folder. Where that cannot be made, it is said each time.
void SayOnce(std::string_view name, std::string_view text);

}  // namespace holostat::app
