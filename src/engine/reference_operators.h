#pragma once

#include <cstddef>
#include <vector>

#include "engine/graph.h"

// The operators of the reference interpreter, one plain function each. For tests only; see
// reference_interpreter.h for what holds for all of them.
namespace holostat::engine::reference {

using Values = std::vector<float>;  // of one tensor, in storage order

// What an operator reads: a shape and the values, both borrowed.
struct Operand {
  const Shape& shape;
  const Values& values;
};

// The same product as ElementCount, computed anew: the checker leans on nothing that it checks.
std::size_t Count(const Shape& shape);

// Convolutions and pooling: NHWC, the border of SAME padding is zero (pooling: not looked at), an
// odd rest of it goes behind. `bias` may be null.
Values Conv2D(Operand input, Operand filter, const Values* bias, const ConvAttributes& a,
              const Shape& result_shape);
Values DepthwiseConv2D(Operand input, Operand filter, const Values* bias, const ConvAttributes& a,
                       const Shape& result_shape);
Values MaxPool2D(Operand input, const ConvAttributes& a, const Shape& result_shape);

// One row of filter.shape[0] results for every filter.shape[1] values of the input.
Values FullyConnected(Operand input, Operand filter, const Values* bias, OutputRange range);

// Shapes of operands are aligned at their last dimensions; a dimension of 1 repeats.
Values Add(Operand a, Operand b, const Shape& result_shape, OutputRange range);
Values Multiply(Operand a, Operand b, const Shape& result_shape, OutputRange range);
Values Prelu(Operand input, Operand slope);

Values ClampAll(const Values& values, OutputRange range);
Values Logistic(const Values& values);
Values Mean(Operand input);  // over rows and columns of NHWC

Values Concatenate(const std::vector<Operand>& parts, std::size_t axis, const Shape& result_shape);
Values DepthToSpace(Operand input, int block, const Shape& result_shape);
Values Pad(Operand input, const PadAttributes& a, const Shape& result_shape);  // with zeros
Values Slice(Operand input, const SliceAttributes& a, const Shape& result_shape);

// Half-pixel centres, corners not aligned; the border repeats.
Values ResizeBilinear(Operand input, const Shape& result_shape);

// Scatters the packed values of a constant to the columns its compressed rows name; zero elsewhere.
Values Densify(const Tensor& tensor, const Values& packed);

// Custom operators of the attention mesh: docs/engine.md.
Values LandmarksToMatrix(Operand landmarks, const LandmarksToMatrixAttributes& a);
Values TransformTensorBilinear(Operand input, Operand matrix, const Shape& result_shape);
Values TransformLandmarks(Operand landmarks, Operand matrix);

}  // namespace holostat::engine::reference
