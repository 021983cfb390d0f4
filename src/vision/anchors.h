#pragma once

#include <span>
#include <vector>

#include "vision/normalized_rect.h"

namespace holostat::vision {

// One grid of a single-shot detector.
struct AnchorLayer {
  int stride = 0;  // input pixels a cell
  int per_cell = 0;
};

// The centres of the anchors of a detector with a square input, in the order of its output: layer
// by layer, row by row, cell by cell. All anchors have the size of the input (docs/pipeline.md).
std::vector<Point> MakeAnchors(int input_size, std::span<const AnchorLayer> layers);

}  // namespace holostat::vision
