#include "app/setting.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "app/say.h"

namespace holostat::app {
namespace {

using std::chrono::milliseconds;

Result<void> MustBe(std::string_view what, std::string_view text) {
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("must be {}, not \"{}\"", what, Printable(text.substr(0, 80))));
}

bool IsWhole(const Setting& setting) {
  return std::holds_alternative<std::uint16_t*>(setting.value) ||
         std::holds_alternative<std::uint64_t*>(setting.value);
}

std::string Range(const Setting& setting) {
  return fmt::format("a {} from {} to {}", IsWhole(setting) ? "whole number" : "number",
                     setting.min, setting.max);
}

std::optional<double> ParseNumber(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Splits at commas; empty items count for nothing.
std::vector<std::string> Split(std::string_view text) {
  std::vector<std::string> items;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    std::string_view item = text.substr(0, comma);
    while (item.starts_with(' ')) item.remove_prefix(1);
    while (item.ends_with(' ')) item.remove_suffix(1);
    if (!item.empty()) items.emplace_back(item);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return items;
}

struct Setter {
  const Setting& setting;
  std::string_view text;

  Result<void> operator()(std::string* value) const {
    const auto& choices = setting.choices;
    if (!choices.empty() && std::find(choices.begin(), choices.end(), text) == choices.end())
      return MustBe(fmt::format("{}", fmt::join(choices, ", ")), text);
    *value = text;
    return {};
  }
  Result<void> operator()(bool* value) const {
    if (text != "true" && text != "false") return MustBe("true or false", text);
    *value = text == "true";
    return {};
  }
  Result<void> operator()(std::vector<std::string>* value) const {
    *value = Split(text);
    return {};
  }
  Result<void> operator()(milliseconds* value) const {
    const double seconds = HOLO_TRY(Number());
    *value = milliseconds(std::llround(seconds * 1000));
    return {};
  }
  Result<void> operator()(double* value) const {
    *value = HOLO_TRY(Number());
    return {};
  }
  template <class Whole>
  Result<void> operator()(Whole* value) const {
    const double number = HOLO_TRY(Number());
    *value = static_cast<Whole>(static_cast<std::uint64_t>(number) * setting.scale);
    return {};
  }

 private:
  Result<double> Number() const {
    const auto number = ParseNumber(text);
    // Written so that what is no number at all is refused too.
    const bool fits = number && *number >= setting.min && *number <= setting.max &&
                      (!IsWhole(setting) || *number == std::floor(*number));
    if (!fits) return tl::unexpected(MustBe(Range(setting), text).error());
    return *number;
  }
};

struct Getter {
  const Setting& setting;

  std::string operator()(const std::string* value) const { return *value; }
  std::string operator()(const bool* value) const { return *value ? "true" : "false"; }
  std::string operator()(const double* value) const { return fmt::format("{}", *value); }
  std::string operator()(const milliseconds* value) const {
    return fmt::format("{}", static_cast<double>(value->count()) / 1000);
  }
  std::string operator()(const std::vector<std::string>* value) const {
    return fmt::format("{}", fmt::join(*value, ","));
  }
  template <class Whole>
  std::string operator()(const Whole* value) const {
    return fmt::to_string(*value / setting.scale);
  }
};

std::string Spelled(std::string_view name, char space, int (*letter)(int)) {
  std::string spelled(name);
  for (char& c : spelled)
    c = c == '_' ? space : static_cast<char>(letter(static_cast<unsigned char>(c)));
  return spelled;
}

}  // namespace

std::string KeyOf(const Setting& setting) {
  return fmt::format("{}.{}", setting.section, setting.name);
}

std::string VariableOf(const Setting& setting) {
  return "HOLOSTAT_" + Spelled(setting.name, '_', std::toupper);
}

std::string FlagOf(const Setting& setting) {
  return "--" + Spelled(setting.name, '-', std::tolower);
}

Result<void> SetFromText(const Setting& setting, std::string_view text) {
  return std::visit(Setter{setting, text}, setting.value);
}

std::string TextOf(const Setting& setting) { return std::visit(Getter{setting}, setting.value); }

std::vector<std::string> SetFromEnvironment(const std::vector<Setting>& settings) {
  std::vector<std::string> problems;
  for (const Setting& setting : settings) {
    const std::string variable = VariableOf(setting);
    const char* text = std::getenv(variable.c_str());
    if (text == nullptr || *text == '\0') continue;
    if (const auto set = SetFromText(setting, text); !set)
      problems.push_back(fmt::format("{}: {}", variable, set.error().message));
  }
  return problems;
}

}  // namespace holostat::app
