#include "server/openapi.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "server/routes.h"

namespace holostat::server {
namespace {

using Json = nlohmann::ordered_json;

Json Ref(std::string_view name) { return {{"$ref", "#/components/schemas/" + std::string(name)}}; }

Json SchemaOf(const Parameter& parameter) {
  const std::string initial(parameter.initial);
  switch (parameter.type) {
    case Parameter::Type::kChoice:
      return {{"type", "string"}, {"enum", parameter.choices}, {"default", initial}};
    case Parameter::Type::kBoolean:
      return {{"type", "boolean"}, {"default", initial == "true"}};
    case Parameter::Type::kInteger:
      return {{"type", "integer"},
              {"minimum", parameter.min},
              {"maximum", parameter.max},
              {"default", std::stoi(initial)}};
  }
  return {};
}

Json ParametersOf(const Route& route) {
  Json list = Json::array();
  for (const Parameter& parameter : route.parameters) {
    list.push_back({{"name", parameter.name},
                    {"in", "query"},
                    {"required", false},
                    {"description", parameter.doc},
                    {"schema", SchemaOf(parameter)}});
  }
  return list;
}

Json AnswersOf(const Route& route) {
  Json answers = Json::object();
  for (const AnswerKind& kind : route.answers) {
    Json& answer = answers[std::to_string(kind.status)];
    answer["description"] = ReasonPhrase(kind.status);
    if (kind.content_type.empty()) continue;
    answer["content"][std::string(kind.content_type)]["schema"] =
        kind.schema.empty() ? Json::object() : Ref(kind.schema);
  }
  answers["default"] = {{"description", "Why there is no answer"},
                        {"content", {{kProblemType, {{"schema", Ref("Problem")}}}}}};
  return answers;
}

Json BodyOf() {
  const Json bytes = Json::object();
  return {{"required", true},
          {"content",
           {{"image/jpeg", bytes},
            {"image/png", bytes},
            {"image/webp", bytes},
            {"image/gif", bytes},
            {"multipart/form-data", {{"schema", {{"type", "object"}}}}}}}};
}

Json Object(Json properties) {
  Json required = Json::array();
  for (const auto& [name, schema] : properties.items()) required.push_back(name);
  return {{"type", "object"}, {"required", required}, {"properties", std::move(properties)}};
}

Json ListOf(Json item) { return {{"type", "array"}, {"items", std::move(item)}}; }

// `rows` points of `numbers` numbers each, or null where the part is absent.
Json Points(int numbers) {
  Json point = ListOf({{"type", "number"}});
  point["minItems"] = point["maxItems"] = numbers;
  Json list = ListOf(std::move(point));
  list["type"] = {"array", "null"};
  return list;
}

Json Person() {
  const Json score = {{"type", {"number", "null"}}};
  return Object({{"id", {{"type", "integer"}}},
                 {"score", {{"type", "number"}}},
                 {"pose_landmarks", Points(5)},
                 {"pose_world_landmarks", Points(5)},
                 {"face_landmarks", Points(3)},
                 {"left_hand_landmarks", Points(3)},
                 {"right_hand_landmarks", Points(3)},
                 {"left_hand_world_landmarks", Points(3)},
                 {"right_hand_world_landmarks", Points(3)},
                 {"left_hand_score", score},
                 {"right_hand_score", score}});
}

Json Frame() {
  const Json size = {{"type", "integer"}, {"minimum", 1}};
  return Object({{"schema", {{"const", "holostat.frame/1"}}},
                 {"frame", {{"type", "integer"}, {"minimum", 0}}},
                 {"timestamp_ms", {{"type", "number"}}},
                 {"image", Object({{"width", size}, {"height", size}})},
                 {"people", ListOf(Ref("Person"))}});
}

// What has no "schema" is the document of another program (openpose, coco).
Json Tracked() {
  const Json foreign = {{"type", "object"}, {"not", {{"required", {"schema"}}}}};
  return {
      {"anyOf",
       Json::array({Ref("Frame"), foreign,
                    ListOf({{"anyOf", Json::array({Ref("Frame"), Ref("Problem"), foreign})}})})}};
}

Json Status() {
  const Json number = {{"type", "number"}}, count = {{"type", "integer"}, {"minimum", 0}};
  return Object({{"uptime_s", number},
                 {"processes", ListOf(Object({{"role", {{"type", "string"}}},
                                              {"id", count},
                                              {"pid", count},
                                              {"state", {{"type", "string"}}},
                                              {"uss_bytes", count},
                                              {"pss_bytes", count},
                                              {"fds", count}}))},
                 {"totals", Object({{"requests", count}, {"ok", count}, {"client_errors", count}})},
                 {"memory", Object({{"service_pss_bytes", count},
                                    {"budget_bytes", count},
                                    {"level", {{"type", "string"}}}})}});
}

Json Schemas() {
  const Json text = {{"type", "string"}};
  return {{"Problem", Object({{"type", text},
                              {"title", text},
                              {"status", {{"type", "integer"}, {"minimum", 400}}},
                              {"detail", text},
                              {"instance", text}})},
          {"Probe", Object({{"status", text}})},
          {"Person", Person()},
          {"Frame", Frame()},
          {"Tracked", Tracked()},
          {"Status", Status()}};
}

Json OperationOf(const Route& route) {
  Json operation = {{"summary", route.summary},
                    {"parameters", ParametersOf(route)},
                    {"responses", AnswersOf(route)}};
  if (route.takes_body) operation["requestBody"] = BodyOf();
  if (route.open) operation["security"] = Json::array();
  return operation;
}

}  // namespace

std::string OpenApiDocument() {
  Json document = {{"openapi", "3.1.0"},
                   {"info",
                    {{"title", "Holostat"},
                     {"version", "1"},
                     {"description", "Holistic human tracking: body, hands and face."}}},
                   {"security", Json::array({{{"bearer", Json::array()}}, Json::object()})},
                   {"paths", Json::object()},
                   {"components",
                    {{"securitySchemes", {{"bearer", {{"type", "http"}, {"scheme", "bearer"}}}}},
                     {"schemas", Schemas()}}}};
  for (const Route& route : Routes()) {
    std::string method(route.method);
    std::ranges::transform(method, method.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    document["paths"][std::string(route.path)][method] = OperationOf(route);
  }
  return document.dump();
}

}  // namespace holostat::server
