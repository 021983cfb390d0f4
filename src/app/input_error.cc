#include "app/input_error.h"

#include "app/say.h"
#include "base/result.h"

namespace holostat::app {

ExitCode StopFor(const std::string& input, const Error& error, ExitCode code) {
  const std::string name = input == "-" ? "standard input" : input;
  const bool is_named = error.message.find(name) != std::string::npos;
  return Stop(is_named ? error : WithContext(error, name), code);
}

}  // namespace holostat::app
