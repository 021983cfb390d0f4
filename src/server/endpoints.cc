#include "server/endpoints.h"

#include "server/openapi.h"
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

Response AnswerMetrics(const Context& context) {
  const runtime::ServiceStatus status = context.supervisor.Status();
  Response response;
  response.content_type = MetricsPage::kContentType;
  const auto& dropped = context.hooks.log_lines_dropped;
  response.body =
      context.metrics.Render({status, context.stats, context.IsReady(), dropped ? dropped() : 0});
  return response;
}

// Only for a HEAD: else they go on for ever (event_stream.h).
Response DescribeEvents() {
  Response response;
  response.content_type = "text/event-stream";
  return response;
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
    case Endpoint::kMetrics:
      return AnswerMetrics(context);
    case Endpoint::kOpenApi:
      return JsonResponse(OpenApiDocument());
    case Endpoint::kEvents:
      return DescribeEvents();
    case Endpoint::kFile:
      return AnswerFile(*FindFile(exchange.head.path), exchange.head);
    default:
      return ProblemResponse({404, "there is nothing at this path"}, exchange.request_id);
  }
}

}  // namespace holostat::server
