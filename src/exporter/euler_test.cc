#include "exporter/euler.h"

#include <gtest/gtest.h>

#include <random>

namespace holostat::exporter {
namespace {

using vision::AboutAxis;
using vision::AngleDegrees;
using vision::kDegrees;
using vision::Quaternion;
using vision::Vec3;

constexpr std::array<AxisOrder, 6> kOrders{
    {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}};
constexpr std::array<Vec3, 3> kAxes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

Quaternion Compose(const EulerAngles& angles, const AxisOrder& order) {
  Quaternion q;
  for (std::size_t n = 0; n < 3; ++n) q = q * AboutAxis(kAxes[order[n]], angles[n] / kDegrees);
  return q;
}

TEST(EulerNear, GivesTheRotationBackInEveryOrder) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> angle(-180, 180);
  for (const AxisOrder& order : kOrders) {
    for (int i = 0; i < 500; ++i) {
      const EulerAngles truth{angle(random), angle(random), angle(random)};
      const EulerAngles before{angle(random), angle(random), angle(random)};
      const EulerAngles angles = EulerNear(Compose(truth, order), order, before);
      EXPECT_LT(AngleDegrees(Compose(angles, order), Compose(truth, order)), 1e-4);
      EXPECT_LE(std::abs(angles[1] - before[1]), 360);
      EXPECT_LE(std::abs(angles[0] - before[0]), 180.001);
    }
  }
}

TEST(EulerNear, RunsOnThroughFullTurns) {
  const AxisOrder order{2, 0, 1};
  EulerAngles angles{};
  for (int degree = 0; degree <= 1000; degree += 10) {
    const EulerAngles next = EulerNear(Compose({10, 20, double(degree)}, order), order, angles);
    if (degree > 0) {
      for (std::size_t n = 0; n < 3; ++n) EXPECT_LT(std::abs(next[n] - angles[n]), 10.001);
    }
    angles = next;
  }
  EXPECT_NEAR(angles[2], 1000, 1e-6);
}

TEST(EulerNear, PassesTheLockedAngleWithoutALeap) {
  for (const AxisOrder& order : kOrders) {
    EulerAngles angles{15, 80, -20};
    for (int degree = 80; degree <= 100; ++degree) {  // over the right angle
      const EulerAngles truth{15, double(degree), -20};
      const EulerAngles next = EulerNear(Compose(truth, order), order, angles);
      EXPECT_LT(AngleDegrees(Compose(next, order), Compose(truth, order)), 1e-4);
      for (std::size_t n = 0; n < 3; ++n) EXPECT_NEAR(next[n], truth[n], 1e-3);
      angles = next;
    }
  }
}

}  // namespace
}  // namespace holostat::exporter
