#include "runtime/recycle_policy.h"

namespace holostat::runtime {
namespace {

// A fraction in 0..1 that is spread evenly over consecutive ids (multiples of the golden ratio).
double Spread(std::uint32_t id) {
  constexpr std::uint32_t kGolden = 0x9e3779b9;
  return static_cast<double>(id * kGolden) / 4294967296.0;
}

}  // namespace

std::string_view RetireReasonName(RetireReason reason) {
  switch (reason) {
    case RetireReason::kRequests:
      return "request count";
    case RetireReason::kAge:
      return "age";
    case RetireReason::kMemory:
      return "private memory over budget";
    case RetireReason::kDescriptors:
      return "too many descriptors";
    case RetireReason::kLeak:
      return "leak alarm";
    case RetireReason::kPressure:
      return "memory pressure";
    case RetireReason::kReload:
      return "reload";
    case RetireReason::kCommand:
      return "command";
  }
  return "unknown reason";
}

std::optional<RetireReason> RecyclePolicy::Check(const Facts& facts) const {
  const double share = 1 - options_.jitter * Spread(facts.worker_id);
  const auto reached = [&](double value, double limit) { return limit > 0 && value >= limit; };
  if (reached(static_cast<double>(facts.uss_bytes), static_cast<double>(options_.max_uss_bytes)))
    return RetireReason::kMemory;
  if (options_.max_extra_fds > 0 && facts.extra_fds >= options_.max_extra_fds)
    return RetireReason::kDescriptors;
  if (reached(static_cast<double>(facts.requests),
              static_cast<double>(options_.max_requests) * share))
    return RetireReason::kRequests;
  const std::chrono::duration<double> age = facts.age;
  if (reached(age.count(), static_cast<double>(options_.max_age.count()) * share))
    return RetireReason::kAge;
  return std::nullopt;
}

}  // namespace holostat::runtime
