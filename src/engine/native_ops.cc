#include "engine/native_ops.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace holostat::engine {
namespace {

struct Point {
  float x, y;
};

Point Rotated(Point p, float cosine, float sine) {
  return {p.x * cosine - p.y * sine, p.x * sine + p.y * cosine};
}

// The box around the subset of landmarks after turning them about the origin.
struct Box {
  Point min{std::numeric_limits<float>::max(), std::numeric_limits<float>::max()};
  Point max{std::numeric_limits<float>::lowest(), std::numeric_limits<float>::lowest()};

  void Include(Point p) {
    min = {std::min(min.x, p.x), std::min(min.y, p.y)};
    max = {std::max(max.x, p.x), std::max(max.y, p.y)};
  }
};

// Where a bilinear sample stands in one direction.
struct Sample {
  std::size_t low, high;  // the pixels on either side
  float weight;           // of the high one
};

// REQUIRES: 0 <= position <= size - 1. At the last pixel there is none beyond: its weight is 0 and
// any pixel may stand for it.
Sample SampleAt(float position, std::size_t size) {
  const float floor = std::floor(position);
  const auto low = static_cast<std::size_t>(floor);
  return {low, std::min(low + 1, size - 1), position - floor};
}

float Lerp(float a, float b, float weight) { return a + (b - a) * weight; }

// First along x in both rows, then along y.
void BlendPixel(std::span<const float> input, const PictureSize& size, const Sample& x,
                const Sample& y, float* output) {
  const auto pixel = [&](std::size_t column, std::size_t row) {
    return input.data() + (row * size.width + column) * size.channels;
  };
  const float* const top_left = pixel(x.low, y.low);
  const float* const top_right = pixel(x.high, y.low);
  const float* const bottom_left = pixel(x.low, y.high);
  const float* const bottom_right = pixel(x.high, y.high);
  for (std::size_t c = 0; c < size.channels; ++c) {
    const float top = Lerp(top_left[c], top_right[c], x.weight);
    const float bottom = Lerp(bottom_left[c], bottom_right[c], x.weight);
    output[c] = Lerp(top, bottom, y.weight);
  }
}

}  // namespace

void LandmarksToTransformMatrix(const LandmarksToMatrixAttributes& options,
                                std::span<const float> landmarks, std::size_t dimension,
                                std::span<float, 16> matrix) {
  const auto landmark = [&](std::int32_t index) {
    const std::size_t at = static_cast<std::size_t>(index) * dimension;
    return Point{landmarks[at], landmarks[at + 1]};
  };
  const Point left = landmark(options.left_rotation_index);
  const Point right = landmark(options.right_rotation_index);
  const float angle =
      options.target_rotation_radians - std::atan2(right.y - left.y, right.x - left.x);
  const float cosine = std::cos(angle);
  const float sine = std::sin(angle);

  Box box;
  for (const std::int32_t index : options.subset) {
    box.Include(Rotated(landmark(index), cosine, sine));
  }
  const Point turned_center{(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2};
  const Point center = Rotated(turned_center, cosine, -sine);

  const auto height = static_cast<float>(options.output_height);
  const auto width = static_cast<float>(options.output_width);
  const float scale_x = options.scale_x * (box.max.x - box.min.x) / width;
  const float scale_y = options.scale_y * (box.max.y - box.min.y) / height;

  // Shift(center) * Rotate(-angle) * Scale * Shift(-width / 2, -height / 2)
  const float m00 = cosine * scale_x, m01 = sine * scale_y;
  const float m10 = -sine * scale_x, m11 = cosine * scale_y;
  const float m03 = center.x - m00 * width / 2 - m01 * height / 2;
  const float m13 = center.y - m10 * width / 2 - m11 * height / 2;
  const std::array<float, 16> rows = {m00, m01, 0, m03, m10, m11, 0, m13,  //
                                      0,   0,   1, 0,   0,   0,   0, 1};
  std::ranges::copy(rows, matrix.begin());
}

void TransformTensorBilinear(std::span<const float> input, const PictureSize& input_size,
                             Matrix4 matrix, std::span<float> output,
                             const PictureSize& output_size) {
  const auto last_x = static_cast<float>(input_size.width - 1);
  const auto last_y = static_cast<float>(input_size.height - 1);
  // Pixel centres at +0.5 on both sides, folded into the translation.
  const float shift_x = matrix[3] + 0.5F * matrix[0] + 0.5F * matrix[1] - 0.5F;
  const float shift_y = matrix[7] + 0.5F * matrix[4] + 0.5F * matrix[5] - 0.5F;

  float* to = output.data();
  for (std::size_t row = 0; row < output_size.height; ++row) {
    for (std::size_t column = 0; column < output_size.width; ++column) {
      const auto u = static_cast<float>(column);
      const auto v = static_cast<float>(row);
      const float x = matrix[0] * u + matrix[1] * v + shift_x;
      const float y = matrix[4] * u + matrix[5] * v + shift_y;
      // Said so that NaN, which compares false with everything, is outside too.
      if (x >= 0 && x <= last_x && y >= 0 && y <= last_y) {
        BlendPixel(input, input_size, SampleAt(x, input_size.width), SampleAt(y, input_size.height),
                   to);
      } else {
        std::fill_n(to, input_size.channels, 0.0F);
      }
      to += input_size.channels;
    }
  }
}

void TransformLandmarks(std::span<const float> landmarks, std::size_t dimension, Matrix4 matrix,
                        std::span<float> output) {
  for (std::size_t at = 0; at + dimension <= landmarks.size(); at += dimension) {
    const float x = landmarks[at];
    const float y = landmarks[at + 1];
    output[at] = matrix[0] * x + matrix[1] * y + matrix[3];
    output[at + 1] = matrix[4] * x + matrix[5] * y + matrix[7];
    for (std::size_t i = 2; i < dimension; ++i) output[at + i] = landmarks[at + i];
  }
}

void CopySlice(const float* input, const Shape& input_shape, const Shape& begin, float* output,
               const Shape& output_shape) {
  if (output_shape.empty()) {
    *output = *input;
    return;
  }
  const auto run = static_cast<std::size_t>(output_shape.back());
  const std::size_t rows = ElementCount(output_shape) / run;
  for (std::size_t row = 0; row < rows; ++row) {
    // The position of the row in the output, dimension by dimension from the innermost, and from
    // it that in the input.
    std::size_t left = row;
    std::size_t offset = static_cast<std::size_t>(begin.back());
    std::size_t stride = static_cast<std::size_t>(input_shape.back());
    for (std::size_t i = output_shape.size() - 1; i-- > 0;) {
      const auto size = static_cast<std::size_t>(output_shape[i]);
      offset += (left % size + static_cast<std::size_t>(begin[i])) * stride;
      stride *= static_cast<std::size_t>(input_shape[i]);
      left /= size;
    }
    std::copy_n(input + offset, run, output + row * run);
  }
}

void CopyRuns(const float* input, std::size_t outer, std::size_t run, float* output,
              std::size_t stride) {
  for (std::size_t i = 0; i < outer; ++i) {
    std::copy_n(input + i * run, run, output + i * stride);
  }
}

}  // namespace holostat::engine
