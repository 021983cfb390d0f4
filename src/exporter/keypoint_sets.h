#pragma once

#include <array>
#include <cstdint>

namespace holostat::exporter {

// Where the keypoints of other people's sets lie among ours (docs/formats.md).

// One of the body: the point itself, the middle of two, or none.
struct BodyKeypoint {
  std::int8_t first = -1, second = -1;
};

// OpenPose's BODY_25. Small toes have no counterpart.
inline constexpr std::array<BodyKeypoint, 25> kBody25{{
    {0},  {11, 12}, {12}, {14}, {16}, {11}, {13}, {15}, {23, 24}, {24}, {26}, {28}, {23},
    {25}, {27},     {5},  {2},  {8},  {7},  {31}, {},   {29},     {32}, {},   {30},
}};

// COCO's 17 of the body, and COCO-WholeBody's 6 of the feet.
inline constexpr std::array<BodyKeypoint, 17> kCocoBody{{
    {0},
    {2},
    {5},
    {7},
    {8},
    {11},
    {12},
    {13},
    {14},
    {15},
    {16},
    {23},
    {24},
    {25},
    {26},
    {27},
    {28},
}};
inline constexpr std::array<BodyKeypoint, 6> kCocoFeet{{{31}, {}, {29}, {32}, {}, {30}}};

// The 68 points of the face that both know (iBUG 300-W order): jaw from the person's right to the
// left, brows, bridge and foot of the nose, eyes, outer and inner lips. Each is a point of the mesh
// that lies on the same contour; the right half is the mirror of the left (a test looks).
inline constexpr std::array<std::uint16_t, 68> kFace68{
    127, 234, 93,  58,  172, 136, 149, 148, 152, 377, 378, 365, 397, 288, 323, 454, 356,  // jaw
    70,  63,  105, 66,  107, 336, 296, 334, 293, 300,                                     // brows
    168, 197, 5,   4,   98,  97,  2,   326, 327,                                          // nose
    33,  160, 158, 133, 153, 144, 362, 385, 387, 263, 373, 380,                           // eyes
    61,  39,  37,  0,   267, 269, 291, 405, 314, 17,  84,  181,  // outer lips
    78,  81,  13,  311, 308, 402, 14,  178,                      // inner
};

// OpenPose has the pupils behind them, the person's right one first: the centres of the irises.
inline constexpr std::array<std::uint16_t, 2> kPupils{468, 473};

}  // namespace holostat::exporter
