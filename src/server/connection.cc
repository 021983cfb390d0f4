#include "server/connection.h"

#include "server/admission.h"
#include "server/auth.h"
#include "server/body_reader.h"
#include "server/endpoints.h"
#include "server/event_stream.h"
#include "server/track_handler.h"

namespace holostat::server {
namespace {

using boost::asio::awaitable;
constexpr std::chrono::milliseconds kLinger(2000);

// Problems are made outside of coroutines: GCC 12 destroys twice what a braced list makes in one.
std::optional<Problem> ProblemOfHead(HeadProgress progress, bool is_full) {
  if (progress == HeadProgress::kBad) return Problem{400, "a line does not end in CR LF"};
  if (is_full) return Problem{431, "the head of the request is too large"};
  return std::nullopt;
}
Problem HeadTooSlow() { return {408, "the head of the request did not come in time"}; }

Response TooMany(std::string_view what, std::string_view request_id) {
  return ProblemResponse({503, "there are as many " + std::string(what) + " as there may be"},
                         request_id);
}

std::optional<Response> RefuseUpgrade(const Context& context, const Exchange& exchange,
                                      bool has_handler) {
  if (!exchange.head.wants_websocket) {
    Response refusal = ProblemResponse({426, "this is for WebSockets"}, exchange.request_id);
    refusal.headers.emplace_back("Upgrade", "websocket");
    return refusal;
  }
  if (!IsOriginTrusted(exchange.head, context.options.cors_origins))
    return ProblemResponse({403, "pages of this origin may not ask"}, exchange.request_id);
  if (!has_handler || context.stats.live_sessions >= context.options.max_live_sessions)
    return TooMany("live sessions", exchange.request_id);
  return std::nullopt;
}

}  // namespace

Connection::Connection(Context& context, const LiveHandler& live, Stream stream, std::string client)
    : context_(context), live_(live), wire_(std::move(stream)), client_(std::move(client)) {}

void Connection::Drain() {
  if (idle_) wire_.Abort();
}

void Connection::Abort() {
  if (handed_over_) {
    abort_.emit(boost::asio::cancellation_type::terminal);
  } else {
    wire_.Abort();
  }
}

awaitable<void> Connection::Run() {
  wire_.Arm(context_.options.header_timeout);
  if (co_await wire_.Handshake() != Outcome::kOk) co_return;
  while (!context_.draining) {
    wire_.Arm(context_.options.idle_timeout);
    if (co_await wire_.AwaitBytes() != Outcome::kOk) break;
    idle_ = false;
    const bool goes_on = co_await ServeOne();
    idle_ = true;
    if (!goes_on) break;
  }
}

awaitable<Wire::Outcome> Connection::ReadHeadBytes(std::size_t& size,
                                                   std::optional<Problem>& problem) {
  const std::size_t limit = context_.options.max_header_bytes;
  for (size = 0;;) {
    const HeadProgress progress = ScanHead(wire_.buffer(), size);
    if (progress == HeadProgress::kComplete && size <= limit) co_return Outcome::kOk;
    problem = ProblemOfHead(progress, wire_.buffer().size() >= limit);
    if (problem) co_return Outcome::kOk;
    const Outcome outcome = co_await wire_.Fill(limit);
    if (outcome != Outcome::kOk) co_return outcome;
  }
}

awaitable<bool> Connection::ServeOne() {
  Exchange exchange;
  exchange.client = client_;
  exchange.started = context_.clock.Now();
  bytes_in_before_ = wire_.bytes_in() - wire_.buffer().size();
  bytes_out_before_ = wire_.bytes_out();

  wire_.Arm(context_.options.header_timeout);
  std::size_t size = 0;
  std::optional<Problem> problem;
  const Outcome outcome = co_await ReadHeadBytes(size, problem);
  if (outcome == Outcome::kClosed) co_return false;
  if (outcome == Outcome::kTimeout) {
    ++context_.stats.timeouts;
    problem.emplace(HeadTooSlow());
  }
  std::string head;
  if (!problem) {
    head = wire_.buffer().substr(0, size);
    wire_.Consume(size);
    if (auto read = ReadHead(head)) {
      exchange.head = *std::move(read);
    } else {
      problem = std::move(read).error();
    }
  }
  exchange.request_id = RequestIdOf(exchange.head.request_id);
  if (problem) {
    co_await RefuseHead(exchange, *problem);
    co_return false;
  }

  bool body_read = exchange.head.framing == Framing::kNoBody;
  std::optional<Response> response = Admit(context_, exchange);
  if (!response && exchange.endpoint == Endpoint::kLive) {
    co_await HandOver(std::move(exchange), std::move(head));
    co_return false;
  }
  if (!response && exchange.endpoint == Endpoint::kEvents && exchange.head.method == "GET") {
    co_await SendEvents(exchange);
    co_return false;
  }
  if (!response) response = co_await Answer(exchange, body_read);
  if (!response) {
    ++context_.stats.clients_gone;
    Finish(exchange);
    co_return false;
  }
  // After a body that stopped half-way nobody knows where the next request begins.
  const bool keep_alive = exchange.head.keep_alive && !context_.draining &&
                          response->status != 408 && (body_read || IsShortBody(exchange.head));
  const bool sent = co_await Send(exchange, *std::move(response), keep_alive);
  if (sent && keep_alive && !body_read) {
    wire_.Arm(context_.options.body_timeout);
    co_return co_await DiscardBody(wire_, exchange.head);
  }
  if (sent && !keep_alive) co_await wire_.LingeringClose(kLinger);
  co_return sent&& keep_alive;
}

awaitable<std::optional<Response>> Connection::Answer(Exchange& exchange, bool& body_read) {
  if (exchange.endpoint == Endpoint::kTrack)
    co_return co_await Track(context_, wire_, exchange, body_read);
  co_return AnswerAtOnce(context_, exchange);
}

awaitable<bool> Connection::Send(Exchange& exchange, Response response, bool keep_alive) {
  exchange.status = response.status;
  HeadFields fields;
  fields.request_id = exchange.request_id;
  fields.keep_alive = keep_alive;
  const std::string origin = AllowedOrigin(exchange.head.origin, context_.options.cors_origins);
  fields.allowed_origin = origin;
  const std::string head = WriteHead(response, fields);
  const bool has_body = exchange.head.method != "HEAD" && !response.content_type.empty();
  wire_.Arm(context_.options.write_timeout);
  const Outcome outcome =
      co_await wire_.Write(head, has_body ? response.bytes() : std::string_view());
  if (outcome == Outcome::kTimeout) ++context_.stats.timeouts;
  if (outcome == Outcome::kClosed) ++context_.stats.clients_gone;
  Finish(exchange);
  co_return outcome == Outcome::kOk;
}

awaitable<void> Connection::RefuseHead(Exchange& exchange, const Problem& problem) {
  exchange.error = problem.detail;
  Response response = ProblemResponse(problem, exchange.request_id);
  const bool sent = co_await Send(exchange, std::move(response), false);
  if (sent) co_await wire_.LingeringClose(kLinger);
}

awaitable<void> Connection::SendEvents(Exchange& exchange) {
  if (context_.stats.event_streams >= context_.options.max_event_streams) {
    Response refusal = TooMany("event streams", exchange.request_id);
    co_await Send(exchange, std::move(refusal), false);
    co_return;
  }
  Response response;
  response.content_type = "text/event-stream";
  exchange.status = response.status;
  const std::string origin = AllowedOrigin(exchange.head.origin, context_.options.cors_origins);
  const HeadFields fields{exchange.request_id, false, BodyForm::kUntilClose, origin};
  const std::string head = WriteHead(response, fields);
  wire_.Arm(context_.options.write_timeout);
  if (co_await wire_.Write(head) == Outcome::kOk) co_await StreamEvents(context_, wire_);
  Finish(exchange);
}

awaitable<void> Connection::HandOver(Exchange exchange, std::string head) {
  std::optional<Response> refusal = RefuseUpgrade(context_, exchange, live_ != nullptr);
  if (refusal) {
    co_await Send(exchange, *std::move(refusal), false);
    co_return;
  }
  wire_.Disarm();
  handed_over_ = true;
  Exchange told = exchange;  // for the log, once the session has ended
  told.status = 101;
  LiveUpgrade upgrade{std::move(wire_.stream()), std::move(head), std::move(exchange)};
  co_await live_(context_, std::move(upgrade));
  Finish(told);
}

void Connection::Finish(const Exchange& exchange) {
  const auto duration = context_.clock.Now() - exchange.started;
  const std::uint64_t in = wire_.bytes_in() - wire_.buffer().size() - bytes_in_before_;
  const std::uint64_t out = wire_.bytes_out() - bytes_out_before_;
  context_.stats.bytes_in += in;
  context_.stats.bytes_out += out;
  if (exchange.status != 0) {
    const std::size_t index = StatsIndex(exchange.endpoint);
    context_.stats.CountStatus(index, exchange.status);
    context_.stats.routes[index].latency.Record(duration);
  }
  if (!context_.hooks.log) return;
  RequestLogEntry entry;
  entry.request_id = exchange.request_id;
  entry.client = exchange.client;
  entry.method = exchange.head.method;
  entry.path = exchange.head.path;
  entry.status = exchange.status;
  entry.bytes_in = in;
  entry.bytes_out = out;
  entry.duration = std::chrono::duration_cast<std::chrono::microseconds>(duration);
  entry.worker_id = exchange.worker_id;
  entry.attempts = exchange.attempts;
  entry.error = exchange.error;
  context_.hooks.log(entry);
}

}  // namespace holostat::server
