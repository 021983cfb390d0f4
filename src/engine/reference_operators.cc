#include "engine/reference_operators.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "base/check.h"

namespace holostat::engine::reference {

std::size_t Count(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, [](std::size_t n, int dim) {
    HOLO_CHECK(dim >= 1);
    return n * static_cast<std::size_t>(dim);
  });
}

namespace {

float Clamp(double value, OutputRange range) {
  const auto rounded = static_cast<float>(value);
  return std::min(std::max(rounded, range.min), range.max);
}

// An NHWC shape of batch 1, and where its elements lie.
struct Nhwc {
  explicit Nhwc(const Shape& shape) {
    HOLO_CHECK(shape.size() == 4 && shape[0] == 1);
    h = shape[1], w = shape[2], c = shape[3];
  }
  std::size_t At(int y, int x, int channel = 0) const {
    return (static_cast<std::size_t>(y) * static_cast<std::size_t>(w) +
            static_cast<std::size_t>(x)) *
               static_cast<std::size_t>(c) +
           static_cast<std::size_t>(channel);
  }
  int h, w, c;
};

// One axis of a sliding window: result position `o` sees source positions Source(o, 0..kernel-1),
// some of which lie in the padding, that is outside 0..in-1.
struct WindowAxis {
  WindowAxis(Padding padding, int in_size, int kernel_size, int stride_size, int dilation_size)
      : in(in_size), kernel(kernel_size), stride(stride_size), dilation(dilation_size) {
    HOLO_CHECK(kernel >= 1 && stride >= 1 && dilation >= 1);
    const int extent = (kernel - 1) * dilation + 1;
    if (padding == Padding::kSame) {
      out = (in + stride - 1) / stride;
      before = std::max((out - 1) * stride + extent - in, 0) / 2;
    } else {
      HOLO_CHECK(padding == Padding::kValid && in >= extent);
      out = (in - extent) / stride + 1;
    }
  }
  int Source(int o, int k) const { return o * stride - before + k * dilation; }
  bool Inside(int source) const { return source >= 0 && source < in; }

  int in, kernel, stride, dilation;
  int out = 0, before = 0;
};

// A filter OHWI as doubles in the order HWIO, in which the innermost loop runs over the outputs.
std::vector<double> ReorderFilter(const Values& filter, std::size_t outputs) {
  const std::size_t taps = filter.size() / outputs;
  std::vector<double> reordered(filter.size());
  for (std::size_t o = 0; o < outputs; ++o) {
    for (std::size_t t = 0; t < taps; ++t) {
      reordered[t * outputs + o] = static_cast<double>(filter[o * taps + t]);
    }
  }
  return reordered;
}

// sums[o] += source[i] * filter[i][o]. Nearly all of the time goes here, so that it is the one
// place without sanitizers: the caller has checked that all three lie in their vectors.
__attribute__((no_sanitize("address", "undefined"))) void AddTap(const float* source,
                                                                 const double* filter, int inputs,
                                                                 int outputs, double* sums) {
  for (int i = 0; i < inputs; ++i) {
    const auto value = static_cast<double>(source[i]);
    for (int o = 0; o < outputs; ++o) sums[o] += value * filter[o];
    filter += outputs;
  }
}

}  // namespace

Values Conv2D(Operand input, Operand filter, const Values* bias, const ConvAttributes& a,
              const Shape& result_shape) {
  const Nhwc in(input.shape), out(result_shape);
  HOLO_CHECK(filter.shape.size() == 4 && filter.shape[0] == out.c && filter.shape[3] == in.c);
  HOLO_CHECK(input.values.size() == Count(input.shape));
  HOLO_CHECK(filter.values.size() == Count(filter.shape));
  const WindowAxis rows(a.padding, in.h, filter.shape[1], a.stride_h, a.dilation_h);
  const WindowAxis columns(a.padding, in.w, filter.shape[2], a.stride_w, a.dilation_w);
  HOLO_CHECK(rows.out == out.h && columns.out == out.w);
  const auto outputs = static_cast<std::size_t>(out.c);
  HOLO_CHECK(bias == nullptr || bias->size() == outputs);
  const std::vector<double> taps = ReorderFilter(filter.values, outputs);
  const std::size_t tap_size = static_cast<std::size_t>(in.c) * outputs;

  Values result(Count(result_shape));
  std::vector<double> sums(outputs);
  for (int y = 0; y < out.h; ++y) {
    for (int x = 0; x < out.w; ++x) {
      std::fill(sums.begin(), sums.end(), 0.0);
      for (int ky = 0; ky < rows.kernel; ++ky) {
        for (int kx = 0; kx < columns.kernel; ++kx) {
          const int sy = rows.Source(y, ky), sx = columns.Source(x, kx);
          if (!rows.Inside(sy) || !columns.Inside(sx)) continue;
          const auto tap = static_cast<std::size_t>(ky * columns.kernel + kx);
          AddTap(&input.values[in.At(sy, sx)], &taps[tap * tap_size], in.c, out.c, sums.data());
        }
      }
      float* pixel = &result[out.At(y, x)];
      for (std::size_t c = 0; c < outputs; ++c) {
        pixel[c] = Clamp(sums[c] + (bias ? static_cast<double>((*bias)[c]) : 0.0), a.range);
      }
    }
  }
  return result;
}

