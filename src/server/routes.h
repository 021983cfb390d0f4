#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "server/problem.h"

namespace holostat::server {

// What can be asked for. The table is the only place that says so: routing, validation, the
// metrics' labels and /openapi.json are made from it.

enum class Endpoint {
  kTrack = 1,
  kLive,
  kStatus,
  kEvents,
  kMetrics,
  kHealth,
  kReady,
  kOpenApi,
  kFile,  // the web page
  kNone,  // no such path
};

struct Parameter {
  enum class Type { kChoice = 1, kBoolean, kInteger };
  std::string_view name;
  Type type = Type::kChoice;
  std::span<const std::string_view> choices;  // kChoice
  int min = 0, max = 0;                       // kInteger
  std::string_view initial;                   // what holds when it is not given
  std::string_view doc;
};

// One kind of answer; problems are those of docs/http.md and not listed one by one.
struct AnswerKind {
  int status;
  std::string_view content_type;
  std::string_view schema;  // name of a component of the OpenAPI document; empty: bytes or text
};

struct Route {
  std::string_view path;
  std::string_view method;
  Endpoint endpoint;
  std::string_view summary;
  std::span<const Parameter> parameters;
  std::span<const AnswerKind> answers;
  bool takes_body = false;
  bool open = false;  // asks for no token and counts against no rate: probes
};

std::span<const Route> Routes();
// Index of a route's line in HttpStats; the files and what has no route come behind the table.
std::size_t StatsIndex(Endpoint endpoint);
std::string_view StatsName(std::size_t index);  // "/v1/track", "(files)", "(none)"; empty: no more

// The route of `path`, whatever its method; null when there is none.
const Route* FindRoute(std::string_view path);

// Each parameter of a route, as text that is known to be valid.
using Parameters = std::map<std::string, std::string, std::less<>>;
// Problem 400 names what is unknown, given twice or has a value that it cannot have.
tl::expected<Parameters, Problem> ReadParameters(const Route& route, std::string_view query);

}  // namespace holostat::server
