#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/graph.h"

namespace holostat::engine {

// The operators XNNPACK has not, as plain functions. Inputs and outputs never overlap; none of them
// allocates. Formulas of the custom ones: docs/engine.md.

// A 4x4 matrix in rows, of which only the 2D part (columns 0, 1, 3 of rows 0, 1) has a meaning.
using Matrix4 = std::span<const float, 16>;

// The transform that takes coordinates of an upright crop (output_width x output_height, origin at
// its corner) to where it lies around a subset of the landmarks, turned so that the line from the
// left to the right rotation landmark has the target angle. `landmarks` holds `dimension` (>= 2)
// values each, of which x and y are used. REQUIRES: indices of `options` in range.
void LandmarksToTransformMatrix(const LandmarksToMatrixAttributes& options,
                                std::span<const float> landmarks, std::size_t dimension,
                                std::span<float, 16> matrix);

// An NHWC picture of batch 1.
struct PictureSize {
  std::size_t height, width, channels;
};

// Fills `output` with the crop of `input` that `matrix` describes: bilinear, pixel centres at
// +0.5, zero where the centre falls outside those of the outermost pixels.
void TransformTensorBilinear(std::span<const float> input, const PictureSize& input_size,
                             Matrix4 matrix, std::span<float> output,
                             const PictureSize& output_size);

// Transforms x and y of landmarks of `dimension` values each (2 or 3); the third is copied.
void TransformLandmarks(std::span<const float> landmarks, std::size_t dimension, Matrix4 matrix,
                        std::span<float> output);

// Copies a box of a tensor. `begin` has an entry a dimension of `input_shape`.
void CopySlice(const float* input, const Shape& input_shape, const Shape& begin, float* output,
               const Shape& output_shape);

// Copies one operand of a concatenation to its place: `outer` runs of `run` values, put `stride`
// values apart.
void CopyRuns(const float* input, std::size_t outer, std::size_t run, float* output,
              std::size_t stride);

}  // namespace holostat::engine
