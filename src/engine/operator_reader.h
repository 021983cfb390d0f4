#pragma once

#include "base/result.h"
#include "engine/graph.h"
#include "engine/tflite_file.h"

namespace holostat::engine {

// One operator of the file as a node: known, of a variant we execute, its tensors in range and its
// constant int32 operands (paddings, slice bounds, sizes) taken into the attributes. Whether shapes
// fit and inputs are computed earlier is for the caller to check.
//
// `graph` holds the tensors of the file. Errors: those of ReadTflite.
Result<Node> ReadOperator(const TfliteFile& file, const tflite::Operator& from, const Graph& graph);

}  // namespace holostat::engine
