#include "app/say.h"

#include <algorithm>

namespace holostat::app {

std::string Printable(std::string_view name) {
  std::string text(name);
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  return text;
}

ExitCode Stop(const Error& error, ExitCode code) {
  Say("holostat: {}\n", Printable(error.message));
  return code;
}

}  // namespace holostat::app