Values DepthwiseConv2D(Operand input, Operand filter, const Values* bias, const ConvAttributes& a,
                       const Shape& result_shape) {
  const Nhwc in(input.shape), out(result_shape), taps(filter.shape);
  HOLO_CHECK(taps.c == in.c && out.c == in.c);
  const WindowAxis rows(a.padding, in.h, taps.h, a.stride_h, a.dilation_h);
  const WindowAxis columns(a.padding, in.w, taps.w, a.stride_w, a.dilation_w);
  HOLO_CHECK(rows.out == out.h && columns.out == out.w);
  HOLO_CHECK(bias == nullptr || bias->size() == static_cast<std::size_t>(out.c));

  Values result(Count(result_shape));
  for (int y = 0; y < out.h; ++y) {
    for (int x = 0; x < out.w; ++x) {
      for (int c = 0; c < out.c; ++c) {
        double sum = bias ? static_cast<double>((*bias)[static_cast<std::size_t>(c)]) : 0.0;
        for (int ky = 0; ky < rows.kernel; ++ky) {
          for (int kx = 0; kx < columns.kernel; ++kx) {
            const int sy = rows.Source(y, ky), sx = columns.Source(x, kx);
            if (!rows.Inside(sy) || !columns.Inside(sx)) continue;
            sum += static_cast<double>(input.values[in.At(sy, sx, c)]) *
                   static_cast<double>(filter.values[taps.At(ky, kx, c)]);
          }
        }
        result[out.At(y, x, c)] = Clamp(sum, a.range);
      }
    }
  }
  return result;
}

Values MaxPool2D(Operand input, const ConvAttributes& a, const Shape& result_shape) {
  const Nhwc in(input.shape), out(result_shape);
  const WindowAxis rows(a.padding, in.h, a.kernel_h, a.stride_h, a.dilation_h);
  const WindowAxis columns(a.padding, in.w, a.kernel_w, a.stride_w, a.dilation_w);
  HOLO_CHECK(rows.out == out.h && columns.out == out.w && out.c == in.c);

  Values result(Count(result_shape));
  for (int y = 0; y < out.h; ++y) {
    for (int x = 0; x < out.w; ++x) {
      for (int c = 0; c < out.c; ++c) {
        float best = -std::numeric_limits<float>::infinity();
        for (int ky = 0; ky < rows.kernel; ++ky) {
          for (int kx = 0; kx < columns.kernel; ++kx) {
            const int sy = rows.Source(y, ky), sx = columns.Source(x, kx);
            if (!rows.Inside(sy) || !columns.Inside(sx)) continue;
            best = std::max(best, input.values[in.At(sy, sx, c)]);
          }
        }
        result[out.At(y, x, c)] = Clamp(static_cast<double>(best), a.range);
      }
    }
  }
  return result;
}

Values FullyConnected(Operand input, Operand filter, const Values* bias, OutputRange range) {
  HOLO_CHECK(filter.shape.size() == 2);
  const auto outputs = static_cast<std::size_t>(filter.shape[0]);
  const auto inputs = static_cast<std::size_t>(filter.shape[1]);
  HOLO_CHECK(input.values.size() % inputs == 0 && (bias == nullptr || bias->size() == outputs));
  Values result;
  for (std::size_t row = 0; row < input.values.size(); row += inputs) {
    for (std::size_t o = 0; o < outputs; ++o) {
      double sum = bias ? static_cast<double>((*bias)[o]) : 0.0;
      for (std::size_t i = 0; i < inputs; ++i) {
        sum += static_cast<double>(input.values[row + i]) *
               static_cast<double>(filter.values[o * inputs + i]);
      }
      result.push_back(Clamp(sum, range));
    }
  }
  return result;
}

