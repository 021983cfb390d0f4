#include "vision/projection.h"

#include <algorithm>
#include <array>

namespace holostat::vision {

Detection RemoveLetterbox(const Padding& padding, const Detection& detection) {
  const float inner_width = 1.0f - (padding.left + padding.right);
  const float inner_height = 1.0f - (padding.top + padding.bottom);
  Detection out = detection;
  out.x_min = (detection.x_min - padding.left) / inner_width;
  out.y_min = (detection.y_min - padding.top) / inner_height;
  out.width = detection.width / inner_width;
  out.height = detection.height / inner_height;
  for (Point& p : out.keypoints) {
    p = {(p.x - padding.left) / inner_width, (p.y - padding.top) / inner_height};
  }
  return out;
}

Detection ProjectToImage(const Matrix2x3& region_to_image, const Detection& detection) {
  Detection out = detection;
  for (Point& p : out.keypoints) p = Apply(region_to_image, p);
  const float x_max = detection.x_min + detection.width;
  const float y_max = detection.y_min + detection.height;
  const std::array<Point, 4> corners = {Apply(region_to_image, {detection.x_min, detection.y_min}),
                                        Apply(region_to_image, {x_max, detection.y_min}),
                                        Apply(region_to_image, {x_max, y_max}),
                                        Apply(region_to_image, {detection.x_min, y_max})};
  Point low = corners[0], high = corners[0];
  for (Point p : corners) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  out.x_min = low.x;
  out.y_min = low.y;
  out.width = high.x - low.x;
  out.height = high.y - low.y;
  return out;
}

}  // namespace holostat::vision
