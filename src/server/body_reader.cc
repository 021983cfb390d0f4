#include "server/body_reader.h"

#include <array>

#include "server/chunked_body.h"

namespace holostat::server {
namespace {

// Shortest way of a small chunked body is many chunks: so much is read at once.
constexpr std::size_t kChunkBufferBytes = 64u << 10;
constexpr std::uint64_t kShortBodyBytes = 256u << 10;

std::span<const std::byte> AsBytes(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

// Made outside of coroutines: GCC 12 destroys twice what a braced list makes in one.
BodyOutcome Refused(Problem problem) { return {Wire::Outcome::kOk, std::move(problem)}; }
BodyOutcome Refused(const Error& error) { return Refused(ProblemOf(error)); }
BodyOutcome Ended(Wire::Outcome outcome) { return {outcome, std::nullopt}; }
BodyOutcome LineTooLong() { return Refused(Problem{400, "a chunk's line is too long"}); }

asio::awaitable<BodyOutcome> ReadChunks(Wire& wire, BodySink& sink) {
  ChunkedBody body([&](std::span<const std::byte> bytes) { return sink.Append(bytes); });
  for (;;) {
    const auto used = body.Put(AsBytes(wire.buffer()));
    if (!used) co_return Refused(used.error());
    wire.Consume(*used);
    if (body.done()) co_return Ended(Wire::Outcome::kOk);
    if (wire.buffer().size() >= kChunkBufferBytes) co_return LineTooLong();
    if (const auto outcome = co_await wire.Fill(kChunkBufferBytes); outcome != Wire::Outcome::kOk)
      co_return Ended(outcome);
  }
}

asio::awaitable<BodyOutcome> ReadLength(Wire& wire, BodySink& sink) {
  const std::span<std::byte> room = sink.Room();
  std::size_t read = 0;
  const auto outcome = co_await wire.ReadFully(asio::buffer(room.data(), room.size()), read);
  sink.Advance(read);
  co_return Ended(outcome);
}

}  // namespace

asio::awaitable<BodyOutcome> ReadBody(Wire& wire, const RequestHead& head,
                                      const ServerOptions& options, BodySink& sink) {
  wire.Arm(options.body_timeout);
  if (head.framing == Framing::kLength) {
    if (const auto room = sink.Expect(head.content_length); !room) co_return Refused(room.error());
  }
  if (head.expects_continue && wire.buffer().empty()) {
    const auto outcome = co_await wire.Write("HTTP/1.1 100 Continue\r\n\r\n");
    if (outcome != Wire::Outcome::kOk) co_return Ended(outcome);
  }
  if (head.framing == Framing::kChunked) co_return co_await ReadChunks(wire, sink);
  co_return co_await ReadLength(wire, sink);
}

bool IsShortBody(const RequestHead& head) {
  return head.framing == Framing::kNoBody ||
         (head.framing == Framing::kLength && head.content_length <= kShortBodyBytes &&
          !head.expects_continue);
}

asio::awaitable<bool> DiscardBody(Wire& wire, const RequestHead& head) {
  std::uint64_t left = head.content_length;
  while (left > 0) {
    const auto here = std::min<std::uint64_t>(left, wire.buffer().size());
    wire.Consume(static_cast<std::size_t>(here));
    left -= here;
    if (left > 0 && co_await wire.Fill(kChunkBufferBytes) != Wire::Outcome::kOk) co_return false;
  }
  co_return true;
}

}  // namespace holostat::server
