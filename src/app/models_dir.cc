#include "app/models_dir.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "vision/model_store.h"

namespace holostat::app {
namespace {

std::string_view Environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::filesystem::path XdgDataFolder() {
  if (const auto data = Environment("XDG_DATA_HOME"); !data.empty()) return data;
  if (const auto home = Environment("HOME"); !home.empty()) {
    return std::filesystem::path(home) / ".local/share";
  }
  return {};
}

std::size_t ModelsIn(const std::filesystem::path& dir) {
  std::error_code ignored;  // a folder that cannot be looked into holds nothing for us
  const auto models = vision::KnownModels();
  return static_cast<std::size_t>(
      std::count_if(models.begin(), models.end(), [&](const vision::ModelInfo& model) {
        return std::filesystem::is_regular_file(dir / model.file, ignored);
      }));
}

}  // namespace

std::vector<std::filesystem::path> ModelSearchPath(const std::string& option) {
  if (!option.empty()) return {option};
  if (const auto variable = Environment("HOLOSTAT_MODELS"); !variable.empty()) return {variable};
  std::vector<std::filesystem::path> path;
  if (const auto data = XdgDataFolder(); !data.empty()) path.push_back(data / "holostat/models");
  std::error_code error;
  const auto executable = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) {
    const auto folder = executable.parent_path();
    path.push_back(folder.parent_path() / "share/holostat/models");  // bin/ of an installation
    path.push_back(folder.parent_path() / "models");                 // build/release/ of a checkout
  }
  return path;
}

Result<std::filesystem::path> LocateModels(const std::string& option) {
  const auto path = ModelSearchPath(option);
  // A stray file in one folder must not hide the whole set in the next.
  for (const auto& dir : path) {
    if (ModelsIn(dir) == vision::KnownModels().size()) return dir;
  }
  for (const auto& dir : path) {
    if (ModelsIn(dir) > 0) return dir;
  }
  std::string tried;
  for (const auto& dir : path)
    tried += fmt::format("{}{}", tried.empty() ? "" : ", ", dir.string());
  return Fail(ErrorCode::kNotFound,
              fmt::format("no models in {}; get them with ./dev setup, or say where they are with "
                          "--models DIR or HOLOSTAT_MODELS",
                          tried));
}

}  // namespace holostat::app
