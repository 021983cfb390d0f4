#include "server/event_stream.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <deque>
#include <nlohmann/json.hpp>
#include <string>

namespace holostat::server {
namespace {

constexpr std::size_t kMaxWaiting = 64;
constexpr std::chrono::seconds kSign(15);    // of life, when nothing happens
constexpr std::size_t kIgnoredBytes = 1024;  // of what the client sends on

// What is to be sent, and who waits for it.
struct Feed {
  explicit Feed(const asio::any_io_executor& executor) : woken(executor) {}

  void Add(const runtime::ServiceEvent& event) {
    if (waiting.size() == kMaxWaiting) {
      ended = true;
    } else {
      const nlohmann::ordered_json json = {{"uptime_s", event.uptime_s}, {"text", event.text}};
      waiting.push_back(
          "data: " + json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n\n");
    }
    woken.cancel();
  }

  std::string TakeAll() {
    std::string all;
    for (const std::string& event : waiting) all += event;
    waiting.clear();
    return all;
  }

  std::deque<std::string> waiting;  // at most kMaxWaiting; then the client is too slow
  bool ended = false;
  asio::steady_timer woken;
};

asio::awaitable<void> SomethingCame(Feed& feed) {
  feed.woken.expires_after(kSign);
  co_await feed.woken.async_wait(asio::as_tuple(asio::use_awaitable));
}

// Counts a stream as long as it lives.
class Counted {
 public:
  explicit Counted(std::uint64_t& count) : count_(count) { ++count_; }
  ~Counted() { --count_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  std::uint64_t& count_;
};

}  // namespace

asio::awaitable<void> StreamEvents(Context& context, Wire& wire) {
  using namespace asio::experimental::awaitable_operators;
  const Counted counted(context.stats.event_streams);
  Feed feed(wire.stream().get_executor());
  for (const runtime::ServiceEvent& event : context.supervisor.events()) feed.Add(event);
  feed.ended = false;  // as many as the log holds
  const auto events =
      context.supervisor.Observe([&](const runtime::ServiceEvent& event) { feed.Add(event); });
  const auto drain = context.on_drain.Add([&] {
    feed.ended = true;
    feed.woken.cancel();
  });
  if (!events || !drain) co_return;
  std::string text = "retry: 2000\n\n" + feed.TakeAll();
  while (!feed.ended) {
    wire.Arm(context.options.write_timeout);
    if (co_await wire.Write(text) != Wire::Outcome::kOk) co_return;
    wire.Disarm();
    if (feed.waiting.empty() && !feed.ended) {
      const auto first = co_await (SomethingCame(feed) || wire.UntilGone(kIgnoredBytes, false));
      if (first.index() == 1) co_return;
    }
    text = feed.waiting.empty() ? ":\n\n" : feed.TakeAll();
  }
}

}  // namespace holostat::server
