#include "app/chaos_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace holostat::app {
namespace {

constexpr std::array kFaultNames{"crash",    "abort",         "exit",        "hang",    "spin",
                                 "leak",     "fdleak",        "grow",        "garbage", "slow",
                                 "nonsense", "die-answering", "die-answered"};

bool IsFault(std::string_view name) {
  return std::ranges::any_of(kFaultNames, [&](const char* one) { return name == one; });
}

}  // namespace

Result<ChaosPlan> ChaosPlan::Parse(std::string_view text, std::uint64_t seed) {
  ChaosPlan plan;
  plan.state_ = seed;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    const std::string_view name = one.substr(0, one.find('='));
    const std::string_view rest = one.substr(std::min(name.size() + 1, one.size()));
    const std::string_view share = rest.substr(0, rest.find(':'));
    if (!IsFault(name)) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("unknown fault '{}'; known: {}", name, fmt::join(kFaultNames, ", ")));
    }
    Fault fault{std::string(name) + std::string(rest.substr(share.size()))};
    const auto [end, error] =
        std::from_chars(share.data(), share.data() + share.size(), fault.share);
    if (error != std::errc() || end != share.data() + share.size() || !(fault.share >= 0) ||
        fault.share > 1) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("'{}': the share of requests must be a number in 0..1", one));
    }
    plan.faults_.push_back(std::move(fault));
  }
  return plan;
}

// SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t ChaosPlan::Random() {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::string ChaosPlan::Next() {
  std::string drawn;
  for (const Fault& fault : faults_) {
    const double x = static_cast<double>(Random() >> 11) * 0x1p-53;
    if (x >= fault.share) continue;
    if (!drawn.empty()) drawn += ',';
    drawn += fault.text;
  }
  return drawn;
}

}  // namespace holostat::app
