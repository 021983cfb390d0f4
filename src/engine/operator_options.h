#pragma once

#include <span>

#include "base/result.h"
#include "engine/graph.h"
#include "engine/tflite_generated.h"

namespace holostat::engine {

// An operator of the file whose tensor ids are in range.
struct OperatorSource {
  const tflite::Operator& table;
  const Graph& graph;                  // its tensors
  std::span<const TensorId> operands;  // all of the file, kNoTensor for an absent bias
  TensorId output;
};

// The attributes of an operator, one function each, from its options table and its int32 constant
// operands. What they may be together with the shapes is for InferOutputShape to check.
// Errors: kCorruptData (options of the wrong kind, operands that are no int32 constants or
// contradict the output), kUnsupported (a variant we do not execute).
Result<Attributes> ReadNothing(const OperatorSource& source);
Result<Attributes> ReadAdd(const OperatorSource& source);
Result<Attributes> ReadConcatenation(const OperatorSource& source);
Result<Attributes> ReadConv2D(const OperatorSource& source);
Result<Attributes> ReadDepthToSpace(const OperatorSource& source);
Result<Attributes> ReadDepthwiseConv2D(const OperatorSource& source);
Result<Attributes> ReadFullyConnected(const OperatorSource& source);
Result<Attributes> ReadLandmarksToMatrix(const OperatorSource& source);
Result<Attributes> ReadMaxPool2D(const OperatorSource& source);
Result<Attributes> ReadMean(const OperatorSource& source);
Result<Attributes> ReadMul(const OperatorSource& source);
Result<Attributes> ReadPad(const OperatorSource& source);
Result<Attributes> ReadRelu6(const OperatorSource& source);
Result<Attributes> ReadReshape(const OperatorSource& source);
Result<Attributes> ReadResizeBilinear(const OperatorSource& source);
Result<Attributes> ReadStridedSlice(const OperatorSource& source);
Result<Attributes> ReadTransformBilinear(const OperatorSource& source);

}  // namespace holostat::engine
