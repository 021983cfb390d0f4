#include "app/settings_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>

#include "app/say.h"

namespace holostat::app {
namespace {

// How many letters to change, add or drop to make one of the other (Levenshtein).
std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// A key in the wrong section is nearer than any other name.
std::string Nearest(const std::vector<Setting>& settings, std::string_view section,
                    std::string_view name) {
  const auto distance = [&](const Setting& one) {
    return 2 * Distance(name, one.name) + (one.section != section);
  };
  const auto nearest = std::min_element(
      settings.begin(), settings.end(),
      [&](const Setting& a, const Setting& b) { return distance(a) < distance(b); });
  // Two letters swapped are two changes.
  const bool is_near = nearest != settings.end() &&
                       Distance(name, nearest->name) <= std::max<std::size_t>(2, name.size() / 3);
  return is_near ? fmt::format("; did you mean {}?", KeyOf(*nearest)) : "";
}

std::string KindOf(const Setting& setting) {
  if (setting.is_flag()) return "true or false";
  if (setting.is_list()) return "a list of texts";
  return setting.is_text() ? "a text in quotes" : "a number";
}

// A value of the file as SetFromText takes it; empty when it is of the wrong kind.
std::optional<std::string> TextFor(const Setting& setting, const toml::node& node) {
  if (setting.is_flag()) {
    if (const auto value = node.value_exact<bool>()) return *value ? "true" : "false";
  } else if (setting.is_text()) {
    return node.value_exact<std::string>();
  } else if (setting.is_list()) {
    if (!node.is_array()) return std::nullopt;
    std::vector<std::string> items;
    for (const toml::node& one : *node.as_array()) {
      const auto item = one.value_exact<std::string>();
      if (!item || item->find(',') != std::string::npos) return std::nullopt;
      items.push_back(*item);
    }
    return fmt::format("{}", fmt::join(items, ","));
  } else if (const auto whole = node.value_exact<std::int64_t>()) {
    return fmt::to_string(*whole);
  } else if (const auto number = node.value_exact<double>()) {
    return fmt::format("{}", *number);
  }
  return std::nullopt;
}

class Reader {
 public:
  Reader(const std::vector<Setting>& settings, const std::string& file)
      : settings_(settings), file_(file) {
    for (const Setting& setting : settings) sections_.insert(setting.section);
  }

  void ReadAll(const toml::table& root) {
    for (const auto& [key, node] : root) {
      const std::string_view name = key.str();
      if (!sections_.contains(name)) {
        Problem(key.source(), name,
                node.is_table()
                    ? fmt::format("no such section; there are {}", fmt::join(sections_, ", "))
                    : "no such key" + Nearest(settings_, "", name));
      } else if (!node.is_table()) {
        Problem(key.source(), name, fmt::format("is a section: [{}]", name));
      } else {
        ReadSection(name, *node.as_table());
      }
    }
  }
  // In the order of the file: a table has its keys in that of the alphabet.
  std::vector<std::string> TakeProblems() {
    std::vector<std::string> problems;
    for (auto& [line, problem] : problems_) problems.push_back(std::move(problem));
    return problems;
  }

 private:
  void ReadSection(std::string_view section, const toml::table& table) {
    for (const auto& [key, node] : table) {
      const std::string_view name = key.str();
      const auto setting = std::find_if(
          settings_.begin(), settings_.end(),
          [&](const Setting& one) { return one.section == section && one.name == name; });
      const std::string full = fmt::format("{}.{}", section, name);
      if (setting == settings_.end()) {
        Problem(key.source(), full, "no such key" + Nearest(settings_, section, name));
      } else if (const auto text = TextFor(*setting, node); !text) {
        Problem(node.source(), full, fmt::format("must be {}", KindOf(*setting)));
      } else if (const auto set = SetFromText(*setting, *text); !set) {
        Problem(node.source(), full, set.error().message);
      }
    }
  }
  void Problem(const toml::source_region& where, std::string_view key, std::string_view what) {
    problems_.emplace(where.begin.line,
                      fmt::format("{}:{}: {}: {}", file_, where.begin.line, Printable(key), what));
  }

  const std::vector<Setting>& settings_;
  const std::string& file_;
  std::set<std::string_view> sections_;
  std::multimap<toml::source_index, std::string> problems_;
};

std::string Quoted(const std::string& text) {
  std::ostringstream out;
  // A single line that every reader understands: no 'literal' and no """multi-line""" texts.
  out << toml::toml_formatter(toml::value<std::string>(text), toml::format_flags::none);
  return out.str();
}

std::string TomlValue(const Setting& setting) {
  if (setting.is_text()) return Quoted(TextOf(setting));
  if (!setting.is_list()) return TextOf(setting);
  std::vector<std::string> items = *std::get<std::vector<std::string>*>(setting.value);
  for (std::string& item : items) item = Quoted(item);
  return fmt::format("[{}]", fmt::join(items, ", "));
}

// "# " lines of at most 100 columns.
std::string Comment(const std::string& text) {
  std::string comment, line = "#", word;
  std::istringstream words(text);
  while (words >> word) {
    if (line.size() + 1 + word.size() > 100) {
      comment += line + "\n";
      line = "#";
    }
    line += " " + word;
  }
  return comment + line + "\n";
}

}  // namespace

std::vector<std::string> SetFromToml(const std::vector<Setting>& settings, std::string_view text,
                                     const std::string& file) {
  Reader reader(settings, file);
  try {
    reader.ReadAll(toml::parse(text, file));
  } catch (const toml::parse_error& error) {
    return {
        fmt::format("{}:{}: {}", file, error.source().begin.line, Printable(error.description()))};
  }
  return reader.TakeProblems();
}

std::string ToToml(const std::vector<Setting>& settings) {
  std::string toml;
  std::string_view section;
  for (const Setting& setting : settings) {
    if (setting.section != section) {
      section = setting.section;
      toml += fmt::format("{}[{}]\n", toml.empty() ? "" : "\n", section);
    }
    const std::string unit = setting.type == "S"    ? " [seconds]"
                             : setting.type == "MB" ? " [MB]"
                             : setting.type == "KB" ? " [KB]"
                                                    : "";
    std::string help(setting.help);
    if (!setting.choices.empty()) help += fmt::format(": {}", fmt::join(setting.choices, ", "));
    toml += Comment(help + unit) + fmt::format("{} = {}\n", setting.name, TomlValue(setting));
  }
  return toml;
}

}  // namespace holostat::app
