#include "server/track_handler.h"

#include <fmt/format.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "server/body_reader.h"
#include "server/multipart.h"
#include "server/track_request.h"

namespace holostat::server {
namespace {

using boost::system::error_code;
using Outcome = std::optional<Result<runtime::Answer>>;  // nothing: the client has left

// An answer that may come, and who waits for it.
struct Pending {
  explicit Pending(const asio::any_io_executor& executor) : woken(executor) {
    woken.expires_at(SteadyTime::max());
  }
  Outcome outcome;
  asio::steady_timer woken;  // cancelled when there is an outcome
};

// A request that the supervisor works on is told to it as gone when this is, unless it is done.
class Submitted {
 public:
  Submitted(runtime::Supervisor& supervisor, std::uint64_t id, std::shared_ptr<Pending> pending)
      : supervisor_(supervisor), id_(id), pending_(std::move(pending)) {}
  ~Submitted() {
    if (!pending_->outcome) supervisor_.Cancel(id_);
  }
  Submitted(const Submitted&) = delete;
  Submitted& operator=(const Submitted&) = delete;

 private:
  runtime::Supervisor& supervisor_;
  std::uint64_t id_;
  std::shared_ptr<Pending> pending_;
};

asio::awaitable<void> Answered(std::shared_ptr<Pending> pending) {
  if (pending->outcome) co_return;
  co_await pending->woken.async_wait(asio::as_tuple(asio::use_awaitable));
}

asio::awaitable<Outcome> Ask(Context& context, Wire& wire, const Exchange& exchange,
                             const ipc::Job& job, ipc::SlotBudget::Lease slot) {
  using namespace asio::experimental::awaitable_operators;
  auto pending = std::make_shared<Pending>(wire.stream().get_executor());
  const auto id =
      context.supervisor.Submit(job, std::move(slot), [pending](Result<runtime::Answer> answer) {
        pending->outcome = std::move(answer);
        pending->woken.cancel();
      });
  if (!id) co_return tl::unexpected(id.error());
  const Submitted submitted(context.supervisor, *id, pending);
  wire.Disarm();  // the pool has deadlines of its own
  co_await (Answered(pending) ||
            wire.UntilGone(context.options.max_header_bytes, exchange.head.http_1_1));
  co_return pending->outcome;
}

void Count(Context& context, Exchange& exchange, const runtime::Answer& answer) {
  exchange.attempts += answer.attempts;
  exchange.worker_id = answer.worker_id;
  context.stats.queue.Record(answer.times.queue);
  context.stats.decode.Record(answer.times.decode);
  context.stats.inference.Record(answer.times.inference);
  context.stats.encode.Record(answer.times.encode);
}

std::string ServerTiming(const runtime::StageTimes& times) {
  const auto ms = [](std::chrono::microseconds time) {
    return std::chrono::duration<double, std::milli>(time).count();
  };
  return fmt::format("queue;dur={:.3f}, decode;dur={:.3f}, infer;dur={:.3f}, encode;dur={:.3f}",
                     ms(times.queue), ms(times.decode), ms(times.inference), ms(times.encode));
}

void DescribeWork(Response& response, const Exchange& exchange, const runtime::StageTimes& times,
                  ipc::Complexity complexity) {
  response.headers.emplace_back("Server-Timing", ServerTiming(times));
  const std::string_view used = NameOf(complexity);
  if (used != exchange.parameters.find("complexity")->second)
    response.headers.emplace_back("Holostat-Complexity", used);
}

// Made here and not where it is returned: GCC 12 destroys twice what a braced list makes in a
// coroutine.
Response Refuse(Exchange& exchange, const Problem& problem) {
  exchange.error = problem.detail;
  return ProblemResponse(problem, exchange.request_id);
}
Response Refuse(Exchange& exchange, int status, const char* detail) {
  return Refuse(exchange, Problem{status, detail});
}

asio::awaitable<std::optional<Response>> TrackOne(Context& context, Wire& wire, Exchange& exchange,
                                                  BodySink& sink) {
  if (const auto problem = CheckMagic(sink.bytes())) co_return Refuse(exchange, *problem);
  auto slot = sink.Take();
  if (!slot) co_return Refuse(exchange, ProblemOf(slot.error()));
  const ipc::Job job = JobOf(exchange.parameters);
  Outcome outcome = co_await Ask(context, wire, exchange, job, *std::move(slot));
  if (!outcome) co_return std::nullopt;
  if (!*outcome) co_return Refuse(exchange, ProblemOf(outcome->error()));
  runtime::Answer& answer = **outcome;
  Count(context, exchange, answer);
  Response response;
  response.content_type = ContentTypeOf(job.format);
  response.body = std::move(answer.bytes);
  DescribeWork(response, exchange, answer.times, answer.complexity);
  co_return response;
}

// The problem of one file among several, in its place in the answer.
std::string FileProblem(const Problem& problem, std::size_t index, std::string_view request_id) {
  auto json = nlohmann::ordered_json::parse(ToJson(problem, request_id));
  json["frame"] = index;
  return json.dump();
}

// What became of several files so far.
struct Batch {
  std::string json = "[";
  runtime::StageTimes times;
  ipc::Complexity complexity = ipc::Complexity::kHeavy;  // the lightest used

