#pragma once

#include <cstdint>
#include <iterator>
#include <string_view>

namespace holostat::render {

struct Rgb {
  std::uint8_t r = 0, g = 0, b = 0;
};

// What a line stands for. The overlay and the SVG take its colour from here; in the SVG it is also
// the CSS class of the line (docs/drawing.md). Left is warm, right is cool.
enum class Tone : std::uint8_t {
  kHalo = 1,  // under every line, so that it reads on any ground
  kCore,      // the middle of a joint
  kMiddle,    // joins left and right
  kLeft,
  kRight,
  kLeftPalm,
  kLeftThumb,
  kLeftIndex,
  kLeftMiddle,
  kLeftRing,
  kLeftPinky,
  kRightPalm,
  kRightThumb,
  kRightIndex,
  kRightMiddle,
  kRightRing,
  kRightPinky,
  kMesh,
  kOval,
  kLips,
  kLeftEye,
  kRightEye,
  kLeftIris,
  kRightIris,
};
inline constexpr int kToneCount = 24;

struct ToneStyle {
  std::string_view css_class;
  Rgb color;
  float opacity = 1;
};

inline constexpr ToneStyle kToneStyles[kToneCount] = {
    {"halo", {0x0b, 0x10, 0x20}, 0.6f},   {"core", {0xff, 0xff, 0xff}},
    {"middle", {0xf4, 0xf1, 0xea}},       {"left", {0xff, 0x8a, 0x3d}},
    {"right", {0x35, 0xb6, 0xff}},        {"left-palm", {0xff, 0xe0, 0xbd}},
    {"left-thumb", {0xff, 0xe0, 0x4d}},   {"left-index", {0xff, 0xbe, 0x3d}},
    {"left-middle", {0xff, 0x9a, 0x70}},  {"left-ring", {0xff, 0x6b, 0x5e}},
    {"left-pinky", {0xff, 0x5c, 0x9a}},   {"right-palm", {0xc8, 0xe6, 0xff}},
    {"right-thumb", {0x7c, 0xf5, 0xa5}},  {"right-index", {0x3f, 0xe0, 0xc5}},
    {"right-middle", {0x62, 0xd4, 0xff}}, {"right-ring", {0x82, 0x9c, 0xff}},
    {"right-pinky", {0xc0, 0x8b, 0xff}},  {"mesh", {0xff, 0xff, 0xff}, 0.32f},
    {"oval", {0xf4, 0xf1, 0xea}},         {"lips", {0xff, 0x5c, 0x7a}},
    {"left-eye", {0xff, 0xb8, 0x70}},     {"right-eye", {0x7c, 0xcb, 0xff}},
    {"left-iris", {0xff, 0xe8, 0x6a}},    {"right-iris", {0x9c, 0xff, 0xf0}},
};

constexpr const ToneStyle& StyleOf(Tone tone) { return kToneStyles[static_cast<int>(tone) - 1]; }

inline constexpr Rgb kPersonColors[] = {{0x19, 0xc3, 0xb2},
                                        {0x9b, 0x6b, 0xff},
                                        {0xff, 0xb0, 0x2e},
                                        {0x4f, 0x9d, 0xff},
                                        {0xff, 0x5f, 0x8f}};

// Of the mask and the label of the person with that id, from frame to frame.
constexpr Rgb PersonColor(int id) {
  constexpr int kCount = std::size(kPersonColors);
  return kPersonColors[(id > 0 ? id - 1 : 0) % kCount];
}

}  // namespace holostat::render