namespace {

// Calls visit(index) for every index vector of `shape`, the last dimension running fastest.
template <class Visit>
void ForEachIndex(const Shape& shape, Visit visit) {
  Shape index(shape.size(), 0);
  for (std::size_t remaining = Count(shape); remaining > 0; --remaining) {
    visit(std::as_const(index));
    for (std::size_t d = shape.size(); d-- > 0;) {
      if (++index[d] < shape[d]) break;
      index[d] = 0;
    }
  }
}

std::size_t Offset(const Shape& shape, const Shape& index) {
  std::size_t offset = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    HOLO_CHECK(index[d] >= 0 && index[d] < shape[d]);
    offset = offset * static_cast<std::size_t>(shape[d]) + static_cast<std::size_t>(index[d]);
  }
  return offset;
}

// Where an operand stands at `index` of a result it is broadcast to: shapes are aligned at their
// last dimensions, and a dimension of 1 repeats.
std::size_t BroadcastOffset(const Shape& shape, const Shape& index) {
  HOLO_CHECK(shape.size() <= index.size());
  const std::size_t missing = index.size() - shape.size();
  std::size_t offset = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const int position = shape[d] == 1 ? 0 : index[missing + d];
    HOLO_CHECK(position < shape[d]);
    offset = offset * static_cast<std::size_t>(shape[d]) + static_cast<std::size_t>(position);
  }
  return offset;
}

template <class Combine>
Values Elementwise(Operand a, Operand b, const Shape& result_shape, OutputRange range,
                   Combine combine) {
  Values result;
  result.reserve(Count(result_shape));
  ForEachIndex(result_shape, [&](const Shape& index) {
    const auto x = static_cast<double>(a.values[BroadcastOffset(a.shape, index)]);
    const auto y = static_cast<double>(b.values[BroadcastOffset(b.shape, index)]);
    result.push_back(Clamp(combine(x, y), range));
  });
  return result;
}

}  // namespace

Values Add(Operand a, Operand b, const Shape& result_shape, OutputRange range) {
  return Elementwise(a, b, result_shape, range, std::plus<>());
}

Values Multiply(Operand a, Operand b, const Shape& result_shape, OutputRange range) {
  return Elementwise(a, b, result_shape, range, std::multiplies<>());
}

Values ClampAll(const Values& values, OutputRange range) {
  Values result(values.size());
  std::transform(values.begin(), values.end(), result.begin(),
                 [&](float v) { return Clamp(static_cast<double>(v), range); });
  return result;
}

Values Logistic(const Values& values) {
  Values result(values.size());
  std::transform(values.begin(), values.end(), result.begin(), [](float v) {
    return static_cast<float>(1.0 / (1.0 + std::exp(-static_cast<double>(v))));
  });
  return result;
}

Values Mean(Operand input) {
  const Nhwc in(input.shape);
  Values result;
  for (int c = 0; c < in.c; ++c) {
    double sum = 0;
    for (int y = 0; y < in.h; ++y) {
      for (int x = 0; x < in.w; ++x) sum += static_cast<double>(input.values[in.At(y, x, c)]);
    }
    result.push_back(static_cast<float>(sum / (static_cast<double>(in.h) * in.w)));
  }
  return result;
}

Values Concatenate(const std::vector<Operand>& parts, std::size_t axis, const Shape& result_shape) {
  Values result(Count(result_shape));
  int begin = 0;
  for (const Operand& part : parts) {
    ForEachIndex(part.shape, [&](const Shape& index) {
      Shape moved = index;
      moved.at(axis) += begin;
      result[Offset(result_shape, moved)] = part.values[Offset(part.shape, index)];
    });
    begin += part.shape.at(axis);
  }
  HOLO_CHECK(begin == result_shape.at(axis));
  return result;
}

Values DepthToSpace(Operand input, int block, const Shape& result_shape) {
  const Nhwc in(input.shape), out(result_shape);
  HOLO_CHECK(out.h == in.h * block && out.w == in.w * block && out.c * block * block == in.c);
  Values result(Count(result_shape));
  for (int y = 0; y < out.h; ++y) {
    for (int x = 0; x < out.w; ++x) {
      for (int c = 0; c < out.c; ++c) {
        const int channel = ((y % block) * block + x % block) * out.c + c;
        result[out.At(y, x, c)] = input.values[in.At(y / block, x / block, channel)];
      }
    }
  }
  return result;
}

namespace {

// Each result element is the source element at index + shift, or zero outside of the source.
Values Shifted(Operand input, const std::vector<int>& shift, const Shape& result_shape) {
  HOLO_CHECK(input.shape.size() == result_shape.size() && shift.size() == result_shape.size());
  Values result;
  result.reserve(Count(result_shape));
  ForEachIndex(result_shape, [&](const Shape& index) {
    Shape source = index;
    bool inside = true;
    for (std::size_t d = 0; d < source.size(); ++d) {
      source[d] += shift[d];
      inside = inside && source[d] >= 0 && source[d] < input.shape[d];
    }
    result.push_back(inside ? input.values[Offset(input.shape, source)] : 0.0F);
  });
  return result;
}

}  // namespace

