#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "app/command.h"

namespace holostat::app {
namespace {

// Adds what is not there yet: commands within a command share options.
void AddWord(std::string& words, const std::string& word) {
  if ((" " + words).find(" " + word + " ") == std::string::npos) words += word + " ";
}

void AddOptionNames(const CLI::App& parser, std::string& words) {
  for (const CLI::Option* option : parser.get_options()) {
    for (const std::string& name : option->get_lnames()) AddWord(words, "--" + name);
    for (const std::string& name : option->get_snames()) AddWord(words, "-" + name);
  }
}

std::string OptionNames(const CLI::App& parser) {
  std::string words;
  AddOptionNames(parser, words);
  return words;
}

// The values of an option that takes one of a few: the parser writes them as {a,b} into its help.
std::string Values(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto open = type.find('{');
  const auto close = type.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return "";
  std::string values = type.substr(open + 1, close - open - 1);
  std::replace(values.begin(), values.end(), ',', ' ');
  return values;
}

// Those that --help shows.
std::vector<const CLI::App*> CommandsOf(const CLI::App& parser) {
  return parser.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); });
}

// One case a thing that completes by itself: "--face" by its values, "track" by its options.
struct Cases {
  std::string after_option;
  std::string of_command;
  std::string commands;
};

// The options of `parser` that take one of a few values; gives the values of its positional one.
std::string AddOptionCases(const CLI::App& parser, Cases& cases) {
  std::string positional;
  for (const CLI::Option* option : parser.get_options()) {
    const std::string values = Values(*option);
    if (values.empty()) continue;
    if (option->get_positional()) {
      positional = values;
      continue;
    }
    const std::string line = fmt::format("    {}) words=\"{}\" ;;\n", option->get_name(), values);
    const bool is_new = cases.after_option.find(line) == std::string::npos;
    if (is_new) cases.after_option += line;  // commands share options
  }
  return positional;
}

// A command with commands of its own offers them as its words, and their options as its own.
Cases FindCases(const CLI::App& program) {
  Cases cases;
  for (const CLI::App* command : CommandsOf(program)) {
    cases.commands += command->get_name() + " ";
    std::string words = AddOptionCases(*command, cases);
    std::string options = OptionNames(*command);
    for (const CLI::App* inner : CommandsOf(*command)) {
      AddOptionCases(*inner, cases);
      words += inner->get_name() + " ";
      AddOptionNames(*inner, options);
    }
    cases.of_command += fmt::format("    {}) options=\"{}\" words=\"{}\" ;;\n", command->get_name(),
                                    options, words);
  }
  return cases;
}

// Made from the parser itself, so it cannot fall behind it. Where there is nothing to offer, bash
// completes file names (-o default).
std::string BashScript(const CLI::App& program) {
  const Cases cases = FindCases(program);
  return fmt::format(
      "_holostat() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} words= "
      "options=\n"
      "  case \"${{COMP_WORDS[1]:-}}\" in\n{}  esac\n"
      "  [ \"$COMP_CWORD\" -gt 1 ] || {{ words=\"{}\" options=\"{}\"; }}\n"
      "  case \"$previous\" in\n{}  esac\n"
      "  case \"$current\" in -*) words=$options ;; esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "}}\n"
      "complete -o default -F _holostat holostat\n",
      cases.of_command, cases.commands, OptionNames(program), cases.after_option);
}

}  // namespace

Command AddCompletionCommand(CLI::App& program) {
  auto shell = std::make_shared<std::string>();
  CLI::App* parser =
      program.add_subcommand("completion", "Print a completion script for your shell");
  parser->footer(
      "Examples:\n"
      "  source <(holostat completion bash)\n"
      "  holostat completion bash > ~/.local/share/bash-completion/completions/holostat\n"
      "  autoload -U bashcompinit && bashcompinit && source <(holostat completion zsh)");
  parser->add_option("SHELL", *shell, "bash or zsh")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh"}));
  return {parser, [&program, shell] {
            fmt::print("{}", BashScript(program));
            return ExitCode::kOk;
          }};
}

}  // namespace holostat::app
