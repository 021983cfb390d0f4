// Graphs of several operators: Session against the reference interpreter, for what depends on how
// operators meet (fusion, shared buffers, values that live long, outputs in the middle).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "engine/model_builder.h"
#include "engine/reference_comparison.h"
#include "engine/reference_interpreter.h"
#include "engine/session.h"
#include "engine/tflite_reader.h"

namespace holostat::engine {
namespace {

using tflite::BuiltinOperator;

// Relative to the largest value of an output, after up to kMaxOperators operators in float32.
constexpr double kDeepRounding = 1e-5;
constexpr int kMaxOperators = 24;
constexpr std::uint32_t kRandomModels = 150;

// Session against reference for the chosen outputs (empty: all of them).
void ExpectMatchesReference(const ModelSpec& spec, const std::vector<std::size_t>& wanted = {}) {
  const std::vector<std::uint8_t> file = BuildModel(spec);
  const auto graph = ReadTflite(file);
  ASSERT_TRUE(graph) << graph.error().message;
  const auto session = Session::Create(file, {.outputs = wanted});
  ASSERT_TRUE(session) << session.error().message;
  for (const std::uint32_t seed : {1U, 2U}) {
    const TensorValues inputs = PseudoRandomInputs(*graph, seed);
    const TensorValues expected = RunReference(*graph, inputs);
    const auto actual = RunOnce(**session, inputs);
    ASSERT_TRUE(actual) << actual.error().message;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const bool is_wanted = wanted.empty() || std::ranges::find(wanted, i) != wanted.end();
      if (is_wanted) {
        EXPECT_LE(RelativeDifference((*actual)[i], expected[i]), kDeepRounding) << "output " << i;
      } else {
        EXPECT_TRUE((*actual)[i].empty()) << "output " << i;
      }
    }
  }
}

std::int32_t Unary(ModelSpec& spec, BuiltinOperator op, std::int32_t input) {
  return spec.Apply({.op = op}, {input}, spec.tensors[static_cast<std::size_t>(input)].shape);
}

std::int32_t Sum(ModelSpec& spec, std::int32_t a, std::int32_t b) {
  return spec.Apply({.op = BuiltinOperator::ADD}, {a, b},
                    spec.tensors[static_cast<std::size_t>(a)].shape);
}

std::int32_t Conv3x3(ModelSpec& spec, std::int32_t input, std::int32_t out_c) {
  const Shape in = spec.tensors[static_cast<std::size_t>(input)].shape;
  const auto seed = static_cast<std::uint32_t>(spec.tensors.size());
  auto weights = PseudoRandomValues(static_cast<std::size_t>(out_c * 9 * in[3]), seed);
  for (float& w : weights) w /= std::sqrt(9.0F * static_cast<float>(in[3]) / 3);
  const std::int32_t filter = spec.Add(FloatConstant({out_c, 3, 3, in[3]}, weights));
  const std::int32_t bias = spec.Add(
      FloatConstant({out_c}, PseudoRandomValues(static_cast<std::size_t>(out_c), seed + 1)));
  return spec.Apply({.op = BuiltinOperator::CONV_2D}, {input, filter, bias},
                    {1, in[1], in[2], out_c});
}

TEST(Graph, FusesAReluOnlyWhereNobodyElseReadsWhatItClamps) {
  for (const auto relu : {BuiltinOperator::RELU, BuiltinOperator::RELU6}) {
    ModelSpec alone;
    alone.outputs = {Unary(alone, relu, Conv3x3(alone, alone.AddInput({1, 5, 5, 3}), 4))};
    ExpectMatchesReference(alone);

    ModelSpec shared;
    const std::int32_t conv = Conv3x3(shared, shared.AddInput({1, 5, 5, 3}), 4);
    shared.outputs = {Sum(shared, conv, Unary(shared, relu, conv))};
    ExpectMatchesReference(shared);

    ModelSpec output_too;
    const std::int32_t first = Conv3x3(output_too, output_too.AddInput({1, 5, 5, 3}), 4);
    output_too.outputs = {Unary(output_too, relu, first), first};
    ExpectMatchesReference(output_too);
    ExpectMatchesReference(output_too, {0});
    ExpectMatchesReference(output_too, {1});
  }
}

TEST(Graph, ChainsClampsOfDifferentRanges) {
  ModelSpec spec;
  const std::int32_t conv = Conv3x3(spec, spec.AddInput({1, 5, 5, 3}), 4);
  const std::int32_t relu6 = Unary(spec, BuiltinOperator::RELU6, conv);
  spec.outputs = {Unary(spec, BuiltinOperator::RELU, relu6)};
  ExpectMatchesReference(spec);
}

TEST(Graph, HandsOutAnInputAsAnOutput) {
  ModelSpec spec;
  const std::int32_t x = spec.AddInput({1, 4, 4, 3});
  spec.outputs = {x, Unary(spec, BuiltinOperator::RELU, x), x};
  ExpectMatchesReference(spec);
  ExpectMatchesReference(spec, {0});
}

TEST(Graph, HandsOutOneValueTwice) {
  ModelSpec spec;
  const std::int32_t y = Conv3x3(spec, spec.AddInput({1, 4, 4, 3}), 2);
  spec.outputs = {y, y};
  ExpectMatchesReference(spec);
  ExpectMatchesReference(spec, {1});
}

std::int32_t Reshape(ModelSpec& spec, std::int32_t input, Shape shape) {
  return spec.Apply({.op = BuiltinOperator::RESHAPE}, {input}, std::move(shape));
}

std::int32_t Concat(ModelSpec& spec, std::vector<std::int32_t> parts, std::int32_t axis,
                    Shape result) {
  return spec.Apply({.op = BuiltinOperator::CONCATENATION, .options = {.axis = axis}},
                    std::move(parts), std::move(result));
}

TEST(Graph, KeepsTheOperandsOfAConcatenationApart) {
  // The same value twice; a value that is an output itself, reshaped on the way, and used later on.
  ModelSpec spec;
  const std::int32_t x = spec.AddInput({1, 4, 4, 3});
  const std::int32_t conv = Conv3x3(spec, x, 3);
  const std::int32_t rows = Reshape(spec, conv, {1, 16, 3});
  const std::int32_t other = Reshape(spec, Conv3x3(spec, x, 6), {1, 32, 3});
  const std::int32_t joined = Concat(spec, {rows, other, rows}, 1, {1, 64, 3});
  const std::int32_t again = Concat(spec, {joined, rows}, 1, {1, 80, 3});
  spec.outputs = {joined, conv, again, Unary(spec, BuiltinOperator::RELU, rows)};
  ExpectMatchesReference(spec);
  for (std::size_t i = 0; i < spec.outputs.size(); ++i) ExpectMatchesReference(spec, {i});
}

TEST(Graph, ConcatenatesInputsOfTheModel) {
  ModelSpec spec;
  const std::int32_t a = spec.AddInput({1, 4, 3}), b = spec.AddInput({1, 2, 3});
  const std::int32_t joined = Concat(spec, {a, b, a}, 1, {1, 10, 3});
  spec.outputs = {joined, Unary(spec, BuiltinOperator::LOGISTIC, a)};
  ExpectMatchesReference(spec);
}

TEST(Graph, ReshapesOfReshapesOfAnInput) {
  ModelSpec spec;
  const std::int32_t x = spec.AddInput({1, 4, 4, 3});
  const std::int32_t flat = Reshape(spec, Reshape(spec, x, {1, 48}), {1, 16, 3});
  spec.outputs = {flat, Sum(spec, flat, flat)};
  ExpectMatchesReference(spec);
}

TEST(Graph, IgnoresAnInputThatNoWantedOutputNeeds) {
  ModelSpec spec;
  const std::int32_t a = spec.AddInput({1, 3, 3, 2}), b = spec.AddInput({1, 5, 5, 2});
  spec.outputs = {Conv3x3(spec, a, 2), Conv3x3(spec, b, 2)};
  ExpectMatchesReference(spec, {1});
}

// Random graphs. Every operator takes any earlier values of fitting shapes, so values live for
// random times and are shared at random.
class RandomModel {
 public:
  explicit RandomModel(std::uint32_t seed) : random_(seed) {
    values_ = {spec_.AddInput({1, 8, 6, 3})};
    if (Below(2) == 0) values_.push_back(spec_.AddInput({1, 4, 3, 5}));
    const int operators = 4 + Below(kMaxOperators - 4);
    for (int i = 0; i < operators; ++i) values_.push_back(ApplyAny());
    ChooseOutputs();
  }