  void Add(std::string_view document) {
    if (json.size() > 1) json += ',';
    json += document;
  }
  void Add(const runtime::Answer& answer) {
    Add(answer.bytes);
    times.queue += answer.times.queue;
    times.decode += answer.times.decode;
    times.inference += answer.times.inference;
    times.encode += answer.times.encode;
    complexity = std::min(complexity, answer.complexity);
  }
};

// One after the other: a form takes no more of the pool than a picture does.
asio::awaitable<std::optional<Response>> TrackForm(Context& context, Wire& wire, Exchange& exchange,
                                                   BodySink& sink) {
  const auto files =
      ReadForm(sink.bytes(), exchange.head.content_type, context.options.max_multipart_files);
  if (!files) co_return Refuse(exchange, ProblemOf(files.error()));
  if (files->size() == 1) {
    BodySink only(context.supervisor, context.options.max_body_bytes);
    if (const auto copied = only.Append(files->front().bytes); !copied)
      co_return Refuse(exchange, ProblemOf(copied.error()));
    co_return co_await TrackOne(context, wire, exchange, only);
  }
  ipc::Job job = JobOf(exchange.parameters);
  if (job.format != ipc::AnswerFormat::kJson)
    co_return Refuse(exchange, 400, "with several files, format is json");
  Batch batch;
  for (std::size_t i = 0; i < files->size(); ++i) {
    std::optional<Problem> problem = CheckMagic((*files)[i].bytes);
    if (!problem) {
      job.frame = i;
      auto slot = SlotOf(context.supervisor, (*files)[i].bytes);
      Outcome outcome;
      if (slot) {
        outcome = co_await Ask(context, wire, exchange, job, *std::move(slot));
      } else {
        outcome.emplace(tl::unexpected(slot.error()));
      }
      if (!outcome) co_return std::nullopt;
      if (*outcome) {
        Count(context, exchange, **outcome);
        batch.Add(**outcome);
        continue;
      }
      problem = ProblemOf(outcome->error());
    }
    batch.Add(FileProblem(*problem, i, exchange.request_id));
  }
  Response response = JsonResponse(std::move(batch.json) + "]");
  DescribeWork(response, exchange, batch.times, batch.complexity);
  co_return response;
}

bool IsFull(const runtime::WorkerPool& pool) {
  return pool.queue_length() >= pool.options().queue_capacity;
}

}  // namespace

asio::awaitable<std::optional<Response>> Track(Context& context, Wire& wire, Exchange& exchange,
                                               bool& body_read) {
  body_read = false;
  // Said before the body is sent where the client waits for that, and before room is taken for it.
  if (IsFull(context.supervisor.pool()))
    co_return Refuse(exchange, 503, "too many requests are waiting: try again later");
  BodySink sink(context.supervisor, context.options.max_body_bytes);
  const BodyOutcome body = co_await ReadBody(wire, exchange.head, context.options, sink);
  if (body.problem) co_return Refuse(exchange, *body.problem);
  if (body.wire == Wire::Outcome::kTimeout) {
    ++context.stats.timeouts;
    co_return Refuse(exchange, 408, "the body did not come in time");
  }
  if (body.wire == Wire::Outcome::kClosed) co_return std::nullopt;
  body_read = true;
  if (IsForm(exchange.head)) co_return co_await TrackForm(context, wire, exchange, sink);
  co_return co_await TrackOne(context, wire, exchange, sink);
}

}  // namespace holostat::server
