#include "engine/native_segment.h"

#include "base/check.h"

namespace holostat::engine {
namespace {

std::size_t Size(std::int32_t dimension) { return static_cast<std::size_t>(dimension); }

PictureSize AsPicture(const Shape& shape) {
  return {Size(shape[1]), Size(shape[2]), Size(shape[3])};
}

// Whether all that the node does is to have its operand stand where its result does.
bool IsNothing(const Node& node, std::span<float* const> places) {
  return (node.op == OpType::kReshape || node.op == OpType::kStridedSlice) &&
         places[node.inputs[0]] == places[node.outputs[0]];
}

}  // namespace

NativeSegment::NativeSegment(const Graph& graph, std::span<const std::size_t> nodes,
                             std::span<float* const> places) {
  const auto place = [&](TensorId id) {
    HOLO_CHECK(places[id] != nullptr);
    return std::span<float>(places[id], ElementCount(graph.tensors[id].shape));
  };
  for (const std::size_t index : nodes) {
    const Node& node = graph.nodes[index];
    if (IsNothing(node, places)) continue;
    Step step{node, {}, {}, place(node.outputs[0]), graph.tensors[node.outputs[0]].shape};
    for (const TensorId id : node.inputs) {
      step.inputs.emplace_back(place(id));
      step.input_shapes.push_back(graph.tensors[id].shape);
    }
    steps_.push_back(std::move(step));
  }
}

void NativeSegment::Run() const {
  for (const Step& step : steps_) RunStep(step);
}

void NativeSegment::RunStep(const Step& step) {
  const auto matrix = [&] { return step.inputs[1].first<16>(); };
  switch (step.node.op) {
    case OpType::kConcatenation:
      return Concatenate(step);
    case OpType::kStridedSlice:
      return CopySlice(step.inputs[0].data(), step.input_shapes[0],
                       std::get<SliceAttributes>(step.node.attributes).begin, step.output.data(),
                       step.output_shape);
    case OpType::kLandmarksToTransformMatrix:
      return LandmarksToTransformMatrix(std::get<LandmarksToMatrixAttributes>(step.node.attributes),
                                        step.inputs[0], Size(step.input_shapes[0][2]),
                                        step.output.first<16>());
    case OpType::kTransformTensorBilinear:
      return TransformTensorBilinear(step.inputs[0], AsPicture(step.input_shapes[0]), matrix(),
                                     step.output, AsPicture(step.output_shape));
    case OpType::kTransformLandmarks:
      return TransformLandmarks(step.inputs[0], Size(step.input_shapes[0][2]), matrix(),
                                step.output);
    default:
      HOLO_CHECK(false && "not a native operator");
  }
}

// Copies the parts that their producers could not write to their place.
void NativeSegment::Concatenate(const Step& step) {
  const std::size_t axis = Size(std::get<ConcatAttributes>(step.node.attributes).axis);
  std::size_t outer = 1;
  for (std::size_t i = 0; i < axis; ++i) outer *= Size(step.output_shape[i]);
  const std::size_t stride = step.output.size() / outer;
  float* to = step.output.data();
  for (const std::span<const float> part : step.inputs) {
    const std::size_t run = part.size() / outer;
    if (part.data() != to) CopyRuns(part.data(), outer, run, to, stride);
    to += run;
  }
}

}  // namespace holostat::engine
