#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace holostat::app {

// One thing that can be set: by `name` in a section of a TOML file ("max_body_mb"), by a variable
// of the environment (HOLOSTAT_MAX_BODY_MB) and by a flag (--max-body-mb). A list of them drives
// all three, the help, and what --print-config writes.
struct Setting {
  // Where it is kept, not owned: durations are written in seconds, integers in units of `scale`.
  using Value = std::variant<std::string*, bool*, std::uint16_t*, std::uint64_t*, double*,
                             std::chrono::milliseconds*, std::vector<std::string>*>;

  std::string_view section;
  std::string_view name;  // there is no other one of this name in any section
  Value value;
  std::string_view type;  // of what is written: "N", "MB", "S", "FILE"
  std::string_view help;
  double min = 0, max = 1e12;  // of numbers, as they are written
  std::uint64_t scale = 1;
  std::vector<std::string_view> choices = {};  // of texts; empty: any

  bool is_flag() const { return std::holds_alternative<bool*>(value); }
  bool is_list() const { return std::holds_alternative<std::vector<std::string>*>(value); }
  bool is_text() const { return std::holds_alternative<std::string*>(value); }
};

std::string KeyOf(const Setting& setting);       // "http.max_body_mb"
std::string VariableOf(const Setting& setting);  // "HOLOSTAT_MAX_BODY_MB"
std::string FlagOf(const Setting& setting);      // "--max-body-mb"

// Sets it from text; lists are joined by commas. Error: kInvalidArgument, which says what it must
// be, and leaves it as it was.
Result<void> SetFromText(const Setting& setting, std::string_view text);

// Its value as SetFromText takes it.
std::string TextOf(const Setting& setting);

// Sets those that have a variable which is not empty. What is wrong: a sentence each.
std::vector<std::string> SetFromEnvironment(const std::vector<Setting>& settings);

}  // namespace holostat::app
