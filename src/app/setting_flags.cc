#include "app/setting_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace holostat::app {
namespace {

// What stands when it is not given, for the help.
std::string Default(const Setting& setting) {
  const std::string text = TextOf(setting);
  if (setting.is_flag() || text.empty()) return "";
  return setting.help.find("default") == std::string_view::npos ? fmt::format(" (default {})", text)
                                                                : "";
}

}  // namespace

void AddSettingFlags(
    CLI::App& parser, const std::vector<Setting>& settings,
    std::function<Result<void>(std::string_view name, std::string_view text)> given) {
  for (const Setting& setting : settings) {
    const std::string flag = FlagOf(setting), name(setting.name);
    const auto tell = [given, flag, name](std::string_view text) {
      const auto taken = given(name, text);
      if (!taken) throw CLI::ValidationError(flag, taken.error().message);
    };
    const std::string help = std::string(setting.help) + Default(setting);
    if (setting.is_flag()) {
      parser.add_flag_function(
          flag, [tell](std::int64_t times) { tell(times > 0 ? "true" : "false"); }, help);
      continue;
    }
    const CLI::callback_t take = [tell](const CLI::results_t& words) {
      tell(fmt::format("{}", fmt::join(words, ",")));
      return true;
    };
    CLI::Option* option = parser.add_option(flag, take, help);
    option->type_name(setting.choices.empty()
                          ? std::string(setting.type)
                          : fmt::format("{{{}}}", fmt::join(setting.choices, ",")));
    if (setting.is_list()) option->take_all();
  }
}

}  // namespace holostat::app
