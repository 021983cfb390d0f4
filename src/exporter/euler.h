#pragma once

#include <array>
#include <cstdint>

#include "vision/rotation.h"

namespace holostat::exporter {

// Three different axes (0 x, 1 y, 2 z): a rotation is that about the first times that about the
// second times that about the third, as BVH lists its channels.
using AxisOrder = std::array<std::uint8_t, 3>;
using EulerAngles = std::array<double, 3>;  // degrees, in the order of the axes

// The angles of `rotation` that are nearest to `before`: of the two triples that there are, moved
// by full turns. So they run on where others leap by 360 degrees, and may leave -180..180. Where
// the second angle is a right angle the third stays.
EulerAngles EulerNear(const vision::Quaternion& rotation, const AxisOrder& order,
                      const EulerAngles& before);

}  // namespace holostat::exporter
