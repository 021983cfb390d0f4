#pragma once

#include <vector>

#include "base/result.h"
#include "engine/graph.h"
#include "engine/tflite_file.h"

namespace holostat::engine {

// The largest tensor, and all tensors of a model together, in elements: 128 and 512 MiB of float32.
// The largest model we run (pose_landmark_heavy) has 62 million in all.
inline constexpr std::size_t kMaxTensorElements = std::size_t{32} << 20;
inline constexpr std::size_t kMaxTotalElements = std::size_t{128} << 20;

// The tensors of the model, constants with exactly the bytes that their type and shape need.
// Errors: those of ReadTflite.
Result<std::vector<Tensor>> ReadTensors(const TfliteFile& file);

}  // namespace holostat::engine