  const ModelSpec& spec() const { return spec_; }
  std::vector<std::size_t> RandomOutputs() {
    std::vector<std::size_t> wanted;
    for (std::size_t i = 0; i < spec_.outputs.size(); ++i) {
      if (Below(2) == 0) wanted.push_back(i);
    }
    if (wanted.empty()) wanted.push_back(0);
    return wanted;
  }

 private:
  int Below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  std::int32_t AnyValue() { return values_[random_() % values_.size()]; }
  const Shape& ShapeOf(std::int32_t id) const {
    return spec_.tensors[static_cast<std::size_t>(id)].shape;
  }

  void ChooseOutputs() {
    spec_.outputs = {values_.back()};
    for (int i = Below(4); i > 0; --i) {
      const std::int32_t id = AnyValue();
      const bool is_input = std::ranges::find(spec_.inputs, id) != spec_.inputs.end();
      const bool is_known = std::ranges::find(spec_.outputs, id) != spec_.outputs.end();
      if (!is_input && !is_known) spec_.outputs.push_back(id);
    }
  }

  // Small pictures get operators that keep or grow them.
  std::int32_t ApplyAny() {
    const std::int32_t x = AnyValue();
    const bool is_picture = ShapeOf(x).size() == 4;
    switch (Below(is_picture ? 12 : 5)) {
      case 0:
        return Unary(spec_, BuiltinOperator::RELU, x);
      case 1:
        return Sum(spec_, x, Partner(x));
      case 2:
        return Join(x);
      case 3:
        return Flatten(x);
      case 4:
        return Scale(x);
      case 5:
        return Conv3x3(spec_, x, 1 + Below(8));
      case 6:
        return Depthwise(x);
      case 7:
        return Prelu(x);
      case 8:
        return Pool(x);
      case 9:
        return Resize(x);
      case 10:
        return PadChannels(x);
      default:
        return SliceChannels(x);
    }
  }

