#pragma once

#include <span>

#include "holostat/frame_result.h"

namespace holostat::vision {

// Logits, rows * columns * landmarks; channel i belongs to landmark i.
struct Heatmap {
  std::span<const float> logits;
  int rows = 0;
  int columns = 0;
};

// Moves x and y of each landmark (fractions of the crop) to the centre of mass of its heatmap in
// the 7 x 7 cells around it, where the heatmap is sure there (0.5 or more). Cells count by their
// index, without half a cell. Landmarks outside the map stay as they are (docs/pipeline.md,
// "Landmarks", and "Where we differ" for the bound: the newer behaviour of the reference).
void RefineFromHeatmap(const Heatmap& heatmap, std::span<PoseLandmark> landmarks);

}  // namespace holostat::vision
