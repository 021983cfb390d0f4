#pragma once

#include <span>

#include "holostat/frame_result.h"
#include "render/overlay.h"
#include "render/palette.h"

namespace holostat::render {

// What a person looks like when drawn: the one plan that the overlay and the SVG both follow.

// A place in the picture in pixels; pixel (i, j) covers [i, i + 1) x [j, j + 1).
struct Point {
  double x = 0, y = 0;
  bool operator==(const Point&) const = default;
};

// A line with round ends. A dot has both ends in one place.
struct Segment {
  Point from, to;
};

struct Pen {
  Tone tone = Tone::kHalo;
  double width = 1;  // pixels; the diameter of a dot
};

enum class Part { kPose = 1, kFace, kLeftHand, kRightHand };

// Who draws the plan. Later strokes lie over earlier ones.
class Sketch {
 public:
  virtual ~Sketch() = default;
  virtual void BeginPart(Part part) = 0;
  // All segments as one shape of one colour. They are finite and at most one picture size outside
  // the picture; `segments` is valid during the call.
  virtual void Stroke(const Pen& pen, std::span<const Segment> segments) = 0;
  virtual void EndPart() = 0;
};

enum class Detail {
  kAll = 1,  // everything there is, as in a drawing that can be magnified
  kLegible,  // without what would run together at the size of the picture
};

struct FigureOptions {
  int width = 0;   // of the picture, pixels
  int height = 0;  // of the picture, pixels
  FaceStyle face = FaceStyle::kContours;
  float min_visibility = 0.5f;
  Detail detail = Detail::kAll;
};

// Draws `person`, part by part. Points that are not finite are left out with all their lines; lines
// that leave the surroundings of the picture are cut there. The pose's own points of a face or hand
// are only drawn where the detailed part is missing. Makes no heap call.
void DrawFigure(const Person& person, const FigureOptions& options, Sketch& sketch);

}  // namespace holostat::render
