#include "server/response.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <iterator>

namespace holostat::server {
namespace {

// An answer of ours is data, never a page: should a browser show it, it loads and runs nothing. A
// drawing (SVG) may have style and the picture in it. The page has a policy of its own.
constexpr std::string_view kDataPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox";

bool Has(const Response& response, std::string_view name) {
  for (const auto& header : response.headers) {
    if (header.first == name) return true;
  }
  return false;
}

}  // namespace

Response JsonResponse(std::string json, int status) {
  Response response;
  response.status = status;
  response.content_type = "application/json";
  response.body = std::move(json);
  return response;
}

Response ProblemResponse(const Problem& problem, std::string_view request_id) {
  Response response;
  response.status = problem.status;
  response.content_type = kProblemType;
  response.body = ToJson(problem, request_id);
  if (problem.status == 429 || problem.status == 503)
    response.headers.emplace_back("Retry-After", "1");
  if (problem.status == 401)
    response.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"holostat\"");
  return response;
}

std::string WriteHead(const Response& response, const HeadFields& fields) {
  std::string head;
  head.reserve(768);
  const auto out = std::back_inserter(head);
  fmt::format_to(out, "HTTP/1.1 {} {}\r\n", response.status, ReasonPhrase(response.status));
  fmt::format_to(out, "Date: {:%a, %d %b %Y %H:%M:%S} GMT\r\n", fmt::gmtime(std::time(nullptr)));
  if (!response.content_type.empty())
    fmt::format_to(out, "Content-Type: {}\r\n", response.content_type);

  // 204, 304 and 101 have none.
  if (fields.form == BodyForm::kLength && response.status >= 200 && response.status != 204 &&
      response.status != 304)
    fmt::format_to(out, "Content-Length: {}\r\n", response.bytes().size());
  for (const auto& [name, value] : response.headers) fmt::format_to(out, "{}: {}\r\n", name, value);
  if (!Has(response, "Cache-Control")) head += "Cache-Control: no-store\r\n";
  if (!Has(response, "Content-Security-Policy"))
    fmt::format_to(out, "Content-Security-Policy: {}\r\n", kDataPolicy);
  head +=
      "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n"
      "Referrer-Policy: no-referrer\r\n";
  if (!fields.allowed_origin.empty()) {
    fmt::format_to(out,
                   "Access-Control-Allow-Origin: {}\r\nVary: Origin\r\n"
                   "Access-Control-Expose-Headers: X-Request-Id, Server-Timing, "
                   "Holostat-Complexity, Retry-After\r\n",
                   fields.allowed_origin);
  } else {
    head += "Cross-Origin-Resource-Policy: same-origin\r\n";
  }
  fmt::format_to(out, "X-Request-Id: {}\r\n", fields.request_id);
  head += fields.keep_alive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
  return head;
}

}  // namespace holostat::server
