#include "vision/rotation.h"

#include <gtest/gtest.h>

#include <random>

namespace holostat::vision {
namespace {

Quaternion Random(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const Quaternion q{normal(random), normal(random), normal(random), normal(random)};
  const double length = std::sqrt(Dot(q, q));
  return {q.w / length, q.x / length, q.y / length, q.z / length};
}

void ExpectNear(const Vec3& a, const Vec3& b) { EXPECT_LT(Length(a - b), 1e-9); }

TEST(Rotation, TurnsByTheRightHandRule) {
  ExpectNear(AboutAxis({0, 0, 1}, 90 / kDegrees).Rotate({1, 0, 0}), {0, 1, 0});
  ExpectNear(AboutAxis({0, 1, 0}, 90 / kDegrees).Rotate({0, 0, 1}), {1, 0, 0});
  const Quaternion first = AboutAxis({0, 0, 1}, 1), second = AboutAxis({1, 0, 0}, 2);
  ExpectNear((second * first).Rotate({1, 2, 3}), second.Rotate(first.Rotate({1, 2, 3})));
}

TEST(Rotation, IsRestoredFromItsAxes) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    const Quaternion q = Random(random);
    const Quaternion again =
        FromAxes(q.Rotate({1, 0, 0}), q.Rotate({0, 1, 0}), q.Rotate({0, 0, 1}));
    EXPECT_LT(AngleDegrees(q, again), 1e-5);
  }
  for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
    const Quaternion half = AboutAxis(axis, std::numbers::pi);
    EXPECT_LT(AngleDegrees(half, FromAxes(half.Rotate({1, 0, 0}), half.Rotate({0, 1, 0}),
                                          half.Rotate({0, 0, 1}))),
              1e-5);
  }
}

TEST(Rotation, BetweenIsTheShortestTurnAlsoToTheOpposite) {
  const Vec3 x{1, 0, 0};
  EXPECT_NEAR(AngleDegrees({}, Between(x, {0, 1, 0})), 90, 1e-9);
  for (const Vec3& v : {x, Vec3{0, 1, 0}, Vec3{0.6, 0, 0.8}}) {
    ExpectNear(Between(v, -v).Rotate(v), -v);
    ExpectNear(Between(v, v).Rotate(v), v);
  }
}

TEST(Rotation, SlerpGoesEvenlyAndTheShorterWay) {
  const Quaternion a = AboutAxis({0, 1, 0}, 0.2), b = AboutAxis({0, 1, 0}, 1.2);
  const Quaternion minus_b{-b.w, -b.x, -b.y, -b.z};
  EXPECT_LT(AngleDegrees(Slerp(a, minus_b, 0.3), AboutAxis({0, 1, 0}, 0.5)), 1e-5);
  EXPECT_LT(AngleDegrees(Slerp(a, a, 0.3), a), 1e-5);
}

TEST(Rotation, TwistIsThePartAboutTheAxis) {
  const Quaternion swing = AboutAxis({0, 0, 1}, 0.7), twist = AboutAxis({1, 0, 0}, -0.4);
  EXPECT_LT(AngleDegrees(Twist(swing * twist, {1, 0, 0}), twist), 1e-5);
}

TEST(Rotation, WhatHasNoDirectionHasNoUnit) {
  EXPECT_FALSE(Unit({0, 0, 0}));
  EXPECT_FALSE(Unit({std::nan(""), 0, 1}));
  EXPECT_FALSE(Unit({HUGE_VAL, 0, 1}));
  EXPECT_EQ(AngleDegrees(Vec3{0, 0, 0}, Vec3{1, 0, 0}), 0);
}

}  // namespace
}  // namespace holostat::vision
