#include "engine/memory_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "engine/arena_planner.h"

namespace holostat::engine {
namespace {

using testing::ElementsAre;

bool Overlap(const ArenaPlan& plan, std::span<const BufferLife> buffers, std::size_t a,
             std::size_t b) {
  const bool in_time = buffers[a].first_step <= buffers[b].last_step &&
                       buffers[b].first_step <= buffers[a].last_step;
  const bool in_space = plan.offsets[a] < plan.offsets[b] + buffers[b].bytes &&
                        plan.offsets[b] < plan.offsets[a] + buffers[a].bytes;
  return in_time && in_space;
}

TEST(PlanArena, ReusesTheMemoryOfBuffersThatAreDone) {
  const std::array<BufferLife, 3> buffers = {{{640, 0, 1}, {640, 1, 2}, {640, 2, 3}}};
  EXPECT_EQ(PlanArena(buffers).bytes, 2U * 640);
}

TEST(PlanArena, FillsGapsBetweenBuffers) {
  // The small one fits where the first big one stood.
  const std::array<BufferLife, 3> buffers = {{{1024, 0, 0}, {1024, 0, 1}, {64, 1, 1}}};
  EXPECT_EQ(PlanArena(buffers).bytes, 2048U);
}

TEST(PlanArena, NeverLetsBuffersMeet) {
  std::minstd_rand random(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<BufferLife> buffers;
    for (int i = 0; i < 40; ++i) {
      const std::size_t first = random() % 20;
      buffers.push_back({random() % 5000 + 1, first, first + random() % 6});
    }
    const ArenaPlan plan = PlanArena(buffers);
    for (std::size_t a = 0; a < buffers.size(); ++a) {
      EXPECT_EQ(plan.offsets[a] % 64, 0U);
      EXPECT_LE(plan.offsets[a] + buffers[a].bytes, plan.bytes);
      for (std::size_t b = 0; b < a; ++b) ASSERT_FALSE(Overlap(plan, buffers, a, b));
    }
  }
}

TensorId Add(Graph& graph, Shape shape) {
  Tensor tensor;
  tensor.shape = std::move(shape);
  graph.tensors.push_back(std::move(tensor));
  return static_cast<TensorId>(graph.tensors.size() - 1);
}

TensorId Apply(Graph& graph, OpType op, std::vector<TensorId> inputs, Shape shape,
               Attributes attributes = {}) {
  const TensorId output = Add(graph, std::move(shape));
  graph.nodes.push_back({op, std::move(inputs), {output}, std::move(attributes)});
  return output;
}

MemoryPlan Plan(const Graph& graph) { return MemoryPlan(graph, Partition(graph), 16); }

// Two heads of a detector: each sigmoid is reshaped to rows, the rows are joined.
struct Heads {
  Graph graph;
  TensorId input, first, second, first_rows, second_rows, joined;

