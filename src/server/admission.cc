#include "server/admission.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "server/auth.h"
#include "server/live_subprotocol.h"
#include "server/static_files.h"
#include "server/track_request.h"

namespace holostat::server {
namespace {

Response Refuse(Exchange& exchange, int status, std::string detail) {
  exchange.error = detail;  // for the log
  return ProblemResponse({status, std::move(detail)}, exchange.request_id);
}

std::string AllowedMethods(std::string_view method) {
  return method == "GET" ? "GET, HEAD, OPTIONS" : fmt::format("{}, OPTIONS", method);
}

Response Options(const Context& context, const Exchange& exchange, std::string allowed) {
  Response response;
  response.status = 204;
  if (!exchange.head.asks_for_method.empty() &&
      !AllowedOrigin(exchange.head.origin, context.options.cors_origins).empty()) {
    response.headers.emplace_back("Access-Control-Allow-Methods", allowed);
    response.headers.emplace_back("Access-Control-Allow-Headers",
                                  "Authorization, Content-Type, X-Request-Id");
    response.headers.emplace_back("Access-Control-Max-Age", "600");
  }
  response.headers.emplace_back("Allow", std::move(allowed));
  return response;
}

std::optional<Response> CheckMethod(const Context& context, Exchange& exchange,
                                    std::string_view wanted) {
  const std::string& method = exchange.head.method;
  if (method == "OPTIONS") return Options(context, exchange, AllowedMethods(wanted));
  if (method == wanted || (method == "HEAD" && wanted == "GET")) return std::nullopt;
  Response response =
      Refuse(exchange, 405, fmt::format("{} takes {}", exchange.head.path, AllowedMethods(wanted)));
  response.headers.emplace_back("Allow", AllowedMethods(wanted));
  return response;
}

std::optional<Response> CheckRate(Context& context, Exchange& exchange) {
  const auto wait = context.limiter.Take(exchange.client);
  if (wait.count() == 0) return std::nullopt;
  ++context.stats.rate_limited;
  Response response = Refuse(exchange, 429, "this client asks too often");
  response.headers.clear();
  response.headers.emplace_back(
      "Retry-After", fmt::to_string(std::chrono::ceil<std::chrono::seconds>(wait).count()));
  return response;
}

std::optional<Response> CheckToken(Context& context, Exchange& exchange) {
  if (IsAuthorized(exchange.head.authorization, context.options.token)) return std::nullopt;
  if (exchange.endpoint == Endpoint::kLive &&
      IsAuthorized(LiveAuthorization(exchange.head.subprotocols), context.options.token))
    return std::nullopt;
  ++context.stats.unauthorized;
  return Refuse(exchange, 401, "this needs the header \"Authorization: Bearer <token>\"");
}

std::optional<Response> CheckBody(const Context& context, Exchange& exchange) {
  const RequestHead& head = exchange.head;
  if (head.framing == Framing::kNoBody)
    return Refuse(exchange, head.has_length ? 400 : 411,
                  "the body must be a picture, with Content-Length or in chunks");
  if (head.content_length > context.options.max_body_bytes)
    return Refuse(exchange, 413,
                  fmt::format("a body may have {} bytes at most", context.options.max_body_bytes));
  if (const auto problem = CheckDeclaredType(exchange)) {
    Response response = ProblemResponse(*problem, exchange.request_id);
    if (problem->status == 415)
      response.headers.emplace_back("Accept",
                                    "image/jpeg, image/png, image/webp, image/gif, "
                                    "multipart/form-data");
    return response;
  }
  return std::nullopt;
}

std::optional<Response> AdmitToRoute(Context& context, Exchange& exchange, const Route& route) {
  exchange.endpoint = route.endpoint;
  if (auto answer = CheckMethod(context, exchange, route.method)) return answer;
  if (!route.open) {
    if (auto answer = CheckRate(context, exchange)) return answer;
    if (auto answer = CheckToken(context, exchange)) return answer;
  }
  auto parameters = ReadParameters(route, exchange.head.query);
  if (!parameters) return ProblemResponse(parameters.error(), exchange.request_id);
  exchange.parameters = *std::move(parameters);
  return route.takes_body ? CheckBody(context, exchange) : std::nullopt;
}

}  // namespace

std::optional<Response> Admit(Context& context, Exchange& exchange) {
  const RequestHead& head = exchange.head;
  if (head.method == "OPTIONS" && head.path == "*")
    return Options(context, exchange, "GET, HEAD, POST, OPTIONS");
  if (head.path == "*") return Refuse(exchange, 400, "only OPTIONS goes to *");
  if (const Route* route = FindRoute(head.path)) return AdmitToRoute(context, exchange, *route);
  // The page needs no token: it asks its user for one.
  if (FindFile(head.path) != nullptr) {
    exchange.endpoint = Endpoint::kFile;
    if (auto answer = CheckMethod(context, exchange, "GET")) return answer;
    return CheckRate(context, exchange);
  }
  return Refuse(exchange, 404, "there is nothing at this path");
}

}  // namespace holostat::server
