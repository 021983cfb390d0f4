#include "server/exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace holostat::server {

std::string RequestIdOf(std::string_view given) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  };
  if (!given.empty() && given.size() <= 64 && std::ranges::all_of(given, is_plain))
    return std::string(given);
  static thread_local std::mt19937_64 random{std::random_device{}()};
  return fmt::format("{:016x}", random());
}

}  // namespace holostat::server
