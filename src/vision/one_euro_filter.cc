#include "vision/one_euro_filter.h"

#include <cmath>
#include <numbers>

namespace holostat::vision {
namespace {

// Of a low-pass with that cutoff, given a value each `step_s`.
float Alpha(double cutoff_hz, double step_s) {
  const double tau = 1.0 / (2 * std::numbers::pi * cutoff_hz);
  return static_cast<float>(1.0 / (1.0 + tau / step_s));
}

}  // namespace

float LowPassFilter::Apply(float value, float alpha) {
  if (!std::isfinite(value)) return value;
  if (last_) {
    // In the mix of widths that the reference has.
    value = static_cast<float>(static_cast<double>(alpha * value) +
                               (1.0 - static_cast<double>(alpha)) * static_cast<double>(*last_));
  }
  last_ = value;
  return value;
}

float OneEuroFilter::Apply(const OneEuroParameters& parameters, double step_s, float value_scale,
                           float value) {
  if (!std::isfinite(value)) return value;
  double speed = 0;
  if (raw_) {
    speed = (static_cast<double>(value) - static_cast<double>(*raw_)) *
            static_cast<double>(value_scale) * (1.0 / step_s);
  }
  raw_ = value;
  const float smooth_speed = speed_.Apply(
      static_cast<float>(speed), Alpha(static_cast<double>(parameters.derivate_cutoff), step_s));
  const double cutoff =
      static_cast<double>(parameters.min_cutoff) +
      static_cast<double>(parameters.beta) * std::abs(static_cast<double>(smooth_speed));
  return value_.Apply(value, Alpha(cutoff, step_s));
}

}  // namespace holostat::vision
