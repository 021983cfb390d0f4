#pragma once

#include <cstdint>
#include <span>

#include "base/result.h"
#include "engine/graph.h"

namespace holostat::engine {

// Options of the custom operators of the attention mesh (docs/engine.md), from
// the FlexBuffer in the model file. Values are those of the file; what they may be is checked with
// the shapes. Errors: kCorruptData.
Result<LandmarksToMatrixAttributes> ReadLandmarksToMatrixOptions(
    std::span<const std::uint8_t> options);
Result<TransformBilinearAttributes> ReadTransformBilinearOptions(
    std::span<const std::uint8_t> options);

}  // namespace holostat::engine
