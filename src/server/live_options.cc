#include "server/live_options.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "server/track_request.h"

namespace holostat::server {
namespace {

using Json = nlohmann::json;

constexpr int kMaxDepth = 2;

tl::unexpected<Error> Refuse(std::string_view what) {
  return Fail(ErrorCode::kInvalidArgument, std::string(what));
}

Result<void> SetComplexity(const Json& value, LiveOptions& options) {
  const auto named =
      value.is_string() ? ComplexityNamed(value.get_ref<const std::string&>()) : std::nullopt;
  if (!named) return Refuse("complexity is one of lite, full, heavy");
  options.complexity = *named;
  return {};
}

Result<void> SetFlag(const Json& value, std::string_view name, bool& flag) {
  if (!value.is_boolean()) return Refuse(fmt::format("{} is true or false", name));
  flag = value.get<bool>();
  return {};
}

Result<void> SetOutput(const Json& value, LiveOptions& options) {
  if (value != "json" && value != "binary") return Refuse("output is json or binary");
  options.binary = value == "binary";
  return {};
}

Result<void> SetPeople(const Json& value, LiveOptions& options) {
  if (!value.is_number_integer() || value < 1 || value > ipc::kMaxJobPeople)
    return Refuse(fmt::format("people is a number from 1 to {}", ipc::kMaxJobPeople));
  options.people = value.get<std::uint8_t>();
  return {};
}

Result<void> SetOption(const std::string& name, const Json& value, LiveOptions& options) {
  if (name == "type") return {};
  if (name == "complexity") return SetComplexity(value, options);
  if (name == "refine_face") return SetFlag(value, name, options.refine_face);
  if (name == "segmentation") return SetFlag(value, name, options.segmentation);
  if (name == "output") return SetOutput(value, options);
  if (name == "people") return SetPeople(value, options);
  return Refuse(fmt::format("unknown option {:?}", name.substr(0, 40)));
}

// No object within an object within an object: what is deep is nobody's command.
bool IsShallow(int depth, Json::parse_event_t, Json&) { return depth <= kMaxDepth; }

}  // namespace

std::string ToJson(const LiveOptions& options) {
  return fmt::format(
      R"({{"complexity":"{}","refine_face":{},"segmentation":{},"people":{},"output":"{}"}})",
      NameOf(options.complexity), options.refine_face, options.segmentation, options.people,
      options.binary ? "binary" : "json");
}

LiveOptions OptionsOf(const Parameters& parameters) {
  const auto value = [&](std::string_view name) { return parameters.find(name)->second; };
  return {.complexity = *ComplexityNamed(value("complexity")),
          .refine_face = value("refine_face") == "true",
          .segmentation = value("segmentation") == "true",
          .people = static_cast<std::uint8_t>(std::stoi(value("people"))),
          .binary = value("output") == "binary"};
}

Result<LiveCommand> ParseLiveCommand(std::string_view text, const LiveOptions& present) {
  if (text.size() > kMaxLiveCommandBytes) return Refuse("a text message of over 4 KiB");
  const Json json = Json::parse(text, IsShallow, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("type"))
    return Refuse(R"(a text message is a JSON object with a "type")");
  LiveCommand command{.options = present};
  if (json["type"] == "reset") return command;
  if (json["type"] != "options") return Refuse("the type of a text message is options or reset");
  command.kind = LiveCommand::Kind::kOptions;
  for (const auto& [name, value] : json.items()) {
    HOLO_TRY(SetOption(name, value, command.options));
  }
  return command;
}

}  // namespace holostat::server
