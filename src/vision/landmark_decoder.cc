#include "vision/landmark_decoder.h"

#include "base/check.h"
#include "vision/activation.h"

namespace holostat::vision {
namespace {

constexpr std::size_t kPoseRow = 5;

}  // namespace

void DecodeLandmarks(std::span<const float> raw, const LandmarkScale& scale,
                     std::span<Landmark> out) {
  const std::size_t row_size = raw.size() / out.size();
  HOLO_CHECK(row_size >= 2 && row_size * out.size() == raw.size());
  const float size = static_cast<float>(scale.input_size);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const float* row = &raw[i * row_size];
    out[i] = {row[0] / size, row[1] / size, row_size > 2 ? row[2] / size / scale.z_divisor : 0.0f};
  }
}

void DecodePoseLandmarks(std::span<const float> raw, int input_size, std::span<PoseLandmark> out) {
  HOLO_CHECK(raw.size() == kPoseRow * out.size());
  const float size = static_cast<float>(input_size);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const float* row = &raw[i * kPoseRow];
    out[i] = {row[0] / size, row[1] / size, row[2] / size, Sigmoid(row[3]), Sigmoid(row[4])};
  }
}

}  // namespace holostat::vision
