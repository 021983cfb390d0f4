#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace holostat::exporter {

// The median of a series of any length in fixed memory: of a sample of every n-th value, n doubling
// whenever the sample is full. Makes no heap call.
class RunningMedian {
 public:
  void Add(double value) {
    if (seen_++ % stride_ != 0) return;
    if (count_ == sample_.size()) {
      for (std::size_t i = 0; i < sample_.size() / 2; ++i) sample_[i] = sample_[2 * i];
      count_ /= 2;
      stride_ *= 2;
      if ((seen_ - 1) % stride_ != 0) return;
    }
    sample_[count_++] = value;
  }

  // Nothing before the first value.
  std::optional<double> Get() const {
    if (count_ == 0) return std::nullopt;
    auto sorted = sample_;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(count_ / 2);
    std::nth_element(sorted.begin(), middle, sorted.begin() + static_cast<std::ptrdiff_t>(count_));
    return *middle;
  }

 private:
  std::array<double, 256> sample_{};
  std::size_t count_ = 0;
  std::uint64_t seen_ = 0, stride_ = 1;
};

}  // namespace holostat::exporter