  Heads() {
    input = Add(graph, {1, 2, 2, 4});
    first = Apply(graph, OpType::kLogistic, {input}, {1, 2, 2, 4});
    second = Apply(graph, OpType::kMaxPool2D, {input}, {1, 1, 1, 4});
    first_rows = Apply(graph, OpType::kReshape, {first}, {1, 8, 2});
    second_rows = Apply(graph, OpType::kReshape, {second}, {1, 2, 2});
    joined = Apply(graph, OpType::kConcatenation, {first_rows, second_rows}, {1, 10, 2},
                   ConcatAttributes{1});
    graph.inputs = {input};
    graph.outputs = {joined};
  }
};

TEST(Partition, JoinsAllThatCanRunTogether) {
  const Heads heads;
  const auto segments = Partition(heads.graph);
  ASSERT_EQ(segments.size(), 2U);
  EXPECT_EQ(segments[0].executor, Executor::kXnnpack);
  EXPECT_THAT(segments[0].nodes, ElementsAre(0, 1));
  EXPECT_EQ(segments[1].executor, Executor::kNative);
  EXPECT_THAT(segments[1].nodes, ElementsAre(2, 3, 4));
}

TEST(Partition, RunsANodeAfterAllItReads) {
  Graph graph;
  graph.inputs = {Add(graph, {1, 4})};
  const TensorId early = Apply(graph, OpType::kLogistic, {0}, {1, 4});
  const TensorId native = Apply(graph, OpType::kReshape, {0}, {4, 1});
  const TensorId back = Apply(graph, OpType::kReshape, {native}, {1, 4});
  graph.outputs = {Apply(graph, OpType::kAdd, {early, back}, {1, 4}, ElementwiseAttributes{})};
  const auto segments = Partition(graph);
  ASSERT_EQ(segments.size(), 3U);
  EXPECT_THAT(segments[0].nodes, ElementsAre(0));
  EXPECT_THAT(segments[1].nodes, ElementsAre(1, 2));
  EXPECT_THAT(segments[2].nodes, ElementsAre(3));
}

TEST(MemoryPlan, LetsProducersWriteStraightIntoTheConcatenation) {
  const Heads heads;
  const MemoryPlan plan = Plan(heads.graph);
  EXPECT_EQ(plan.offset(heads.first), plan.offset(heads.joined));
  EXPECT_EQ(plan.offset(heads.second), *plan.offset(heads.joined) + 16 * sizeof(float));
  EXPECT_EQ(plan.offset(heads.second_rows), plan.offset(heads.second));
}

TEST(MemoryPlan, GivesAnOperandThatStandsTwiceAPlaceOnlyOnce) {
  Heads heads;
  heads.graph.nodes.back().inputs = {heads.first_rows, heads.first_rows};
  heads.graph.tensors[heads.joined].shape = {1, 16, 2};
  const MemoryPlan plan = Plan(heads.graph);
  EXPECT_EQ(plan.offset(heads.first_rows), plan.offset(heads.joined));
}

TEST(MemoryPlan, DoesNotMoveAnInputIntoAConcatenation) {
  Graph graph;
  graph.inputs = {Add(graph, {1, 4}), Add(graph, {1, 4})};
  graph.outputs = {Apply(graph, OpType::kConcatenation, {0, 1}, {1, 8}, ConcatAttributes{1})};
  const MemoryPlan plan = Plan(graph);
  EXPECT_NE(plan.offset(0), plan.offset(2));
  EXPECT_NE(plan.offset(1), *plan.offset(2) + 16);
}

TEST(MemoryPlan, LeavesWhatOneSegmentAloneSeesToXnnpack) {
  Graph graph;
  graph.inputs = {Add(graph, {1, 4})};
  const TensorId inside = Apply(graph, OpType::kLogistic, {0}, {1, 4});
  graph.outputs = {Apply(graph, OpType::kLogistic, {inside}, {1, 4})};
  EXPECT_FALSE(Plan(graph).offset(inside));
}

TEST(MemoryPlan, KeepsReadableBytesBehindEveryBuffer) {
  Graph graph;
  graph.inputs = {Add(graph, {1, 16})};  // 64 bytes: no room left by alignment
  graph.outputs = {Apply(graph, OpType::kLogistic, {0}, {1, 16})};
  const MemoryPlan plan = Plan(graph);
  EXPECT_GE(plan.arena_bytes(), std::max(*plan.offset(0), *plan.offset(1)) + 64 + 16);
}

TEST(MemoryPlan, KeepsOutputsToTheEnd) {
  // The first result must survive the two segments that follow it.
  Graph graph;
  graph.inputs = {Add(graph, {1, 16})};
  const TensorId first = Apply(graph, OpType::kReshape, {0}, {16, 1});
  const TensorId second = Apply(graph, OpType::kLogistic, {first}, {16, 1});
  const TensorId third = Apply(graph, OpType::kReshape, {second}, {1, 16});
  const TensorId fourth = Apply(graph, OpType::kLogistic, {third}, {1, 16});
  graph.outputs = {first, second, fourth};
  const MemoryPlan plan = Plan(graph);
  EXPECT_NE(plan.offset(first), plan.offset(second));
  EXPECT_NE(plan.offset(second), plan.offset(fourth));
  EXPECT_NE(plan.offset(first), plan.offset(fourth));
}

TEST(MemoryPlan, KeepsOutputsApartFromWhatEndsWithTheRun) {
  const Heads heads;
  const MemoryPlan plan = Plan(heads.graph);
  EXPECT_EQ(plan.kept_bytes(), 128U);  // 20 floats and 16 bytes, in whole cache lines
  EXPECT_LT(*plan.offset(heads.joined), plan.kept_bytes());
  EXPECT_LT(*plan.offset(heads.first), plan.kept_bytes());  // a part of the output
  EXPECT_GE(*plan.offset(heads.input), plan.kept_bytes());
}

}  // namespace
}  // namespace holostat::engine
