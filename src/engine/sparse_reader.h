#pragma once

#include "base/result.h"
#include "engine/graph.h"
#include "engine/tflite_generated.h"

namespace holostat::engine {

// The packing of a sparse constant of the given shape: all dimensions dense but the last, which is
// in compressed rows. Checked: rows lie one after the other in `indices`, columns ascend within a
// row and lie inside it. Errors: kCorruptData, kUnsupported for other packings.
Result<SparseRows> ReadSparseRows(const tflite::SparsityParameters& sparsity, const Shape& shape);

}  // namespace holostat::engine
