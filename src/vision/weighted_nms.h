#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vision/detection.h"

namespace holostat::vision {

// Intersection over union of two boxes; 0 when they only touch or have no area.
float OverlapOf(const Detection& a, const Detection& b);

// Non-maximum suppression that blends instead of dropping: each detection it gives has the score of
// the surest of a cluster, and box and keypoints averaged over the cluster by score
// (docs/pipeline.md, "Detections"). A cluster is everything that overlaps its surest member by more
// than 0.3.
//
// Of equal scores the earlier one counts as surer, which the reference leaves open.
class WeightedNms {
 public:
  explicit WeightedNms(std::size_t capacity) : order_(capacity) {}

  // Writes the clusters to `out`, surest first, and returns how many. Those that do not fit are
  // dropped: the least sure ones. No heap call. REQUIRES: candidates.size() <= capacity.
  std::size_t Run(std::span<const Detection> candidates, std::span<Detection> out);

 private:
  std::vector<std::uint32_t> order_;  // candidates still to be clustered, surest first
};

}  // namespace holostat::vision
