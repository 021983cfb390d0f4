#include "vision/anchors.h"

namespace holostat::vision {

std::vector<Point> MakeAnchors(int input_size, std::span<const AnchorLayer> layers) {
  std::vector<Point> anchors;
  for (const AnchorLayer& layer : layers) {
    const int cells = (input_size + layer.stride - 1) / layer.stride;
    for (int y = 0; y < cells; ++y) {
      for (int x = 0; x < cells; ++x) {
        const Point center{(static_cast<float>(x) + 0.5f) / static_cast<float>(cells),
                           (static_cast<float>(y) + 0.5f) / static_cast<float>(cells)};
        anchors.insert(anchors.end(), static_cast<std::size_t>(layer.per_cell), center);
      }
    }
  }
  return anchors;
}

}  // namespace holostat::vision
