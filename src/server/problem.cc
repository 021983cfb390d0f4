#include "server/problem.h"

#include <nlohmann/json.hpp>

namespace holostat::server {
namespace {

int StatusOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return 400;
    case ErrorCode::kNotFound:
      return 404;
    case ErrorCode::kUnsupported:
      return 415;
    case ErrorCode::kCorruptData:
      return 422;
    case ErrorCode::kLimitExceeded:
      return 413;
    case ErrorCode::kOverloaded:
    case ErrorCode::kUnavailable:
      return 503;
    case ErrorCode::kTimeout:
      return 504;
    case ErrorCode::kInternal:
      return 500;
  }
  return 500;
}

}  // namespace

std::string_view ReasonPhrase(int status) {
  switch (status) {
    case 101:
      return "Switching Protocols";
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 411:
      return "Length Required";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 422:
      return "Unprocessable Content";
    case 426:
      return "Upgrade Required";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    default:
      return "Status";
  }
}

Problem ProblemOf(const Error& error) { return {StatusOf(error.code), error.message}; }

std::string ToJson(const Problem& problem, std::string_view request_id) {
  const nlohmann::ordered_json json = {{"type", "about:blank"},
                                       {"title", ReasonPhrase(problem.status)},
                                       {"status", problem.status},
                                       {"detail", problem.detail},
                                       {"instance", request_id}};
  // Bytes of a client that are no UTF-8 may stand in a detail.
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace holostat::server
