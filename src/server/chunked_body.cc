#include "server/chunked_body.h"

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <optional>
#include <string_view>
#include <utility>

namespace holostat::server {
namespace {

namespace http = boost::beast::http;
using boost::system::error_code;

// Chunks are only known to the parser of a whole request.
constexpr std::string_view kHead = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";

// A Body of Beast that hands on what comes.
struct SinkBody {
  struct value_type {
    ChunkedBody::Sink sink;
    std::optional<Error> error;
  };

  class reader {
   public:
    template <bool kIsRequest, class Fields>
    reader(http::header<kIsRequest, Fields>&, value_type& value) : value_(value) {}

    void init(const boost::optional<std::uint64_t>&, error_code& error) { error = {}; }

    template <class Buffers>
    std::size_t put(const Buffers& buffers, error_code& error) {
      std::size_t used = 0;
      error = {};
      for (auto it = boost::asio::buffer_sequence_begin(buffers);
           it != boost::asio::buffer_sequence_end(buffers); ++it) {
        const boost::asio::const_buffer buffer = *it;
        auto taken = value_.sink({static_cast<const std::byte*>(buffer.data()), buffer.size()});
        if (!taken) {
          value_.error = std::move(taken).error();
          error = http::error::buffer_overflow;
          return used;
        }
        used += buffer.size();
      }
      return used;
    }

    void finish(error_code& error) { error = {}; }

   private:
    value_type& value_;
  };
};

}  // namespace

struct ChunkedBody::Parser {
  http::request_parser<SinkBody> http;
};

ChunkedBody::ChunkedBody(Sink sink) : parser_(std::make_unique<Parser>()) {
  parser_->http.get().body().sink = std::move(sink);
  parser_->http.body_limit(boost::none);  // the sink has one
  error_code error;
  parser_->http.put(boost::asio::buffer(kHead.data(), kHead.size()), error);
  parser_->http.eager(true);
}

ChunkedBody::~ChunkedBody() = default;

bool ChunkedBody::done() const { return parser_->http.is_done(); }

Result<std::size_t> ChunkedBody::Put(std::span<const std::byte> bytes) {
  if (done() || bytes.empty()) return std::size_t{0};
  error_code error;
  const std::size_t used =
      parser_->http.put(boost::asio::buffer(bytes.data(), bytes.size()), error);
  if (auto& own = parser_->http.get().body().error; own) return tl::unexpected(*std::move(own));
  if (error && error != http::error::need_more)
    return Fail(ErrorCode::kInvalidArgument, "a chunk is malformed: " + error.message());
  return used;
}

}  // namespace holostat::server
