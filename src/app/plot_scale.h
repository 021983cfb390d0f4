#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace holostat::app {

// A step of 1, 2 or 5 times a power of ten, of which 3 to 8 make up `span` (> 0).
double NiceStep(double span);

// The axis of a plot: values 0..top in `unit_size`s, where the ticks are, and how they are named.
struct Axis {
  double top = 1;        // in values, at the end of the axis
  double unit_size = 1;  // values a unit
  std::string_view unit;
  double step = 1;  // in values

  std::vector<double> Ticks() const;     // values, from 0 to top
  std::string Label(double tick) const;  // in units: "0.5", "20"
};

// Of 0 to `largest` (anything: what is not finite and positive is a small span), ending at a tick
// for bytes, and with the last value for times.
Axis BytesAxis(double largest);
Axis TimeAxis(double longest_s);

}  // namespace holostat::app
