#include "vision/bones_side.h"

#include <utility>

namespace holostat::vision {
namespace {

constexpr Vec3 kX{1, 0, 0}, kY{0, 1, 0}, kDown{0, -1, 0};

// A limb that is nearly straight does not tell the plane in which it bends: between these angles
// that plane gains its say. Degrees.
struct BendRange {
  double from, to;
};
constexpr BendRange kElbow{10, 35}, kKnee{15, 40};

double Weight(const BendRange& range, double bend) {
  const double t = std::clamp((bend - range.from) / (range.to - range.from), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

std::optional<Vec3> Direction(const BodyPoints& body, std::size_t from, std::size_t to) {
  if (!body.Sees(from) || !body.Sees(to)) return std::nullopt;
  return Unit(body[to] - body[from]);
}

// Turned about nothing but what it takes to bring `rest` to `direction`; against `parent`.
Quaternion Swing(const Quaternion& parent, const Vec3& rest, const Vec3& direction) {
  return Between(rest, parent.Inverse().Rotate(direction));
}

// `swung` turned on about its `axis` by the share `weight` of the way to `bent`.
Quaternion TwistTowards(const Quaternion& swung, const Quaternion& bent, const Vec3& axis,
                        double weight) {
  return swung * Slerp({}, Twist(swung.Inverse() * bent, axis), weight);
}

// Two axes across each other; `z` gives way. Nothing where they are along one line.
std::optional<Quaternion> FrameOfXZ(const std::optional<Vec3>& x, const Vec3& z) {
  if (!x) return std::nullopt;
  const auto y = Unit(Cross(z, *x));
  if (!y) return std::nullopt;
  return FromAxes(*x, *y, Cross(*x, *y));
}

// How the upper arm is turned against the world. An elbow bends about its y axis, the forearm
// coming forward.
Quaternion UpperArm(const Quaternion& shoulder, const Vec3& upper,
                    const std::optional<Vec3>& fore) {
  const Quaternion swung = shoulder * Swing(shoulder, kX, upper);
  const auto hinge = fore ? Unit(Cross(*fore, upper)) : std::nullopt;
  if (!hinge) return swung;
  const Quaternion bent = FromAxes(upper, *hinge, Cross(upper, *hinge));
  return TwistTowards(swung, bent, kX, Weight(kElbow, AngleDegrees(upper, *fore)));
}

// Likewise; a knee bends about its x axis, the shin going back.
Quaternion UpperLeg(const Quaternion& hips, const Vec3& thigh, const std::optional<Vec3>& shin) {
  const Quaternion swung = hips * Swing(hips, kDown, thigh);
  const auto hinge = shin ? Unit(Cross(thigh, *shin)) : std::nullopt;
  if (!hinge) return swung;
  const Quaternion bent = FromAxes(*hinge, -thigh, Cross(*hinge, -thigh));
  return TwistTowards(swung, bent, kY, Weight(kKnee, AngleDegrees(thigh, *shin)));
}

// Against the world: x along the palm, z from the little finger's side to the thumb's.
std::optional<Quaternion> HandFrame(const BodyPoints& body, const HandPoints* hand) {
  if (hand) {
    const HandPoints& p = *hand;
    return FrameOfXZ(Unit(p[9] - p[0]), p[5] - p[17]);
  }
  if (!body.Sees(15) || !body.Sees(17) || !body.Sees(19)) return std::nullopt;
  return FrameOfXZ(Unit(Middle(body[17], body[19]) - body[15]), body[19] - body[17]);
}

// A palm turns over by the forearm as much as by the wrist: half of its twist each.
void TurnHand(const std::optional<Quaternion>& frame, Quaternion& lower_arm, SideRotations& side) {
  if (!frame) return;
  const Quaternion turn = Slerp({}, Twist(lower_arm.Inverse() * *frame, kX), 0.5);
  lower_arm = lower_arm * turn;
  side.lower_arm = *side.lower_arm * turn;
  side.hand = lower_arm.Inverse() * *frame;
}

void TurnArm(const BodyPoints& body, const std::optional<Quaternion>& hand_frame,
             const Quaternion& chest, SideRotations& side) {
  const auto collar = Direction(body, 12, 11);
  if (!collar) return;
  side.shoulder = Swing(chest, kX, *collar);
  const Quaternion shoulder = chest * *side.shoulder;
  const auto upper = Direction(body, 11, 13), fore = Direction(body, 13, 15);
  if (!upper) return;
  const Quaternion upper_arm = UpperArm(shoulder, *upper, fore);
  side.upper_arm = shoulder.Inverse() * upper_arm;
  if (!fore) return;
  side.lower_arm = Swing(upper_arm, kX, *fore);
  Quaternion lower_arm = upper_arm * *side.lower_arm;
  TurnHand(hand_frame, lower_arm, side);
}

void TurnLeg(const BodyPoints& body, const Quaternion& hips, SideRotations& side) {
  const auto thigh = Direction(body, 23, 25), shin = Direction(body, 25, 27);
  if (!thigh) return;
  const Quaternion upper_leg = UpperLeg(hips, *thigh, shin);
  side.upper_leg = hips.Inverse() * upper_leg;
  if (!shin) return;
  side.lower_leg = Swing(upper_leg, kDown, *shin);
  const Quaternion lower_leg = upper_leg * *side.lower_leg;
  const auto sole = Direction(body, 29, 31);
  if (!sole) return;
  const auto across = Unit(Cross(lower_leg.Rotate(kY), *sole));
  if (!across) return;
  const Quaternion foot = FromAxes(*across, Cross(*sole, *across), *sole);
  side.foot = lower_leg.Inverse() * foot;
}

// Each finger swings from where the one before it points; the thumb rests halfway between the
// fingers and straight ahead.
void TurnFingers(const HandPoints& p, const Quaternion& hand, SideRotations& side) {
  const double half = std::sqrt(0.5);
  for (std::size_t finger = 0; finger < 5; ++finger) {
    const Vec3 rest = finger == 0 ? Vec3{half, 0, half} : kX;
    Quaternion parent = hand;
    for (std::size_t joint = 0; joint < 3; ++joint) {
      const std::size_t from = 1 + 4 * finger + joint;
      const auto direction = Unit(p[from + 1] - p[from]);
      if (!direction) break;
      const Quaternion swing = Swing(parent, rest, *direction);
      side.fingers[3 * finger + joint] = swing;
      parent = parent * swing;
    }
  }
}

}  // namespace

SideRotations LeftSideOf(const BodyPoints& body, const HandPoints* hand, const SideRoots& roots) {
  SideRotations side;
  const auto hand_frame = HandFrame(body, hand);
  if (roots.chest) TurnArm(body, hand_frame, *roots.chest, side);
  if (roots.hips) TurnLeg(body, *roots.hips, side);
  if (hand && hand_frame) TurnFingers(*hand, *hand_frame, side);
  return side;
}

}  // namespace holostat::vision
