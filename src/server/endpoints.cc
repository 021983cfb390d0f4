#include "server/endpoints.h"

#include "server/static_files.h"

namespace holostat::server {
namespace {

Response AnswerReady(const Context& context, const Exchange& exchange) {
  if (context.draining)
    return ProblemResponse({503, "the service is draining"}, exchange.request_id);
  if (context.supervisor.pool().ready_workers() == 0)
    return ProblemResponse({503, "no worker is ready"}, exchange.request_id);
  return JsonResponse(R"({"status":"ready"})");
}

}  // namespace

Response AnswerAtOnce(Context& context, Exchange& exchange) {
  switch (exchange.endpoint) {
    case Endpoint::kHealth:
      return JsonResponse(R"({"status":"ok"})");
    case Endpoint::kReady:
      return AnswerReady(context, exchange);
    case Endpoint::kStatus:
      return JsonResponse(runtime::ToJson(context.supervisor.Status()));
    case Endpoint::kFile:
      return AnswerFile(*FindFile(exchange.head.path), exchange.head);
    default:
      return ProblemResponse({404, "there is nothing at this path"}, exchange.request_id);
  }
}

}  // namespace holostat::server