Values Pad(Operand input, const PadAttributes& a, const Shape& result_shape) {
  std::vector<int> shift;
  for (std::size_t d = 0; d < result_shape.size(); ++d) {
    HOLO_CHECK(result_shape[d] == a.before.at(d) + input.shape.at(d) + a.after.at(d));
    shift.push_back(-a.before[d]);
  }
  return Shifted(input, shift, result_shape);
}

Values Slice(Operand input, const SliceAttributes& a, const Shape& result_shape) {
  HOLO_CHECK(a.size == result_shape);
  for (std::size_t d = 0; d < result_shape.size(); ++d) {
    HOLO_CHECK(a.begin.at(d) >= 0 && a.begin[d] + a.size[d] <= input.shape.at(d));
  }
  return Shifted(input, a.begin, result_shape);
}

// The slopes are broadcast like an operand of kMul.
Values Prelu(Operand input, Operand slope) {
  return Elementwise(input, slope, input.shape, {},
                     [](double x, double s) { return x >= 0 ? x : x * s; });
}

namespace {

// Where a result position samples one axis of a resized picture: between `low` and `high`.
struct Sample {
  int low, high;
  double fraction;
};

Sample HalfPixelSample(int position, int result_size, int source_size) {
  const double scale = static_cast<double>(source_size) / result_size;
  const double source = std::max((position + 0.5) * scale - 0.5, 0.0);
  const int low = std::min(static_cast<int>(source), source_size - 1);
  return {low, std::min(low + 1, source_size - 1), source - low};
}

double Lerp(double a, double b, double fraction) { return a + (b - a) * fraction; }

}  // namespace

Values ResizeBilinear(Operand input, const Shape& result_shape) {
  const Nhwc in(input.shape), out(result_shape);
  HOLO_CHECK(in.c == out.c);
  const auto at = [&](int y, int x, int c) {
    return static_cast<double>(input.values[in.At(y, x, c)]);
  };
  Values result(Count(result_shape));
  for (int y = 0; y < out.h; ++y) {
    const Sample v = HalfPixelSample(y, out.h, in.h);
    for (int x = 0; x < out.w; ++x) {
      const Sample u = HalfPixelSample(x, out.w, in.w);
      for (int c = 0; c < out.c; ++c) {
        const double top = Lerp(at(v.low, u.low, c), at(v.low, u.high, c), u.fraction);
        const double bottom = Lerp(at(v.high, u.low, c), at(v.high, u.high, c), u.fraction);
        result[out.At(y, x, c)] = static_cast<float>(Lerp(top, bottom, v.fraction));
      }
    }
  }
  return result;
}

Values Densify(const Tensor& tensor, const Values& packed) {
  if (tensor.sparse == nullptr) return packed;
  const SparseRows& rows = *tensor.sparse;
  const auto columns = static_cast<std::size_t>(tensor.shape.back());
  Values result(Count(tensor.shape), 0.0F);
  HOLO_CHECK(rows.segments.size() == result.size() / columns + 1);
  HOLO_CHECK(rows.indices.size() == packed.size() && rows.segments.back() == packed.size());
  for (std::size_t row = 0; row + 1 < rows.segments.size(); ++row) {
    for (std::size_t i = rows.segments[row]; i < rows.segments[row + 1]; ++i) {
      HOLO_CHECK(rows.indices.at(i) < columns);
      result[row * columns + rows.indices[i]] = packed[i];
    }
  }
  return result;
}

