#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "app/exit_code.h"
#include "holostat/result.h"

namespace holostat::app {

// A name from outside as it may be shown on a terminal: control characters become '?'.
std::string Printable(std::string_view name);

// Writes to stderr. What cannot be said is not worth failing for, so errors are ignored.
template <class... Args>
void Say(fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = fmt::format(format, std::forward<Args>(args)...);
  std::fputs(text.c_str(), stderr);
}

// Says why the program ends and gives the code to end it with.
ExitCode Stop(const Error& error, ExitCode code);

}  // namespace holostat::app
