#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace holostat::render {

// The face as a net of triangles between its 468 landmarks, the same for every face. Its only edge
// is the oval; openings of mouth and eyes are filled.

// Where a landmark lies in a face that is unrolled flat: fractions, origin top left.
struct TexturePlace {
  float u = 0, v = 0;
};

using Triangle = std::array<std::uint16_t, 3>;  // landmarks

std::span<const TexturePlace> FaceTexturePlaces();  // 468
// 898. Unrolled, and in a picture of a face seen from the front, each has a negative
// (b - a) x (c - a), x to the right and y down.
std::span<const Triangle> FaceTriangles();
// The first 852 of them: all but what fills mouth and eyes.
std::span<const Triangle> FaceSkinTriangles();

// Landmarks of closed lines, each joined to the next and the last to the first.
std::span<const std::uint16_t> FaceOvalLoop();       // 36: the edge of the net
std::span<const std::uint16_t> FaceInnerLipsLoop();  // 20: the edge of the open mouth
std::span<const std::uint16_t> FaceOuterLipsLoop();  // 20
std::span<const std::uint16_t> FaceRightEyeLoop();   // 16: the lids' edge, the person's right
std::span<const std::uint16_t> FaceLeftEyeLoop();    // 16

}  // namespace holostat::render
