#include "engine/passes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/model_test_support.h"
#include "engine/tflite_reader.h"

namespace holostat::engine {
namespace {

using testing::ElementsAre;

std::size_t CountOf(const Graph& graph, OpType op) {
  return static_cast<std::size_t>(
      std::ranges::count_if(graph.nodes, [=](const Node& node) { return node.op == op; }));
}

TensorId AddTensor(Graph& graph, Shape shape) {
  Tensor tensor;
  tensor.shape = std::move(shape);
  graph.tensors.push_back(std::move(tensor));
  return static_cast<TensorId>(graph.tensors.size() - 1);
}

TensorId Apply(Graph& graph, OpType op, std::vector<TensorId> inputs, Attributes attributes = {}) {
  const TensorId output = AddTensor(graph, graph.tensors[inputs[0]].shape);
  graph.nodes.push_back({op, std::move(inputs), {output}, std::move(attributes)});
  return output;
}

template <class T>
std::span<const std::uint8_t> BytesOf(const std::vector<T>& values) {
  return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(T)};
}

const ElementwiseAttributes kRelu6 = {{0, 6}};

// input -> RELU -> a -> LOGISTIC -> output 0
//                    -> RELU -> output 1
Graph TwoBranches() {
  Graph graph;
  graph.inputs = {AddTensor(graph, {1, 4})};
  const TensorId shared = Apply(graph, OpType::kRelu, graph.inputs);
  graph.outputs.push_back(Apply(graph, OpType::kLogistic, {shared}));
  graph.outputs.push_back(Apply(graph, OpType::kRelu, {shared}));
  return graph;
}

TEST(KeepOutputs, DropsWhatNoWantedOutputNeeds) {
  Graph graph = TwoBranches();
  ASSERT_TRUE(KeepOutputs(graph, std::array<std::size_t, 1>{1}));
  EXPECT_EQ(graph.nodes.size(), 2U);
  EXPECT_EQ(CountOf(graph, OpType::kLogistic), 0U);
}

TEST(KeepOutputs, LeavesOutputsAtTheirPositions) {
  Graph graph = TwoBranches();
  const TensorId second = graph.outputs[1];
  ASSERT_TRUE(KeepOutputs(graph, std::array<std::size_t, 1>{1}));
  EXPECT_THAT(graph.outputs, ElementsAre(kNoTensor, second));
}

TEST(KeepOutputs, RefusesAnOutputThatDoesNotExist) {
  Graph graph = TwoBranches();
  const auto result = KeepOutputs(graph, std::array<std::size_t, 1>{2});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidArgument);
}

TEST(FuseActivations, MovesAClampIntoTheNodeThatFeedsIt) {
  Graph graph;
  graph.inputs = {AddTensor(graph, {1, 4})};
  const TensorId sum = Apply(graph, OpType::kAdd, {0, 0}, ElementwiseAttributes{});
  graph.outputs = {Apply(graph, OpType::kRelu, {sum})};
  FuseActivations(graph);
  ASSERT_EQ(graph.nodes.size(), 1U);
  const OutputRange& range = std::get<ElementwiseAttributes>(graph.nodes[0].attributes).range;
  EXPECT_EQ(range.min, 0);
  EXPECT_TRUE(std::isinf(range.max));
  EXPECT_EQ(graph.nodes[0].outputs, graph.outputs);
}

TEST(FuseActivations, JoinsClampsOneAfterTheOther) {
  Graph graph;
  graph.inputs = {AddTensor(graph, {1, 4})};
  const TensorId sum = Apply(graph, OpType::kAdd, {0, 0}, ElementwiseAttributes{{-1, 3}});
  const TensorId first = Apply(graph, OpType::kClamp, {sum}, kRelu6);
  graph.outputs = {Apply(graph, OpType::kRelu, {first})};
  FuseActivations(graph);
  ASSERT_EQ(graph.nodes.size(), 1U);
  const OutputRange& range = std::get<ElementwiseAttributes>(graph.nodes[0].attributes).range;
  EXPECT_EQ(range.min, 0);
  EXPECT_EQ(range.max, 3);
}

TEST(FuseActivations, LeavesAClampWhoseOperandOthersRead) {
  Graph graph;
  graph.inputs = {AddTensor(graph, {1, 4})};
  const TensorId sum = Apply(graph, OpType::kAdd, {0, 0}, ElementwiseAttributes{});
  graph.outputs = {Apply(graph, OpType::kRelu, {sum}), Apply(graph, OpType::kLogistic, {sum})};
  FuseActivations(graph);
  EXPECT_EQ(graph.nodes.size(), 3U);
  EXPECT_EQ(CountOf(graph, OpType::kClamp), 1U);
}

TEST(FuseActivations, LeavesAClampWhoseOperandIsAnOutput) {
  Graph graph;
  graph.inputs = {AddTensor(graph, {1, 4})};
  const TensorId sum = Apply(graph, OpType::kAdd, {0, 0}, ElementwiseAttributes{});
  graph.outputs = {sum, Apply(graph, OpType::kRelu, {sum})};
  FuseActivations(graph);
  EXPECT_EQ(graph.nodes.size(), 2U);
}

TEST(FuseActivations, LeavesAClampOfAnInput) {
  Graph graph;
  graph.inputs = {AddTensor(graph, {1, 4})};
  graph.outputs = {Apply(graph, OpType::kClamp, {0}, kRelu6)};
  FuseActivations(graph);
  EXPECT_EQ(graph.nodes.size(), 1U);
}

