#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "app/command.h"

namespace holostat::app {
namespace {

std::string OptionNames(const CLI::App& parser) {
  std::string names;
  for (const CLI::Option* option : parser.get_options()) {
    for (const std::string& name : option->get_lnames()) names += fmt::format("--{} ", name);
    for (const std::string& name : option->get_snames()) names += fmt::format("-{} ", name);
  }
  return names;
}

// Made from the parser itself, so it cannot fall behind it.
std::string BashScript(const CLI::App& program) {
  std::string commands;
  std::string cases;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    commands += command->get_name() + " ";
    cases += fmt::format("    {}) words=\"{}\" ;;\n", command->get_name(), OptionNames(*command));
  }
  return fmt::format(
      "_holostat() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} words=\"\"\n"
      "  case \"${{COMP_WORDS[1]:-}}\" in\n{}"
      "    *) words=\"{}{}\" ;;\n"
      "  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "}}\n"
      "complete -o default -F _holostat holostat\n",
      cases, commands, OptionNames(program));
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
