#include "server/live_connection.h"

#include <algorithm>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "server/live_subprotocol.h"

namespace holostat::server {
namespace {

namespace websocket = boost::beast::websocket;
using boost::system::error_code;

constexpr std::size_t kFirstBuffer = 64u << 10;
constexpr std::chrono::seconds kCloseTimeout(2);  // for the client to close as well
constexpr std::size_t kMaxReason = 120;           // of a close frame: 123 bytes

auto Into(error_code& error) { return asio::redirect_error(asio::use_awaitable, error); }

auto Into(error_code& error, asio::cancellation_signal& end) {
  return asio::bind_cancellation_slot(end.slot(), Into(error));
}

}  // namespace

LiveConnection::LiveConnection(LiveServer& server, Stream stream, std::uint64_t id,
                               const LiveOptions& options)
    : server_(server),
      socket_(std::move(stream)),
      session_(id, server.supervisor_, server.stats_, options,
               {[this](LiveMessage message) { Queue(std::move(message)); },
                [this](LiveClose code, std::string_view why) { Close(code, why); }}),
      wake_(socket_.get_executor()),
      idle_(socket_.get_executor()),
      write_deadline_(socket_.get_executor()) {
  wake_.expires_at(asio::steady_timer::time_point::max());
}

LiveConnection::~LiveConnection() { server_.buffer_bytes_ -= counted_bytes_; }

asio::awaitable<void> LiveConnection::Run(std::string_view head, std::string_view subprotocols) {
  using namespace asio::experimental::awaitable_operators;
  if (!co_await Accept(head, OffersLiveSubprotocol(subprotocols))) co_return;
  session_.Begin();
  ArmIdle();
  co_await (Read() && Write());
}

asio::awaitable<bool> LiveConnection::Accept(std::string_view head, bool has_subprotocol) {
  socket_.set_option(websocket::stream_base::timeout{server_.options_.header_timeout,
                                                     server_.options_.write_timeout, true});
  socket_.set_option(
      websocket::stream_base::decorator([has_subprotocol](websocket::response_type& response) {
        response.set(boost::beast::http::field::server, "holostat");
        if (has_subprotocol)
          response.set(boost::beast::http::field::sec_websocket_protocol, kLiveSubprotocol);
      }));
  socket_.read_message_max(0);  // we count ourselves: the client is to get the close frame
  error_code error;
  co_await socket_.async_accept(asio::buffer(head), Into(error));
  co_return !error;
}

// --- in --------------------------------------------------------------------------------------

asio::awaitable<void> LiveConnection::Read() {
  error_code error;
  std::size_t used = 0;
  while (!error && !shut_ && !ending_) {  // the writer's goodbye reads as well
    if (const auto refusal = MakeRoom(used)) {
      Close(refusal->code, refusal->why);
      break;
    }
    used += co_await socket_.async_read_some(
        asio::buffer(buffer_.data() + used, buffer_.size() - used), Into(error, end_read_));
    if (error || !socket_.is_message_done()) continue;
    OnMessage(std::exchange(used, 0));
  }
  // The writer says goodbye, if we end it; if the client did, there is nobody to say it to.
  if (error) Shut();
}

std::size_t LiveConnection::MostBytes() const {
  return server_.options_.max_body_bytes + kLiveHeaderBytes;
}

// Room behind `used` bytes, as far as all sessions together may have it.
std::optional<LiveConnection::Ending> LiveConnection::MakeRoom(std::size_t used) {
  if (used < buffer_.size()) return std::nullopt;
  const std::size_t most = MostBytes();
  if (used > most) return Ending{LiveClose::kTooLarge, "a frame has too many bytes"};
  const std::size_t wanted = std::min(std::max(2 * buffer_.size(), kFirstBuffer), most + 1);
  if (server_.buffer_bytes_ + (wanted - buffer_.size()) > LiveServer::kMaxBufferBytes)
    return Ending{LiveClose::kOverloaded, "all sessions together hold too many bytes"};
  buffer_.reserve(wanted);  // exactly: resize alone would take twice the memory
  buffer_.resize(wanted);
  CountBuffers();
  return std::nullopt;
}

void LiveConnection::OnMessage(std::size_t bytes) {
  server_.stats_.bytes_in += bytes;
  if (ending_) return;
  ArmIdle();
  if (socket_.got_text()) {
    session_.OnText({reinterpret_cast<const char*>(buffer_.data()), bytes});
  } else {
    buffer_.resize(bytes);
    session_.OnFrame(buffer_);
    buffer_.resize(std::min(buffer_.capacity(), MostBytes() + 1));
  }
  CountBuffers();
}

void LiveConnection::CountBuffers() {
  const std::size_t now = buffer_.capacity() + session_.waiting_bytes();
  server_.buffer_bytes_ += now - counted_bytes_;
  counted_bytes_ = now;
}

// --- out -------------------------------------------------------------------------------------

void LiveConnection::Queue(LiveMessage message) {
  if (outbox_.size() >= kMaxOutbox)
    return Close(LiveClose::kPolicy, "more is asked for than is read");
  outbox_.push_back(std::move(message));
  wake_.cancel();
}

void LiveConnection::Close(LiveClose code, std::string_view why) {
  if (!ending_) ending_ = Ending{code, std::string(why.substr(0, kMaxReason))};
  wake_.cancel();
}

asio::awaitable<void> LiveConnection::Write() {
  error_code error;
  while (!shut_ && !error) {
    if (outbox_.empty()) {
      if (ending_) break;
      error_code woken;
      co_await wake_.async_wait(Into(woken));
      continue;
    }
    const LiveMessage message = std::move(outbox_.front());
    outbox_.pop_front();
    ArmWrite(server_.options_.write_timeout);
    socket_.binary(message.is_binary);
    server_.stats_.bytes_out +=
        co_await socket_.async_write(asio::buffer(message.bytes), Into(error));
    write_deadline_.cancel();
    if (!error) session_.OnSent();
  }
  if (!error && !shut_) co_await SendClose();
  Shut();
}

asio::awaitable<void> LiveConnection::SendClose() {
  error_code error;  // the session ends either way
  ArmWrite(kCloseTimeout);
  co_await socket_.async_close(
      websocket::close_reason(static_cast<websocket::close_code>(ending_->code), ending_->why),
      Into(error, end_close_));
}

// --- its end ---------------------------------------------------------------------------------

void LiveConnection::ArmIdle() {
  idle_.expires_after(server_.options_.live_idle_timeout);
  idle_.async_wait([weak = weak_from_this()](const error_code& error) {
    const auto self = weak.lock();
    if (!error && self) self->Close(LiveClose::kIdle, "nothing came for too long");
  });
}

void LiveConnection::ArmWrite(std::chrono::milliseconds limit) {
  write_deadline_.expires_after(limit);
  write_deadline_.async_wait([weak = weak_from_this()](const error_code& error) {
    const auto self = weak.lock();
    if (!error && self) self->Shut();
  });
}

// Whoever waits for the socket or to write is told.
void LiveConnection::Shut() {
  if (std::exchange(shut_, true)) return;
  end_read_.emit(asio::cancellation_type::terminal);
  end_close_.emit(asio::cancellation_type::terminal);
  error_code ignored;  // it is closed either way
  socket_.next_layer().socket().close(ignored);
  wake_.cancel();
  idle_.cancel();
  write_deadline_.cancel();
}

}  // namespace holostat::server
