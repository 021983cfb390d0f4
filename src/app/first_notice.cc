#include "app/first_notice.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "app/say.h"

namespace holostat::app {
namespace {

std::filesystem::path StateFolder() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state == '/') {
    return std::filesystem::path(state) / "holostat";
  }
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home != '/') return {};
  return std::filesystem::path(home) / ".local/state/holostat";
}

}  // namespace

void SayOnce(std::string_view name, std::string_view text) {
  const std::filesystem::path folder = StateFolder();
  std::error_code error;
  if (!folder.empty() && std::filesystem::exists(folder / name, error)) return;
  Say("{}\n", text);
  if (folder.empty()) return;
  std::filesystem::create_directories(folder, error);
  if (!error) std::ofstream(folder / name).flush();
}

}  // namespace holostat::app
