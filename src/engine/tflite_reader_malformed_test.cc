// Model files that are wrong in one respect each: every one is an error that says so.
#include <gtest/gtest.h>

#include "engine/malformed_model.h"
#include "engine/model_builder.h"
#include "engine/tflite_reader.h"

namespace holostat::engine {
namespace {

using tflite::BuiltinOperator;

// A convolution of a 5x5 picture; tensors: 0 input, 1 filter, 2 bias, 3 result.
ModelSpec Convolution() {
  return OneOperatorModel(
      {.op = BuiltinOperator::CONV_2D},
      {FloatTensor({1, 5, 5, 2}), FloatConstant({3, 1, 1, 2}, std::vector<float>(6, 1)),
       FloatConstant({3}, {1, 2, 3})},
      {1, 5, 5, 3});
}

TEST(ReadTflite, RefusesWhatIsNoModelFile) {
  for (const std::vector<std::uint8_t>& bytes : {std::vector<std::uint8_t>(),
                                                 {0},
                                                 std::vector<std::uint8_t>(8, 0xff),
                                                 std::vector<std::uint8_t>(4096, 0),
                                                 std::vector<std::uint8_t>(4096, 0xff)}) {
    const auto graph = ReadTflite(bytes);
    ASSERT_FALSE(graph);
    EXPECT_EQ(ErrorCodeName(graph.error().code), "corrupt_data");
  }
  ExpectRefusedWith(
      Convolution(), [](ModelSpec& m) { m.identifier = "TFL2"; }, ErrorCode::kCorruptData,
      "not a TensorFlow Lite file");
}

TEST(ReadTflite, SurvivesEveryTruncation) {
  const std::vector<std::uint8_t> file = BuildModel(Convolution());
  for (std::size_t size = 0; size < file.size(); ++size) {
    // A copy of its own, so that reading past the end is seen.
    const std::vector<std::uint8_t> truncated(file.begin(), file.begin() + static_cast<long>(size));
    const auto graph = ReadTflite(truncated);
    EXPECT_TRUE(graph || !graph.error().message.empty());
  }
}

TEST(ReadTflite, SurvivesEveryByteReplaced) {
  const std::vector<std::uint8_t> file = BuildModel(Convolution());
  for (std::size_t i = 0; i < file.size(); ++i) {
    for (const int byte : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      std::vector<std::uint8_t> changed = file;
      changed[i] = static_cast<std::uint8_t>(byte);
      const auto graph = ReadTflite(changed);
      EXPECT_TRUE(graph || !graph.error().message.empty());
    }
  }
}

TEST(ReadTflite, RefusesOtherThanOneSubgraph) {
  const auto with = [](int count) { return [count](ModelSpec& m) { m.subgraphs = count; }; };
  ExpectRefusedWith(Convolution(), with(0), ErrorCode::kUnsupported, "subgraph");
  ExpectRefusedWith(Convolution(), with(2), ErrorCode::kUnsupported, "subgraph");
}

TEST(ReadTflite, RefusesUnknownOperators) {
  ExpectRefusedWith(
      Convolution(), [](ModelSpec& m) { m.operators[0].op = static_cast<BuiltinOperator>(97); },
      ErrorCode::kUnsupported, "operator 97");
  ExpectRefusedWith(
      Convolution(), [](ModelSpec& m) { m.operators[0].op = static_cast<BuiltinOperator>(-5); },
      ErrorCode::kUnsupported, "operator");
  ExpectRefusedWith(
      Convolution(), [](ModelSpec& m) { m.opcode_index = 9; }, ErrorCode::kCorruptData,
      "operator code 9");
}

TEST(ReadTflite, RefusesUnknownCustomOperators) {
  const ModelSpec model = OneOperatorModel(
      TransformLandmarksOp(), {FloatTensor({1, 5, 2}), FloatTensor({1, 4, 4})}, {1, 5, 2});
  ExpectRefusedWith(
      model, [](ModelSpec& m) { m.operators[0].custom_code = "Frobnicate"; },
      ErrorCode::kUnsupported, "Frobnicate");
  ExpectRefusedWith(
      model, [](ModelSpec& m) { m.operators[0].version = 1; }, ErrorCode::kUnsupported,
      "version 1");
}

TEST(ReadTflite, RefusesTensorNumbersOutOfRange) {
  for (const std::int32_t id : {4, 99, -1, -2, kInt32Max, kInt32Min}) {
    ExpectRefusedWith(
        Convolution(), [&](ModelSpec& m) { m.operators[0].inputs[0] = id; },
        ErrorCode::kCorruptData, "does not exist");
    ExpectRefusedWith(
        Convolution(), [&](ModelSpec& m) { m.operators[0].outputs[0] = id; },
        ErrorCode::kCorruptData, "output tensor");
    ExpectRefusedWith(
        Convolution(), [&](ModelSpec& m) { m.inputs[0] = id; }, ErrorCode::kCorruptData, "input");
    ExpectRefusedWith(
        Convolution(), [&](ModelSpec& m) { m.outputs[0] = id; }, ErrorCode::kCorruptData, "output");
  }
}

TEST(ReadTflite, RefusesWrongNumbersOfOperands) {
  ExpectRefusedWith(
      Convolution(), [](ModelSpec& m) { m.operators[0].inputs = {0}; }, ErrorCode::kCorruptData,
      "1 operands");
  ExpectRefusedWith(
      Convolution(),
      [](ModelSpec& m) {
        m.operators[0].inputs = {0, 1, 2, 2};
      },
      ErrorCode::kCorruptData, "4 operands");
  ExpectRefusedWith(
      Convolution(), [](ModelSpec& m) { m.operators[0].outputs = {}; }, ErrorCode::kCorruptData,
      "output tensor");
  ExpectRefusedWith(
      Convolution(),
      [](ModelSpec& m) {
        m.operators[0].outputs = {3, 3};
      },
      ErrorCode::kCorruptData, "output tensor");
}

TEST(ReadTflite, RefusesBuffersOutOfRangeOrOfTheWrongSize) {
  ExpectRefusedWith(
      Convolution(), [](ModelSpec& m) { m.tensors[1].buffer = 1000; }, ErrorCode::kCorruptData,
      "buffer 1000");
  ExpectRefusedWith(
      Convolution(), [](ModelSpec& m) { m.tensors[1].data.resize(20); }, ErrorCode::kCorruptData,
      "20 bytes");
  ExpectRefusedWith(
      Convolution(), [](ModelSpec& m) { m.tensors[1].data.resize(25); }, ErrorCode::kCorruptData,
      "25 bytes");
}

TEST(ReadTflite, RefusesMissingConstants) {
  ExpectRefusedWith(
      Convolution(), [](ModelSpec& m) { m.tensors[1].data.clear(); }, ErrorCode::kCorruptData,
      "no value");
  ExpectRefusedWith(
      Convolution(), [](ModelSpec& m) { m.tensors[2].data.clear(); }, ErrorCode::kCorruptData,
      "no value");
}

TEST(ReadTflite, RefusesWeightsThatAreNotConstant) {
  ExpectRefusedWith(
      Convolution(),
      [](ModelSpec& m) {
        m.tensors[1].data.clear();
        m.inputs.push_back(1);
      },
      ErrorCode::kUnsupported, "constant");
}

TEST(ReadTflite, RefusesWrongTypes) {
  using tflite::TensorType;
  ExpectRefusedWith(
      Convolution(), [](ModelSpec& m) { m.tensors[0].type = TensorType::INT32; },
      ErrorCode::kUnsupported, "float32");
  ExpectRefusedWith(
      Convolution(), [](ModelSpec& m) { m.tensors[2].type = TensorType::INT32; },
      ErrorCode::kUnsupported, "type");
  ExpectRefusedWith(
      Convolution(),
      [](ModelSpec& m) {
        m.tensors[1] = HalfConstant({3, 1, 1, 2}, std::vector<float>(6, 1));
      },
      ErrorCode::kUnsupported, "type");
  ExpectRefusedWith(
      Convolution(), [](ModelSpec& m) { m.tensors[3].type = TensorType::FLOAT16; },
      ErrorCode::kCorruptData, "type");
  for (const int type : {3, 9, 17, 127, -1, -128}) {
    ExpectRefusedWith(
        Convolution(), [&](ModelSpec& m) { m.tensors[0].type = static_cast<TensorType>(type); },
        ErrorCode::kUnsupported, "type");
  }
}

TEST(ReadTflite, RefusesVariables) {
  ExpectRefusedWith(
      Convolution(), [](ModelSpec& m) { m.tensors[0].is_variable = true; }, ErrorCode::kUnsupported,
      "variable");
}

TEST(ReadTflite, RefusesBadShapes) {
  const auto with = [](Shape shape) {
    return [shape](ModelSpec& m) { m.tensors[0].shape = shape; };
  };
  ExpectRefusedWith(Convolution(), with({1, 5, 5, 0}), ErrorCode::kCorruptData, "dimension of 0");
  ExpectRefusedWith(Convolution(), with({1, -5, 5, 2}), ErrorCode::kCorruptData, "dimension of -5");
  ExpectRefusedWith(Convolution(), with({2, 5, 5, 2}), ErrorCode::kCorruptData, "[2, 5, 5, 2]");
  ExpectRefusedWith(Convolution(), with({5, 5, 2}), ErrorCode::kCorruptData, "[5, 5, 2]");
  ExpectRefusedWith(Convolution(), with({1, 1, 1, 1, 1, 5, 2}), ErrorCode::kUnsupported, "rank");
  ExpectRefusedWith(Convolution(), with({}), ErrorCode::kCorruptData, "");
}

TEST(ReadTflite, RefusesAbsurdSizesBeforeSpendingMemoryOnThem) {
  const auto with = [](Shape shape) {
    return [shape](ModelSpec& m) { m.tensors[0].shape = shape; };
  };
  for (const Shape& shape :
       {Shape{1, 100'000, 100'000, 2}, Shape{1, kInt32Max, kInt32Max, kInt32Max},
        Shape{1, 65536, 65536, 65536}, Shape{1, 1, 1, kInt32Max}}) {
    ExpectRefusedWith(Convolution(), with(shape), ErrorCode::kLimitExceeded, "elements");
  }
}

TEST(ReadTflite, RefusesAbsurdTotals) {
  ExpectRefusedWith(
      Convolution(),
      [](ModelSpec& m) {
        m.tensors.insert(m.tensors.end(), 20, FloatTensor({1, 4096, 4096, 1}));
      },
      ErrorCode::kLimitExceeded, "elements");
  ExpectRefusedWith(
      Convolution(),
      [](ModelSpec& m) { m.tensors.insert(m.tensors.end(), 30'000, FloatTensor({1})); },
      ErrorCode::kLimitExceeded, "tensors");
  ExpectRefusedWith(
      Convolution(), [](ModelSpec& m) { m.outputs.assign(1000, 3); }, ErrorCode::kLimitExceeded,
      "outputs");
}

TEST(ReadTflite, RefusesResultsOfAnotherShape) {
  for (const Shape& shape :
       {Shape{1, 5, 5, 4}, Shape{1, 4, 5, 3}, Shape{1, 5, 6, 3}, Shape{5, 5, 3}, Shape{1, 25, 3}}) {
    ExpectRefusedWith(
        Convolution(), [&](ModelSpec& m) { m.tensors[3].shape = shape; }, ErrorCode::kCorruptData,
        "result");
  }
}

TEST(ReadTflite, RefusesCyclesAndValuesUsedBeforeTheyAreComputed) {
  ModelSpec model;
  const std::int32_t x = model.AddInput({1, 4});
  const std::int32_t a = model.Apply({.op = BuiltinOperator::ADD}, {x, x}, {1, 4});
  const std::int32_t b = model.Apply({.op = BuiltinOperator::ADD}, {a, x}, {1, 4});
  model.outputs = {b};
  ExpectRefusedWith(
      model, [&](ModelSpec& m) { m.operators[0].inputs[1] = b; }, ErrorCode::kCorruptData,
      "no value");
  ExpectRefusedWith(
      model, [&](ModelSpec& m) { m.operators[0].inputs[1] = a; }, ErrorCode::kCorruptData,
      "no value");
  ExpectRefusedWith(
      model, [](ModelSpec& m) { std::swap(m.operators[0], m.operators[1]); },
      ErrorCode::kCorruptData, "no value");
  ExpectRefusedWith(
      model, [&](ModelSpec& m) { m.operators[1].outputs = {a}; }, ErrorCode::kCorruptData,
      "written twice");
  ExpectRefusedWith(
      model, [&](ModelSpec& m) { m.operators[1].outputs = {x}; }, ErrorCode::kCorruptData,
      "written twice");
}

TEST(ReadTflite, RefusesOutputsThatNobodyComputesAndInputsThatAreConstants) {
  ExpectRefusedWith(
      Convolution(), [](ModelSpec& m) { m.outputs = {m.Add(FloatTensor({1}))}; },
      ErrorCode::kCorruptData, "not computed");
  ExpectRefusedWith(
      Convolution(), [](ModelSpec& m) { m.outputs = {2}; }, ErrorCode::kCorruptData,
      "not computed");
  ExpectRefusedWith(
      Convolution(), [](ModelSpec& m) { m.inputs.push_back(2); }, ErrorCode::kCorruptData,
      "constant");
  ExpectRefusedWith(
      Convolution(), [](ModelSpec& m) { m.inputs.push_back(0); }, ErrorCode::kCorruptData, "twice");
}

TEST(ReadTflite, RefusesOptionsThatAreMissingOrOutOfRange) {
  const auto with = [](auto member, auto value) {
    return [=](ModelSpec& m) { m.operators[0].options.*member = value; };
  };
  ExpectRefusedWith(
      Convolution(), [](ModelSpec& m) { m.operators[0].omit_options = true; },
      ErrorCode::kCorruptData, "options");
  for (const std::int32_t value : {0, -1, kInt32Min}) {
    ExpectRefusedWith(Convolution(), with(&OptionsSpec::stride_h, value), ErrorCode::kCorruptData,
                      "stride");
    ExpectRefusedWith(Convolution(), with(&OptionsSpec::stride_w, value), ErrorCode::kCorruptData,
                      "stride");
    ExpectRefusedWith(Convolution(), with(&OptionsSpec::dilation_h, value), ErrorCode::kCorruptData,
                      "dilation");
  }
  ExpectRefusedWith(Convolution(), with(&OptionsSpec::stride_w, kInt32Max), ErrorCode::kCorruptData,
                    "stride");
  ExpectRefusedWith(Convolution(), with(&OptionsSpec::padding, static_cast<tflite::Padding>(2)),
                    ErrorCode::kCorruptData, "padding");
  ExpectRefusedWith(Convolution(),
                    with(&OptionsSpec::activation, static_cast<tflite::Activation>(4)),
                    ErrorCode::kUnsupported, "activation");
}

TEST(ReadTflite, RefusesFiltersAndBiasesThatDoNotFit) {
  ExpectRefusedWith(
      Convolution(),
      [](ModelSpec& m) {
        m.tensors[1] = FloatConstant({3, 1, 1, 1}, {1, 2, 3});
      },
      ErrorCode::kCorruptData, "filter");
  ExpectRefusedWith(
      Convolution(),
      [](ModelSpec& m) {
        m.tensors[1].shape = {3, 2};
      },
      ErrorCode::kCorruptData, "filter");
  ExpectRefusedWith(
      Convolution(),
      [](ModelSpec& m) {
        m.tensors[2] = FloatConstant({2}, {1, 2});
      },
      ErrorCode::kCorruptData, "bias");
  ExpectRefusedWith(
      Convolution(),
      [](ModelSpec& m) {
        m.tensors[2].shape = {1, 3};
      },
      ErrorCode::kCorruptData, "bias");
}

TEST(ReadTflite, RefusesAWindowLargerThanThePicture) {
  ModelSpec model = OneOperatorModel(
      {.op = BuiltinOperator::MAX_POOL_2D,
       .options = {.padding = tflite::Padding::VALID, .filter_h = 3, .filter_w = 3}},
      {FloatTensor({1, 3, 3, 1})}, {1, 1, 1, 1});
  const auto with = [](std::int32_t size) {
    return [size](ModelSpec& m) { m.operators[0].options.filter_w = size; };
  };
  for (const std::int32_t size : {4, 4096}) {
    ExpectRefusedWith(model, with(size), ErrorCode::kCorruptData, "window");
  }
  for (const std::int32_t size : {0, -1, kInt32Min, 1'000'000, kInt32Max}) {
    ExpectRefusedWith(model, with(size), ErrorCode::kCorruptData, "kernel");
  }
}

TEST(ReadTflite, RefusesWindowsThatWouldTakeUnboundedMemory) {
  ModelSpec model = OneOperatorModel(
      {.op = BuiltinOperator::MAX_POOL_2D, .options = {.filter_h = 2, .filter_w = 2}},
      {FloatTensor({1, 512, 512, 1})}, {1, 512, 512, 1});
  ExpectRefusedWith(
      model, [](ModelSpec& m) { m.operators[0].options.filter_w = 4000; },
      ErrorCode::kLimitExceeded, "windows");
}

TEST(ReadTflite, RefusesPoolingOfSingleValues) {
  ModelSpec model = OneOperatorModel(
      {.op = BuiltinOperator::MAX_POOL_2D, .options = {.filter_h = 2, .filter_w = 1}},
      {FloatTensor({1, 4, 4, 1})}, {1, 4, 4, 1});
  ExpectRefusedWith(
      model, [](ModelSpec& m) { m.operators[0].options.filter_h = 1; }, ErrorCode::kUnsupported,
      "MAX_POOL_2D");
}

}  // namespace
}  // namespace holostat::engine
