#include "app/plot_scale.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace holostat::app {
namespace {

struct Unit {
  double size;
  std::string_view name;
};
constexpr std::array kBytes{Unit{1024.0 * 1024 * 1024, "GB"}, Unit{1024.0 * 1024, "MB"},
                            Unit{1024.0, "kB"}};
constexpr std::array kTimes{Unit{86400, "d"}, Unit{3600, "h"}, Unit{60, "min"}, Unit{1, "s"}};

// The largest unit of which there are at least two; else the smallest.
template <class Units>
Unit ChooseUnit(const Units& units, double largest) {
  for (const Unit& unit : units) {
    if (largest >= 2 * unit.size) return unit;
  }
  return units.back();
}

template <class Units>
Axis MakeAxis(const Units& units, double largest) {
  if (!(largest > 0 && largest < 1e18)) largest = units.back().size;
  const Unit unit = ChooseUnit(units, largest);
  return {.top = largest,
          .unit_size = unit.size,
          .unit = unit.name,
          .step = NiceStep(largest / unit.size) * unit.size};
}

}  // namespace

double NiceStep(double span) {
  const double power = std::pow(10, std::floor(std::log10(span / 5)));
  const double rest = span / 5 / power;  // 1 <= rest < 10
  return power * (rest < 1.5 ? 1 : rest < 3 ? 2 : rest < 7 ? 5 : 10);
}

std::vector<double> Axis::Ticks() const {
  std::vector<double> ticks;
  for (int i = 0; i * step <= top * (1 + 1e-9); ++i) ticks.push_back(i * step);
  return ticks;
}

std::string Axis::Label(double tick) const { return fmt::format("{:.6g}", tick / unit_size); }

Axis BytesAxis(double largest) {
  Axis axis = MakeAxis(kBytes, largest);
  axis.top = std::ceil(axis.top / axis.step * (1 - 1e-9)) * axis.step;
  return axis;
}

Axis TimeAxis(double longest_s) { return MakeAxis(kTimes, longest_s); }

}  // namespace holostat::app
