#include "server/request_head.h"

#include <algorithm>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/rfc7230.hpp>

namespace holostat::server {
namespace {

namespace http = boost::beast::http;
using Fields = http::request<http::empty_body>;

tl::unexpected<Problem> Refuse(int status, std::string detail) {
  return tl::unexpected(Problem{status, std::move(detail)});
}

// Not Beast's iequals, nor what is built on it (token_list::exists): in Boost 1.81 they read a byte
// too far.
bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

bool HasToken(std::string_view list, std::string_view token) {
  return std::ranges::any_of(http::token_list(list),
                             [&](std::string_view one) { return EqualsIgnoringCase(one, token); });
}

bool IsControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7f;
}

// What the parser would let through: folded lines, control bytes, too many fields.
tl::expected<void, Problem> CheckLines(std::string_view head) {
  std::size_t fields = 0;
  head.remove_prefix(head.find("\r\n") + 2);
  while (!head.starts_with("\r\n")) {
    const std::string_view line = head.substr(0, head.find("\r\n"));
    head.remove_prefix(line.size() + 2);
    if (line.front() == ' ' || line.front() == '\t')
      return Refuse(400, "a header field goes on in the next line");
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0)
      return Refuse(400, "a header line has no name");
    if (line[colon - 1] == ' ' || line[colon - 1] == '\t')
      return Refuse(400, "there is space before the colon of a header field");
    if (std::ranges::any_of(line, IsControl))
      return Refuse(400, "there is a control character in a header field");
    if (++fields > kMaxHeaderFields)
      return Refuse(431, "there are more header fields than a request may have");
  }
  return {};
}

tl::expected<void, Problem> CheckRequestLine(std::string_view head) {
  const std::string_view line = head.substr(0, head.find("\r\n"));
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == std::string_view::npos || first == last || last - first < 2)
    return Refuse(400, "the request line is none");
  const std::string_view version = line.substr(last + 1);
  if (version.starts_with("HTTP/") && version != "HTTP/1.1" && version != "HTTP/1.0")
    return Refuse(400, "only HTTP/1.1 and HTTP/1.0 are spoken here");
  if (last - first - 1 > kMaxTargetBytes)
    return Refuse(414, "the target of the request is too long");
  return {};
}

std::size_t Count(const Fields& fields, http::field name) {
  const auto range = fields.equal_range(name);
  return static_cast<std::size_t>(std::distance(range.first, range.second));
}

tl::expected<void, Problem> ReadFraming(const Fields& fields, RequestHead& head) {
  const std::size_t lengths = Count(fields, http::field::content_length);
  const std::size_t codings = Count(fields, http::field::transfer_encoding);
  if (lengths + codings > 1) return Refuse(400, "the length of the body is given more than once");
  if (codings == 1) {
    if (!head.http_1_1) return Refuse(400, "HTTP/1.0 knows no transfer coding");
    if (!EqualsIgnoringCase(fields[http::field::transfer_encoding], "chunked"))
      return Refuse(400, "the only transfer coding known here is chunked");
    head.framing = Framing::kChunked;
  }
  if (lengths == 1) {
    const std::string_view text = fields[http::field::content_length];
    if (text.empty() || text.size() > 18 ||
        !std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; }))
      return Refuse(400, "Content-Length is no number");
    head.content_length = std::stoull(std::string(text));
    head.has_length = true;
    head.framing = head.content_length > 0 ? Framing::kLength : Framing::kNoBody;
  }
  return {};
}

// Splits the target; takes the host off one in absolute form.
tl::expected<void, Problem> ReadTarget(std::string_view target, RequestHead& head) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (target.size() < scheme.size() ||
        !EqualsIgnoringCase(target.substr(0, scheme.size()), scheme))
      continue;
    const std::size_t slash = target.find('/', scheme.size());
    target = slash == std::string_view::npos ? "/" : target.substr(slash);
  }
  if (target.front() != '/' && target != "*")
    return Refuse(400, "the target of the request is no path");
  if (target.find('#') != std::string_view::npos) return Refuse(400, "a target has no fragment");
  const std::size_t mark = target.find('?');
  head.path = target.substr(0, mark);
  if (mark != std::string_view::npos) head.query = target.substr(mark + 1);
  return {};
}

tl::expected<void, Problem> ReadFields(const Fields& fields, RequestHead& head) {
  if (Count(fields, http::field::host) != (head.http_1_1 ? 1u : Count(fields, http::field::host)) ||
      Count(fields, http::field::host) > 1)
    return Refuse(400, "there must be one Host field");
  const auto text = [&](http::field name) { return std::string(fields[name]); };
  head.host = text(http::field::host);
  head.authorization = text(http::field::authorization);
  head.origin = text(http::field::origin);
  head.content_type = text(http::field::content_type);
  head.accept_encoding = text(http::field::accept_encoding);
  head.if_none_match = text(http::field::if_none_match);
  head.request_id = std::string(fields["X-Request-Id"]);
  head.subprotocols = text(http::field::sec_websocket_protocol);
  head.asks_for_method = text(http::field::access_control_request_method);
  if (const auto expect = fields[http::field::expect]; !expect.empty()) {
    if (!EqualsIgnoringCase(expect, "100-continue"))
      return Refuse(417, "only 100-continue can be expected");
    head.expects_continue = head.http_1_1;
  }
  head.wants_websocket = head.http_1_1 &&
                         EqualsIgnoringCase(fields[http::field::upgrade], "websocket") &&
                         HasToken(fields[http::field::connection], "upgrade");
  return {};
}

}  // namespace

HeadProgress ScanHead(std::string_view bytes, std::size_t& scanned) {
  while (scanned < bytes.size()) {
    const std::size_t end = bytes.find('\n', scanned);
    if (end == std::string_view::npos) break;
    if (end == 0 || bytes[end - 1] != '\r') return HeadProgress::kBad;
    const bool empty_line = end + 1 == scanned + 2;
    scanned = end + 1;
    if (empty_line) return scanned > 2 ? HeadProgress::kComplete : HeadProgress::kBad;
  }
  return HeadProgress::kMore;
}

tl::expected<RequestHead, Problem> ReadHead(std::string_view head) {
  if (const auto line = CheckRequestLine(head); !line) return tl::unexpected(line.error());
  if (const auto lines = CheckLines(head); !lines) return tl::unexpected(lines.error());

  http::request_parser<http::empty_body> parser;
  parser.header_limit(static_cast<std::uint32_t>(head.size() + 1));
  parser.body_limit(boost::none);
  boost::system::error_code error;
  parser.put(boost::asio::buffer(head.data(), head.size()), error);
  if ((error && error != http::error::need_more) || !parser.is_header_done())
    return Refuse(400, "the head of the request is malformed: " + error.message());

  const Fields& fields = parser.get();
  RequestHead result;
  result.method = std::string(fields.method_string());
  result.http_1_1 = fields.version() == 11;
  result.keep_alive = parser.keep_alive();
  if (const auto read = ReadTarget(fields.target(), result); !read)
    return tl::unexpected(read.error());
  if (const auto read = ReadFraming(fields, result); !read) return tl::unexpected(read.error());
  if (const auto read = ReadFields(fields, result); !read) return tl::unexpected(read.error());
  return result;
}

}  // namespace holostat::server