// Facts sheet 7.3: the crop around the subset of landmarks, turned by the eye or mouth line, as a
// matrix from crop pixels to the landmarks' units.
Values LandmarksToMatrix(Operand landmarks, const LandmarksToMatrixAttributes& a) {
  HOLO_CHECK(landmarks.shape.size() == 3);
  const auto dims = static_cast<std::size_t>(landmarks.shape[2]);
  const auto point = [&](int index) {
    const std::size_t at = static_cast<std::size_t>(index) * dims;
    HOLO_CHECK(index >= 0 && at + 1 < landmarks.values.size());
    return std::pair<double, double>(landmarks.values[at], landmarks.values[at + 1]);
  };
  const auto [left_x, left_y] = point(a.left_rotation_index);
  const auto [right_x, right_y] = point(a.right_rotation_index);
  const double r = static_cast<double>(a.target_rotation_radians) -
                   std::atan2(right_y - left_y, right_x - left_x);
  const double cos_r = std::cos(r), sin_r = std::sin(r);

  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double min_x = kInfinity, min_y = kInfinity, max_x = -kInfinity, max_y = -kInfinity;
  for (const int index : a.subset) {
    const auto [px, py] = point(index);
    const double x = px * cos_r - py * sin_r, y = px * sin_r + py * cos_r;
    min_x = std::min(min_x, x), max_x = std::max(max_x, x);
    min_y = std::min(min_y, y), max_y = std::max(max_y, y);
  }
  const double middle_x = (min_x + max_x) / 2, middle_y = (min_y + max_y) / 2;
  const double centre_x = middle_x * cos_r + middle_y * sin_r;
  const double centre_y = -middle_x * sin_r + middle_y * cos_r;
  const double scale_x = static_cast<double>(a.scale_x) * (max_x - min_x) / a.output_width;
  const double scale_y = static_cast<double>(a.scale_y) * (max_y - min_y) / a.output_height;

  std::array<double, 16> t = {cos_r * scale_x,
                              sin_r * scale_y,
                              0,
                              0,  //
                              -sin_r * scale_x,
                              cos_r * scale_y,
                              0,
                              0,  //
                              0,
                              0,
                              1,
                              0,  //
                              0,
                              0,
                              0,
                              1};
  t[3] = centre_x - t[0] * a.output_width / 2 - t[1] * a.output_height / 2;
  t[7] = centre_y - t[4] * a.output_width / 2 - t[5] * a.output_height / 2;
  Values result(t.size());
  std::transform(t.begin(), t.end(), result.begin(),
                 [](double v) { return static_cast<float>(v); });
  return result;
}

// Facts sheet 7.4. Positions are computed in float32, because the operator is discontinuous where
// they leave the picture.
Values TransformTensorBilinear(Operand input, Operand matrix, const Shape& result_shape) {
  const Nhwc in(input.shape), out(result_shape);
  HOLO_CHECK(matrix.values.size() == 16 && in.c == out.c);
  const Values& m = matrix.values;
  const float shift_x = m[0] * 0.5F + m[1] * 0.5F + m[3] - 0.5F;
  const float shift_y = m[4] * 0.5F + m[5] * 0.5F + m[7] - 0.5F;
  const auto at = [&](int y, int x, int c) {
    return y < in.h && x < in.w ? static_cast<double>(input.values[in.At(y, x, c)]) : 0.0;
  };
  Values result(Count(result_shape), 0.0F);
  for (int oy = 0; oy < out.h; ++oy) {
    for (int ox = 0; ox < out.w; ++ox) {
      const auto column = static_cast<float>(ox), row = static_cast<float>(oy);
      const float x = m[0] * column + m[1] * row + shift_x;
      const float y = m[4] * column + m[5] * row + shift_y;
      const bool inside = x >= 0 && x <= static_cast<float>(in.w - 1) && y >= 0 &&
                          y <= static_cast<float>(in.h - 1);
      if (!inside) continue;
      const int left = static_cast<int>(x), top = static_cast<int>(y);
      const double u = static_cast<double>(x) - left, v = static_cast<double>(y) - top;
      for (int c = 0; c < out.c; ++c) {
        const double upper = Lerp(at(top, left, c), at(top, left + 1, c), u);
        const double lower = Lerp(at(top + 1, left, c), at(top + 1, left + 1, c), u);
        result[out.At(oy, ox, c)] = static_cast<float>(Lerp(upper, lower, v));
      }
    }
  }
  return result;
}

// Facts sheet 7.5: x and y of each point go through the matrix, further values stay.
Values TransformLandmarks(Operand landmarks, Operand matrix) {
  HOLO_CHECK(matrix.values.size() == 16 && landmarks.shape.size() == 3);
  const auto dims = static_cast<std::size_t>(landmarks.shape[2]);
  HOLO_CHECK(dims >= 2);
  Values result = landmarks.values;
  for (std::size_t i = 0; i < result.size(); i += dims) {
    const auto x = static_cast<double>(landmarks.values[i]);
    const auto y = static_cast<double>(landmarks.values[i + 1]);
    for (std::size_t row = 0; row < 2; ++row) {
      const float* m = &matrix.values[row * 4];
      result[i + row] =
          static_cast<float>(static_cast<double>(m[0]) * x + static_cast<double>(m[1]) * y +
                             static_cast<double>(m[3]));
    }
  }
  return result;
}

}  // namespace holostat::engine::reference
