#include "vision/detection_decoder.h"

#include <algorithm>

#include "base/check.h"
#include "vision/activation.h"

namespace holostat::vision {
namespace {

constexpr float kScoreClip = 100;

Detection DecodeOne(const float* row, std::size_t keypoint_count, float scale, Point anchor) {
  const float center_x = row[0] / scale + anchor.x;
  const float center_y = row[1] / scale + anchor.y;
  Detection d;
  d.width = row[2] / scale;
  d.height = row[3] / scale;
  d.x_min = center_x - d.width / 2;
  d.y_min = center_y - d.height / 2;
  for (std::size_t k = 0; k < keypoint_count; ++k) {
    const float* xy = row + kBoxValues + 2 * k;
    d.keypoints[k] = {xy[0] / scale + anchor.x, xy[1] / scale + anchor.y};
  }
  return d;
}

}  // namespace

std::size_t DecodeDetections(const RawDetections& raw, std::span<const Point> anchors,
                             float min_score, std::span<Detection> out) {
  const std::size_t row_size = kBoxValues + 2 * raw.keypoint_count;
  HOLO_CHECK(raw.keypoint_count <= kMaxDetectionKeypoints);
  HOLO_CHECK(raw.scores.size() == anchors.size() && out.size() >= anchors.size());
  HOLO_CHECK(raw.boxes.size() == anchors.size() * row_size);
  std::size_t count = 0;
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    const float score = Sigmoid(std::clamp(raw.scores[i], -kScoreClip, kScoreClip));
    if (!(score >= min_score)) continue;
    Detection d = DecodeOne(&raw.boxes[i * row_size], raw.keypoint_count,
                            static_cast<float>(raw.input_size), anchors[i]);
    d.score = score;
    if (!(d.width >= 0) || !(d.height >= 0)) continue;
    out[count++] = d;
  }
  return count;
}

}  // namespace holostat::vision
