#include "vision/crop.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "media/opencv_warp.h"
#include "media/warp.h"

namespace holostat::vision {
namespace {

// Far beyond any landmark a model gives, and small enough that no product below overflows.
constexpr float kFarthest = 1e6f;

bool IsSane(const NormalizedRect& r) {
  // Written so that NaN fails.
  return std::abs(r.x_center) <= kFarthest && std::abs(r.y_center) <= kFarthest && r.width > 0 &&
         r.width <= kFarthest && r.height > 0 && r.height <= kFarthest && std::isfinite(r.rotation);
}

// Through three corners in float32 and a turn in degrees, as the reference makes them: it matters,
// since a position that rounds to another 1/32 pixel shows in the landmarks.
media::Affine OpenCvMatrix(const PixelRegion& region, int tensor_width, int tensor_height) {
  const float degrees =
      static_cast<float>(static_cast<double>(region.rotation * 180.0f) / std::numbers::pi);
  const double turn = static_cast<double>(degrees) * std::numbers::pi / 180.0;
  const float c = static_cast<float>(std::cos(turn)) * 0.5f;
  const float s = static_cast<float>(std::sin(turn)) * 0.5f;
  const Point top_left{region.center_x + s * region.height - c * region.width,
                       region.center_y - c * region.height - s * region.width};
  const Point bottom_left{region.center_x - s * region.height - c * region.width,
                          region.center_y + c * region.height - s * region.width};
  const Point top_right{2 * region.center_x - bottom_left.x, 2 * region.center_y - bottom_left.y};
  const double left = static_cast<double>(top_left.x), top = static_cast<double>(top_left.y);
  return {(static_cast<double>(top_right.x) - left) / tensor_width,
          (static_cast<double>(bottom_left.x) - left) / tensor_height,
          left,
          (static_cast<double>(top_right.y) - top) / tensor_width,
          (static_cast<double>(bottom_left.y) - top) / tensor_height,
          top};
}

}  // namespace

PixelRegion WholeImage(ImageSize image) {
  const float width = static_cast<float>(image.width);
  const float height = static_cast<float>(image.height);
  return {0.5f * width, 0.5f * height, width, height, 0};
}

std::optional<PixelRegion> ToPixels(const NormalizedRect& rect, ImageSize image) {
  if (!IsSane(rect)) return std::nullopt;
  const float width = static_cast<float>(image.width);
  const float height = static_cast<float>(image.height);
  return PixelRegion{rect.x_center * width, rect.y_center * height, rect.width * width,
                     rect.height * height, rect.rotation};
}

Padding PadToAspect(PixelRegion& region, int tensor_width, int tensor_height) {
  const float tensor_aspect = static_cast<float>(tensor_height) / static_cast<float>(tensor_width);
  const float region_aspect = region.height / region.width;
  Padding padding;
  if (tensor_aspect > region_aspect) {
    padding.top = padding.bottom = (1.0f - region_aspect / tensor_aspect) / 2.0f;
    region.height = region.width * tensor_aspect;
  } else {
    padding.left = padding.right = (1.0f - tensor_aspect / region_aspect) / 2.0f;
    region.width = region.height / tensor_aspect;
  }
  return padding;
}

media::Affine SamplingMatrix(const PixelRegion& region, int tensor_width, int tensor_height,
                             Sampling sampling) {
  if (sampling == Sampling::kOpenCv) return OpenCvMatrix(region, tensor_width, tensor_height);
  const double c = std::cos(static_cast<double>(region.rotation));
  const double s = std::sin(static_cast<double>(region.rotation));
  const double width = static_cast<double>(region.width);
  const double height = static_cast<double>(region.height);
  const double left = static_cast<double>(region.center_x) - width / 2 * c + height / 2 * s;
  const double top = static_cast<double>(region.center_y) - width / 2 * s - height / 2 * c;
  const media::Affine m = {width * c / tensor_width, -height * s / tensor_height, left,
                           width * s / tensor_width, height * c / tensor_height,  top};
  return {m[0], m[1], m[2] + 0.5 * (m[0] + m[1]) - 0.5,
          m[3], m[4], m[5] + 0.5 * (m[3] + m[4]) - 0.5};
}

void SampleRegion(const ImageView& image, const PixelRegion& region, Sampling sampling,
                  media::Border border, const media::TensorTarget& target) {
  const media::Affine m = SamplingMatrix(region, target.width, target.height, sampling);
  if (sampling == Sampling::kOpenCv) {
    media::OpenCvWarpToTensor(image, m, border, target);
  } else {
    media::WarpToTensor(image, m, border, target);
  }
}

Matrix2x3 RegionToImage(const PixelRegion& region, ImageSize image) {
  const float a = region.width, b = region.height;
  const float c = std::cos(region.rotation), d = std::sin(region.rotation);
  const float per_width = 1.0f / static_cast<float>(image.width);
  const float per_height = 1.0f / static_cast<float>(image.height);
  return {a * c * per_width,
          -b * d * per_width,
          (-0.5f * a * c + 0.5f * b * d + region.center_x) * per_width,
          a * d * per_height,
          b * c * per_height,
          (-0.5f * b * c - 0.5f * a * d + region.center_y) * per_height};
}

Matrix2x3 ImageToRegion(const PixelRegion& region, ImageSize image) {
  const Matrix2x3 narrow = RegionToImage(region, image);
  std::array<double, 6> m;
  std::copy(narrow.begin(), narrow.end(), m.begin());
  const double determinant = m[0] * m[4] - m[1] * m[3];
  const double a = m[4] / determinant, b = -m[1] / determinant;
  const double c = -m[3] / determinant, d = m[0] / determinant;
  return {static_cast<float>(a), static_cast<float>(b), static_cast<float>(-a * m[2] - b * m[5]),
          static_cast<float>(c), static_cast<float>(d), static_cast<float>(-c * m[2] - d * m[5])};
}

Point Apply(const Matrix2x3& matrix, Point p) {
  return {p.x * matrix[0] + p.y * matrix[1] + matrix[2],
          p.x * matrix[3] + p.y * matrix[4] + matrix[5]};
}

}  // namespace holostat::vision
