#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/command.h"
#include "app/models_dir.h"
#include "app/say.h"
#include "vision/model_store.h"

namespace holostat::app {
namespace {

struct ModelsCall {
  std::string models_dir;
  bool json = false;
};

struct ModelState {
  const vision::ModelInfo& info;
  std::string state;  // "ok", or why not
};

std::vector<ModelState> CheckAll(const std::filesystem::path& dir) {
  std::vector<ModelState> states;
  for (const vision::ModelInfo& info : vision::KnownModels()) {
    const auto file = vision::ReadModel(dir, info.id);
    states.push_back({info, file ? "ok" : file.error().message});
  }
  return states;
}

void PrintTable(const std::filesystem::path& dir, const std::vector<ModelState>& states) {
  fmt::print("models in {}\n", dir.string());
  for (const ModelState& model : states) {
    fmt::print("  {:<36} {:>9} bytes  {:<34} {}\n", model.info.file, model.info.bytes,
               model.info.purpose, model.state);
  }
}

void PrintJson(const std::filesystem::path& dir, const std::vector<ModelState>& states) {
  nlohmann::ordered_json models = nlohmann::ordered_json::array();
  for (const ModelState& model : states) {
    models.push_back({{"name", model.info.name},
                      {"file", model.info.file},
                      {"bytes", model.info.bytes},
                      {"sha256", model.info.sha256},
                      {"purpose", model.info.purpose},
                      {"state", model.state}});
  }
  const nlohmann::ordered_json document{{"directory", dir.string()}, {"models", models}};
  fmt::print("{}\n", document.dump(2));
}

ExitCode Models(const ModelsCall& call) {
  const auto dir = LocateModels(call.models_dir);
  if (!dir) return Stop(dir.error(), ExitCode::kModel);
  const auto states = CheckAll(*dir);
  call.json ? PrintJson(*dir, states) : PrintTable(*dir, states);
  const bool all_ok = std::all_of(states.begin(), states.end(),
                                  [](const ModelState& m) { return m.state == "ok"; });
  return all_ok ? ExitCode::kOk : ExitCode::kModel;
}

constexpr char kFooter[] =
    "Looked for, in order: --models; $HOLOSTAT_MODELS; $XDG_DATA_HOME/holostat/models (default\n"
    "~/.local/share); share/holostat/models beside bin/; models/ beside the build.\n\n"
    "Examples:\n"
    "  holostat models                 where they are, and whether each is the right file\n"
    "  holostat models --json | jq -r .directory\n\n"
    "Exit codes: 0 all there and verified; 4 one is missing or damaged.";

}  // namespace

Command AddModelsCommand(CLI::App& program) {
  auto call = std::make_shared<ModelsCall>();
  CLI::App* parser = program.add_subcommand("models", "List, locate and verify the model files");
  parser->footer(kFooter);
  parser->add_option("--models", call->models_dir, "Folder of the model files")->type_name("DIR");
  parser->add_flag("--json", call->json, "As JSON");
  return {parser, [call] { return Models(*call); }};
}

}  // namespace holostat::app
