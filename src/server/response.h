#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/problem.h"

namespace holostat::server {

// An answer before it is written.
struct Response {
  int status = 200;
  std::string content_type;                                       // empty: no body
  std::vector<std::pair<std::string_view, std::string>> headers;  // names of static storage
  std::string body;
  std::string_view static_body;  // of static storage; in place of `body` when not empty

  std::string_view bytes() const { return static_body.empty() ? body : static_body; }
};

Response JsonResponse(std::string json, int status = 200);
// With Retry-After where another try may help (429, 503), WWW-Authenticate with 401.
Response ProblemResponse(const Problem& problem, std::string_view request_id);

// Says how the body of an answer is to be told from what comes after it.
enum class BodyForm { kLength = 1, kUntilClose };

struct HeadFields {
  std::string_view request_id;
  bool keep_alive = false;
  BodyForm form = BodyForm::kLength;
  std::string_view allowed_origin;  // of CORS; empty: none
};

// Status line and header fields with the empty line: those of `response`, and those that every
// answer has (docs/http.md, "Headers").
std::string WriteHead(const Response& response, const HeadFields& fields);

}  // namespace holostat::server
