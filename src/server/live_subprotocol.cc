#include "server/live_subprotocol.h"

#include <algorithm>
#include <boost/beast/http/rfc7230.hpp>
#include <cstdint>
#include <optional>

namespace holostat::server {
namespace {

constexpr std::string_view kTokenPrefix = "holostat.bearer.";
constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// Without padding, as a subprotocol cannot have '='.
std::optional<std::string> DecodeBase64Url(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<char>(bits >> count & 0xff));
  }
  return bytes;
}

}  // namespace

bool OffersLiveSubprotocol(std::string_view offered) {
  // Not token_list::exists: it ignores case, and Boost 1.81 reads a byte too far in doing so.
  const boost::beast::http::token_list all(offered);
  return std::any_of(all.begin(), all.end(),
                     [](std::string_view one) { return one == kLiveSubprotocol; });
}

std::string LiveAuthorization(std::string_view offered) {
  for (const std::string_view one : boost::beast::http::token_list(offered)) {
    if (!one.starts_with(kTokenPrefix)) continue;
    const auto token = DecodeBase64Url(one.substr(kTokenPrefix.size()));
    return token ? "Bearer " + *token : std::string();
  }
  return {};
}

}  // namespace holostat::server
