#pragma once

#include <array>

namespace holostat::vision {

// All geometry between two stages is float32, as in the reference pipeline
// (docs/pipeline.md): a wider type would give other roundings, thus other crops and other
// landmarks.

struct ImageSize {
  int width = 0;   // pixels
  int height = 0;  // pixels
  bool operator==(const ImageSize&) const = default;
};

struct Point {
  float x = 0, y = 0;
};

// A rotated rectangle in fractions of a picture: x fields of its width, y fields of its height.
// Rotation in radians, clockwise on the screen.
struct NormalizedRect {
  float x_center = 0, y_center = 0;
  float width = 0, height = 0;
  float rotation = 0;
};

// The angle as one of [-pi, pi).
float NormalizeRadians(float angle);

// How the direction from `from` to `to` (fractions of the picture) is turned away from
// `target_degrees`, where 0 points right and 90 up: the rotation of a region that shall see it so.
float RotationBetween(Point from, Point to, float target_degrees, ImageSize image);

// A change of a rectangle, applied in this order: move by (shift_x, shift_y) of its sides along its
// own axes, extend the shorter side to the longer (in pixels), scale both sides.
struct RectTransform {
  float scale = 1;
  float shift_x = 0;
  float shift_y = 0;
};
NormalizedRect Transformed(const NormalizedRect& rect, const RectTransform& transform,
                           ImageSize image);

}  // namespace holostat::vision
