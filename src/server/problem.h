#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace holostat::server {

// Why a request is refused: the status of the answer and a sentence for a person.
struct Problem {
  int status = 500;
  std::string detail;
};

// "Not Found": the standard words for a status; "Status" for one that is not ours.
std::string_view ReasonPhrase(int status);

// How an error of the runtime or a worker is told to a client (docs/http.md, "Errors").
Problem ProblemOf(const Error& error);

// RFC 9457: {"type":"about:blank","title":..,"status":..,"detail":..,"instance":<request id>}.
inline constexpr std::string_view kProblemType = "application/problem+json";
std::string ToJson(const Problem& problem, std::string_view request_id);

}  // namespace holostat::server