TEST(FoldConstants, UnpacksSparseRowsAndWidensThem) {
  // [[0, 1.5, 0], [0, 0, 0], [-2, 0, 0.25]]
  const std::vector<std::uint16_t> halves = {0x3E00, 0xC000, 0x3400};
  Graph graph;
  const TensorId packed = AddTensor(graph, {3, 3});
  graph.tensors[packed].type = DataType::kFloat16;
  graph.tensors[packed].data = BytesOf(halves);
  graph.tensors[packed].sparse =
      std::make_shared<SparseRows>(SparseRows{.segments = {0, 1, 1, 3}, .indices = {1, 0, 2}});
  const TensorId dense = Apply(graph, OpType::kDensify, {packed});
  graph.tensors[dense].type = DataType::kFloat16;
  const TensorId wide = Apply(graph, OpType::kDequantize, {dense});

  ASSERT_TRUE(FoldConstants(graph));
  EXPECT_TRUE(graph.nodes.empty());
  EXPECT_EQ(graph.tensors[wide].type, DataType::kFloat32);
  ASSERT_NE(graph.tensors[wide].owned, nullptr);
  EXPECT_THAT(*graph.tensors[wide].owned, ElementsAre(0, 1.5F, 0, 0, 0, 0, -2, 0, 0.25F));
}

TEST(FoldConstants, RefusesWhatIsNotConstant) {
  Graph graph;
  graph.inputs = {AddTensor(graph, {1, 4})};
  Apply(graph, OpType::kDequantize, {0});
  EXPECT_FALSE(FoldConstants(graph));
}

class PassesOnModel : public ModelTest {};

TEST_P(PassesOnModel, LeaveNoWeightToUnpackAndNoActivationOnItsOwn) {
  const auto file = ReadModelFile(GetParam());
  auto graph = ReadTflite(file);
  ASSERT_TRUE(graph) << graph.error().message;
  std::vector<std::size_t> all(graph->outputs.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  ASSERT_TRUE(Optimize(*graph, all));
  for (const OpType op : {OpType::kDensify, OpType::kDequantize, OpType::kRelu, OpType::kClamp}) {
    EXPECT_EQ(CountOf(*graph, op), 0U) << OpName(op);
  }
}

INSTANTIATE_TEST_SUITE_P(, PassesOnModel, testing::ValuesIn(kModelNames), ModelTestName);

class PoseLandmark : public ModelTest {};

TEST_P(PoseLandmark, DropsTheMaskBranchWhenTheMaskIsNotWanted) {
  const auto file = ReadModelFile(GetParam());
  auto with = ReadTflite(file);
  auto without = ReadTflite(file);
  ASSERT_TRUE(with && without);
  ASSERT_TRUE(Optimize(*with, std::array<std::size_t, 5>{0, 1, 2, 3, 4}));
  ASSERT_TRUE(Optimize(*without, std::array<std::size_t, 4>{0, 1, 3, 4}));
  // The branch that draws at 128 and 256 pixels, with its two resizes; lite has one ADD more.
  const std::size_t branch = GetParam() == "pose_landmark_lite" ? 21 : 20;
  EXPECT_EQ(with->nodes.size() - without->nodes.size(), branch);
  EXPECT_EQ(CountOf(*with, OpType::kResizeBilinear), 5U);
  EXPECT_EQ(CountOf(*without, OpType::kResizeBilinear), 3U);
}

INSTANTIATE_TEST_SUITE_P(, PoseLandmark,
                         testing::Values("pose_landmark_lite", "pose_landmark_full",
                                         "pose_landmark_heavy"),
                         ModelTestName);

class PoseDetection : public ModelTest {};

TEST_P(PoseDetection, HasItsSparseWeightsDense) {
  const auto file = ReadModelFile(GetParam());
  auto graph = ReadTflite(file);
  ASSERT_TRUE(graph);
  std::vector<std::pair<TensorId, TensorId>> densified;  // packed, dense
  for (const Node& node : graph->nodes) {
    if (node.op == OpType::kDensify) densified.emplace_back(node.inputs[0], node.outputs[0]);
  }
  ASSERT_EQ(densified.size(), 38U);
  ASSERT_TRUE(FoldConstants(*graph));
  for (const auto& [packed_id, dense_id] : densified) {
    const SparseRows& rows = *graph->tensors[packed_id].sparse;
    const Tensor& dense = graph->tensors[dense_id];
    const auto columns = static_cast<std::size_t>(dense.shape.back());
    ASSERT_EQ(dense.owned->size(), ElementCount(dense.shape));
    // Nothing stands but in the columns of each row.
    for (std::size_t row = 0; row + 1 < rows.segments.size(); ++row) {
      std::set<std::size_t> filled(rows.indices.begin() + rows.segments[row],
                                   rows.indices.begin() + rows.segments[row + 1]);
      for (std::size_t column = 0; column < columns; ++column) {
        if (!filled.contains(column)) {
          ASSERT_EQ((*dense.owned)[row * columns + column], 0);
        }
      }
    }
    const auto zeros = static_cast<std::size_t>(std::ranges::count(*dense.owned, 0.0F));
    EXPECT_LT(dense.owned->size() - zeros, dense.owned->size() / 2);  // it was worth packing
  }
}

INSTANTIATE_TEST_SUITE_P(, PoseDetection, testing::Values("pose_detection"), ModelTestName);

}  // namespace
}  // namespace holostat::engine