  // A value of the same shape, which may be the same value.
  std::int32_t Partner(std::int32_t x) {
    for (int attempts = 0; attempts < 8; ++attempts) {
      const std::int32_t other = AnyValue();
      if (ShapeOf(other) == ShapeOf(x)) return other;
    }
    return x;
  }

  std::int32_t Join(std::int32_t x) {
    Shape result = ShapeOf(x);
    constexpr std::size_t kLargest = 10'000;  // joined again and again, sizes would explode
    if (ElementCount(result) > kLargest) return Scale(x);
    const std::size_t axis = 1 + random_() % (result.size() - 1);
    result[axis] *= 2;
    return Concat(spec_, {x, Partner(x)}, static_cast<std::int32_t>(axis), result);
  }

  std::int32_t Flatten(std::int32_t x) {
    const Shape& from = ShapeOf(x);
    const std::int32_t channels = from.back();
    const auto rows = static_cast<std::int32_t>(ElementCount(from)) / channels;
    return Reshape(spec_, x, {1, rows, channels});
  }

  std::int32_t Scale(std::int32_t x) {
    const std::int32_t factor = spec_.Add(FloatConstant({1}, {-0.75}));
    return spec_.Apply({.op = BuiltinOperator::MUL}, {x, factor}, Shape(ShapeOf(x)));
  }

  std::int32_t Depthwise(std::int32_t x) {
    const Shape in = ShapeOf(x);
    const auto count = static_cast<std::size_t>(9 * in[3]);
    const std::int32_t filter =
        spec_.Add(FloatConstant({1, 3, 3, in[3]}, PseudoRandomValues(count, random_())));
    const int stride = 1 + Below(2);
    return spec_.Apply({.op = BuiltinOperator::DEPTHWISE_CONV_2D,
                        .options = {.stride_h = stride, .stride_w = stride}},
                       {x, filter, -1},
                       {1, (in[1] + stride - 1) / stride, (in[2] + stride - 1) / stride, in[3]});
  }

  std::int32_t Prelu(std::int32_t x) {
    const Shape in = ShapeOf(x);
    const auto count = static_cast<std::size_t>(in[3]);
    const std::int32_t slope =
        spec_.Add(FloatConstant({1, 1, in[3]}, PseudoRandomValues(count, random_())));
    return spec_.Apply({.op = BuiltinOperator::PRELU}, {x, slope}, in);
  }

  std::int32_t Pool(std::int32_t x) {
    const Shape in = ShapeOf(x);
    return spec_.Apply({.op = BuiltinOperator::MAX_POOL_2D,
                        .options = {.stride_h = 2, .stride_w = 2, .filter_h = 2, .filter_w = 2}},
                       {x}, {1, (in[1] + 1) / 2, (in[2] + 1) / 2, in[3]});
  }

  std::int32_t Resize(std::int32_t x) {
    const Shape in = ShapeOf(x);
    const std::int32_t h = 1 + Below(9), w = 1 + Below(9);
    const std::int32_t size = spec_.Add(Int32Constant({2}, {h, w}));
    return spec_.Apply({.op = BuiltinOperator::RESIZE_BILINEAR}, {x, size}, {1, h, w, in[3]});
  }

  std::int32_t PadChannels(std::int32_t x) {
    const Shape in = ShapeOf(x);
    const std::int32_t extra = 1 + Below(4);
    const std::int32_t pairs = spec_.Add(Int32Constant({4, 2}, {0, 0, 0, 0, 0, 0, 0, extra}));
    return spec_.Apply({.op = BuiltinOperator::PAD}, {x, pairs}, {1, in[1], in[2], in[3] + extra});
  }

  std::int32_t SliceChannels(std::int32_t x) {
    const Shape in = ShapeOf(x);
    const std::int32_t from = Below(in[3]), to = from + 1 + Below(in[3] - from);
    const std::int32_t begin = spec_.Add(Int32Constant({4}, {0, 0, 0, from}));
    const std::int32_t end = spec_.Add(Int32Constant({4}, {1, in[1], in[2], to}));
    const std::int32_t ones = spec_.Add(Int32Constant({4}, {1, 1, 1, 1}));
    return spec_.Apply({.op = BuiltinOperator::STRIDED_SLICE}, {x, begin, end, ones},
                       {1, in[1], in[2], to - from});
  }

  std::mt19937 random_;
  ModelSpec spec_;
  std::vector<std::int32_t> values_;
};

TEST(RandomGraph, MatchesReference) {
  for (std::uint32_t seed = 0; seed < kRandomModels; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    RandomModel model(seed);
    ExpectMatchesReference(model.spec());
    ExpectMatchesReference(model.spec(), model.RandomOutputs());
    if (testing::Test::HasFailure()) break;
  }
}

}  // namespace
}  // namespace holostat::engine
