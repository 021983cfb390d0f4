#include "server/routes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "ipc/message.h"
#include "server/query.h"

namespace holostat::server {
namespace {

using Type = Parameter::Type;

constexpr std::string_view kComplexities[] = {"lite", "full", "heavy"};
constexpr std::string_view kFormats[] = {"json", "svg", "jpeg", "openpose", "coco"};
constexpr std::string_view kOutputs[] = {"json", "binary"};

constexpr Parameter kPeople{"people",
                            Type::kInteger,
                            {},
                            1,
                            ipc::kMaxJobPeople,
                            "1",
                            "How many people to track at most; each one found takes its time "
                            "(docs/people.md)."};
constexpr Parameter kComplexity{
    "complexity",
    Type::kChoice,
    kComplexities,
    0,
    0,
    "full",
    "Of the body's model. A lighter one may be used under memory pressure; the answer says so."};
constexpr Parameter kRefineFace{"refine_face",
                                Type::kBoolean,
                                {},
                                0,
                                0,
                                "true",
                                "478 landmarks of the face with irises and finer lips and eyes, "
                                "else 468."};
constexpr Parameter kSegmentation{"segmentation",
                                  Type::kBoolean,
                                  {},
                                  0,
                                  0,
                                  "false",
                                  "Whether the answer has a mask of the body."};

constexpr Parameter kTrackParameters[] = {
    kPeople,
    kComplexity,
    kRefineFace,
    kSegmentation,
    {"format", Type::kChoice, kFormats, 0, 0, "json",
     "Of the answer: a frame document, a drawing, the picture with the drawing on it, or the "
     "document of another program. With several files: json."}};
constexpr Parameter kLiveParameters[] = {
    kPeople,
    kComplexity,
    kRefineFace,
    kSegmentation,
    {"output", Type::kChoice, kOutputs, 0, 0, "json", "Form of the answers (docs/live.md)."}};

constexpr AnswerKind kTrackAnswers[] = {
    {200, "application/json", "Tracked"}, {200, "image/svg+xml", ""}, {200, "image/jpeg", ""}};
constexpr AnswerKind kLiveAnswers[] = {{101, "", ""}};
constexpr AnswerKind kStatusAnswers[] = {{200, "application/json", "Status"}};
constexpr AnswerKind kEventAnswers[] = {{200, "text/event-stream", ""}};
constexpr AnswerKind kProbeAnswers[] = {{200, "application/json", "Probe"}};
constexpr AnswerKind kMetricsAnswers[] = {{200, "text/plain", ""}};
constexpr AnswerKind kOpenApiAnswers[] = {{200, "application/json", ""}};

constexpr Route kRoutes[] = {
    {"/v1/track", "POST", Endpoint::kTrack,
     "Track the people in one picture, or in each of several.", kTrackParameters, kTrackAnswers,
     true, false},
    {"/v1/live", "GET", Endpoint::kLive, "A WebSocket: frames in, landmarks out (docs/live.md).",
     kLiveParameters, kLiveAnswers, false, false},
    {"/v1/events",
     "GET",
     Endpoint::kEvents,
     "What happens in the service, as server-sent events.",
     {},
     kEventAnswers,
     false,
     false},
    {"/metrics",
     "GET",
     Endpoint::kMetrics,
     "Numbers for Prometheus.",
     {},
     kMetricsAnswers,
     false,
     false},
    {"/openapi.json",
     "GET",
     Endpoint::kOpenApi,
     "This document.",
     {},
     kOpenApiAnswers,
     false,
     false},
    {"/v1/status",
     "GET",
     Endpoint::kStatus,
     "Processes, memory and counts of the service.",
     {},
     kStatusAnswers,
     false,
     false},
    {"/healthz",
     "GET",
     Endpoint::kHealth,
     "Whether the service answers at all.",
     {},
     kProbeAnswers,
     false,
     true},
    {"/readyz",
     "GET",
     Endpoint::kReady,
     "Whether it would take a picture now: 503 while draining or without a worker.",
     {},
     kProbeAnswers,
     false,
     true},
};

constexpr std::size_t kFileIndex = std::size(kRoutes), kNoneIndex = kFileIndex + 1;

tl::unexpected<Problem> BadParameter(std::string detail) {
  return tl::unexpected(Problem{400, std::move(detail)});
}

std::string WhatIsAllowed(const Parameter& parameter) {
  switch (parameter.type) {
    case Type::kChoice:
      return fmt::format("one of {}", fmt::join(parameter.choices, ", "));
    case Type::kBoolean:
      return "true or false";
    case Type::kInteger:
      return parameter.min == parameter.max
                 ? fmt::to_string(parameter.min)
                 : fmt::format("a number from {} to {}", parameter.min, parameter.max);
  }
  return {};
}

// The canonical text of a valid value: "1" and "on" are "true"; empty for what is none.
std::string Canonical(const Parameter& parameter, const std::string& value) {
  switch (parameter.type) {
    case Type::kChoice:
      return std::ranges::find(parameter.choices, value) != parameter.choices.end() ? value : "";
    case Type::kBoolean:
      if (value == "true" || value == "1" || value == "on") return "true";
      return value == "false" || value == "0" || value == "off" ? "false" : "";
    case Type::kInteger: {
      int number = 0;
      const char* end = value.data() + value.size();
      const auto parsed = std::from_chars(value.data(), end, number);
      const bool good = parsed.ec == std::errc() && parsed.ptr == end && number >= parameter.min &&
                        number <= parameter.max;
      return good ? fmt::to_string(number) : "";
    }
  }
  return {};
}

}  // namespace

std::span<const Route> Routes() { return kRoutes; }

std::size_t StatsIndex(Endpoint endpoint) {
  if (endpoint == Endpoint::kFile) return kFileIndex;
  const auto found = std::ranges::find(kRoutes, endpoint, &Route::endpoint);
  return found == std::end(kRoutes) ? kNoneIndex
                                    : static_cast<std::size_t>(found - std::begin(kRoutes));
}

std::string_view StatsName(std::size_t index) {
  if (index < std::size(kRoutes)) return kRoutes[index].path;
  if (index == kFileIndex) return "(files)";
  return index == kNoneIndex ? "(none)" : "";
}

const Route* FindRoute(std::string_view path) {
  const auto found = std::ranges::find(kRoutes, path, &Route::path);
  return found == std::end(kRoutes) ? nullptr : &*found;
}

tl::expected<Parameters, Problem> ReadParameters(const Route& route, std::string_view query) {
  const auto given = ParseQuery(query);
  if (!given) return BadParameter(given.error().message);
  Parameters result;
  for (const Parameter& parameter : route.parameters)
    result.emplace(parameter.name, parameter.initial);
  for (const auto& [name, value] : *given) {
    const auto parameter = std::ranges::find(route.parameters, name, &Parameter::name);
    if (parameter == route.parameters.end())
      return BadParameter(fmt::format("{} has no parameter {}", route.path, name));
    std::string canonical = Canonical(*parameter, value);
    if (canonical.empty())
      return BadParameter(fmt::format("{} is {}, not {}", name, WhatIsAllowed(*parameter), value));
    result[name] = std::move(canonical);
  }
  return result;
}

}  // namespace holostat::server
