#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "engine/float16.h"
#include "engine/passes.h"

namespace holostat::engine {
namespace {

float ValueAt(const Tensor& tensor, std::size_t index) {
  const std::uint8_t* at = tensor.data.data() + index * ByteSize(tensor.type);
  if (tensor.type == DataType::kFloat16) {
    std::uint16_t half;
    std::memcpy(&half, at, sizeof half);
    return Float16ToFloat32(half);
  }
  float value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

std::vector<float> Dense(const Tensor& tensor) {
  std::vector<float> values(ElementCount(tensor.shape));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = ValueAt(tensor, i);
  return values;
}

std::vector<float> Unpacked(const Tensor& tensor) {
  std::vector<float> values(ElementCount(tensor.shape), 0.0F);
  const SparseRows& rows = *tensor.sparse;
  const auto columns = static_cast<std::size_t>(tensor.shape.back());
  for (std::size_t row = 0; row + 1 < rows.segments.size(); ++row) {
    for (std::size_t i = rows.segments[row]; i < rows.segments[row + 1]; ++i) {
      values[row * columns + rows.indices[i]] = ValueAt(tensor, i);
    }
  }
  return values;
}

void MakeConstant(Tensor& tensor, std::shared_ptr<const std::vector<float>> values) {
  tensor.type = DataType::kFloat32;
  tensor.data = {reinterpret_cast<const std::uint8_t*>(values->data()),
                 values->size() * sizeof(float)};
  tensor.owned = std::move(values);
}

void Fold(const Tensor& from, Tensor& to) {
  // DENSIFY yields float32 here at once, so a DEQUANTIZE after it has nothing left to do.
  if (from.type == DataType::kFloat32 && from.owned) {
    MakeConstant(to, from.owned);
  } else {
    MakeConstant(
        to, std::make_shared<const std::vector<float>>(from.sparse ? Unpacked(from) : Dense(from)));
  }
}

}  // namespace

Result<void> FoldConstants(Graph& graph) {
  std::vector<Node> kept;
  kept.reserve(graph.nodes.size());
  for (Node& node : graph.nodes) {
    if (node.op != OpType::kDensify && node.op != OpType::kDequantize) {
      kept.push_back(std::move(node));
      continue;
    }
    const Tensor& from = graph.tensors[node.inputs[0]];
    if (!from.is_constant()) {
      return Fail(ErrorCode::kUnsupported, fmt::format("{} of tensor {}, which is not constant",
                                                       OpName(node.op), node.inputs[0]));
    }
    Fold(from, graph.tensors[node.outputs[0]]);
  }
  graph.nodes = std::move(kept);
  return {};
}

}  // namespace holostat::engine
