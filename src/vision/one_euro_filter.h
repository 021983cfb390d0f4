#pragma once

#include <optional>

namespace holostat::vision {

// Filters of one number over time, formulas and roundings of the reference (docs/tracking.md). The
// first value passes. What is not finite passes too, and leaves no trace.

// y = alpha x + (1 - alpha) y_before.
class LowPassFilter {
 public:
  float Apply(float value, float alpha);
  void Reset() { last_.reset(); }

 private:
  std::optional<float> last_;
};

struct OneEuroParameters {
  float min_cutoff = 1;       // Hz, of a value at rest: less is steadier
  float beta = 0;             // Hz by which each unit a second raises that: more follows faster
  float derivate_cutoff = 1;  // Hz, of the speed itself
};

// Steady at rest, quick in motion (Casiez, Roussel, Vogel 2012). The speed is that of the raw
// values.
class OneEuroFilter {
 public:
  // `step_s`: seconds since the value before, over 0. `value_scale` brings a speed to units a
  // second.
  float Apply(const OneEuroParameters& parameters, double step_s, float value_scale, float value);
  void Reset() { *this = {}; }

 private:
  std::optional<float> raw_;
  LowPassFilter value_, speed_;
};

}  // namespace holostat::vision
