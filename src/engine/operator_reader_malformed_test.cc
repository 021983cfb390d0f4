// Model files with one operator that is wrong in one respect: its constant operands, its sparse
// weights, its custom options.
#include <gtest/gtest.h>

#include "engine/malformed_model.h"
#include "engine/model_builder.h"
#include "engine/tflite_reader.h"

namespace holostat::engine {
namespace {

using tflite::BuiltinOperator;

// --- Operators with constant operands ---

ModelSpec Padding() {
  return OneOperatorModel(
      {.op = BuiltinOperator::PAD},
      {FloatTensor({1, 2, 2, 1}), Int32Constant({4, 2}, {0, 0, 1, 1, 1, 1, 0, 0})}, {1, 4, 4, 1});
}

TEST(ReadTflite, RefusesBadPaddings) {
  const auto with = [](TensorSpec tensor) {
    return [tensor](ModelSpec& m) { m.tensors[1] = tensor; };
  };
  ExpectRefusedWith(Padding(), with(Int32Constant({4, 2}, {0, 0, -1, 3, 1, 1, 0, 0})),
                    ErrorCode::kCorruptData, "padding");
  ExpectRefusedWith(Padding(), with(Int32Constant({4, 2}, {0, 0, kInt32Max, 1, 1, 1, 0, 0})),
                    ErrorCode::kCorruptData, "padding");
  ExpectRefusedWith(Padding(), with(Int32Constant({3, 2}, {0, 0, 1, 1, 1, 1})),
                    ErrorCode::kCorruptData, "paddings");
  ExpectRefusedWith(Padding(), with(FloatConstant({4, 2}, {0, 0, 1, 1, 1, 1, 0, 0})),
                    ErrorCode::kCorruptData, "int32 constant");
  ExpectRefusedWith(Padding(), with(Int32Constant({1000, 2}, std::vector<std::int32_t>(2000, 0))),
                    ErrorCode::kCorruptData, "2000 values");
  ExpectRefusedWith(
      Padding(), [](ModelSpec& m) { m.tensors[1].data.clear(); }, ErrorCode::kCorruptData,
      "int32 constant");
}

ModelSpec Slice() {
  return OneOperatorModel({.op = BuiltinOperator::STRIDED_SLICE},
                          {FloatTensor({1, 2, 2, 4}), Int32Constant({4}, {0, 0, 0, 0}),
                           Int32Constant({4}, {1, 2, 2, 2}), Int32Constant({4}, {1, 1, 1, 1})},
                          {1, 2, 2, 2});
}

TEST(ReadTflite, RefusesBadSlices) {
  const auto with = [](std::size_t operand, std::vector<std::int32_t> values) {
    return [=](ModelSpec& m) {
      m.tensors[operand] = Int32Constant({static_cast<std::int32_t>(values.size())}, values);
    };
  };
  ExpectRefusedWith(Slice(), with(1, {0, 0, 0, 2}), ErrorCode::kCorruptData, "range");
  ExpectRefusedWith(Slice(), with(1, {0, 0, 0, kInt32Max}), ErrorCode::kCorruptData, "range");
  ExpectRefusedWith(Slice(), with(2, {1, 2, 2, kInt32Min}), ErrorCode::kCorruptData, "range");
  ExpectRefusedWith(Slice(), with(2, {1, 2, 2}), ErrorCode::kCorruptData, "range");
  ExpectRefusedWith(Slice(), with(3, {1, 1, 1, 2}), ErrorCode::kUnsupported, "stride 2");
  ExpectRefusedWith(Slice(), with(3, {1, 1, 1, 0}), ErrorCode::kUnsupported, "stride 0");
  ExpectRefusedWith(
      Slice(), [](ModelSpec& m) { m.operators[0].options.shrink_axis_mask = 1; },
      ErrorCode::kUnsupported, "rank");
}

TEST(ReadTflite, RefusesBadResizes) {
  const ModelSpec model =
      OneOperatorModel({.op = BuiltinOperator::RESIZE_BILINEAR},
                       {FloatTensor({1, 2, 2, 4}), Int32Constant({2}, {4, 6})}, {1, 4, 6, 4});
  const auto with = [](TensorSpec tensor) {
    return [tensor](ModelSpec& m) { m.tensors[1] = tensor; };
  };
  ExpectRefusedWith(model, with(Int32Constant({2}, {6, 4})), ErrorCode::kCorruptData, "size");
  ExpectRefusedWith(model, with(Int32Constant({1}, {4})), ErrorCode::kCorruptData, "size");
  ExpectRefusedWith(
      model, [](ModelSpec& m) { m.operators[0].options.half_pixel_centers = false; },
      ErrorCode::kUnsupported, "resize");
  ExpectRefusedWith(
      model, [](ModelSpec& m) { m.operators[0].options.align_corners = true; },
      ErrorCode::kUnsupported, "resize");
}

TEST(ReadTflite, RefusesBadMeans) {
  const ModelSpec model =
      OneOperatorModel({.op = BuiltinOperator::MEAN},
                       {FloatTensor({1, 2, 2, 4}), Int32Constant({2}, {1, 2})}, {1, 4});
  for (const std::vector<std::int32_t>& axes :
       {std::vector<std::int32_t>{1, 1}, {0, 1}, {2, 3}, {kInt32Min, kInt32Max}}) {
    ExpectRefusedWith(
        model, [&](ModelSpec& m) { m.tensors[1] = Int32Constant({2}, axes); },
        ErrorCode::kUnsupported, "mean");
  }
  ExpectRefusedWith(
      model, [](ModelSpec& m) { m.operators[0].options.keep_dims = true; }, ErrorCode::kCorruptData,
      "rank");
}

TEST(ReadTflite, RefusesBadConcatenations) {
  const ModelSpec model =
      OneOperatorModel({.op = BuiltinOperator::CONCATENATION, .options = {.axis = 1}},
                       {FloatTensor({1, 2, 4}), FloatTensor({1, 3, 4})}, {1, 5, 4});
  for (const std::int32_t axis : {3, -4, kInt32Max, kInt32Min}) {
    ExpectRefusedWith(
        model, [&](ModelSpec& m) { m.operators[0].options.axis = axis; }, ErrorCode::kCorruptData,
        "axis");
  }
  ExpectRefusedWith(
      model, [](ModelSpec& m) { m.operators[0].options.axis = 2; }, ErrorCode::kCorruptData,
      "differ");
  ExpectRefusedWith(
      model,
      [](ModelSpec& m) {
        m.tensors[1].shape = {1, 3};
      },
      ErrorCode::kCorruptData, "differ");
}

TEST(ReadTflite, RefusesBadReshapesAndBlocks) {
  const ModelSpec reshape =
      OneOperatorModel({.op = BuiltinOperator::RESHAPE},
                       {FloatTensor({1, 2, 6}), Int32Constant({2}, {1, -1})}, {1, 12});
  ExpectRefusedWith(
      reshape,
      [](ModelSpec& m) {
        m.tensors[1] = Int32Constant({2}, {2, 6});
      },
      ErrorCode::kCorruptData, "target");
  ExpectRefusedWith(
      reshape,
      [](ModelSpec& m) {
        m.tensors[2].shape = {1, 13};
      },
      ErrorCode::kCorruptData, "cannot become");

  const ModelSpec blocks = OneOperatorModel({.op = BuiltinOperator::DEPTH_TO_SPACE},
                                            {FloatTensor({1, 1, 1, 8})}, {1, 2, 2, 2});
  for (const std::int32_t size : {0, 1, 3, -2, 65536, kInt32Max, kInt32Min}) {
    ExpectRefusedWith(
        blocks, [&](ModelSpec& m) { m.operators[0].options.block_size = size; },
        ErrorCode::kCorruptData, "blocks");
  }
}

// --- Sparse constants ---

// 0 packed, 1 dense float16, 2 the same as float32, then a convolution with it.
ModelSpec SparseWeights() {
  ModelSpec model;
  const std::int32_t packed = model.Add(SparseHalfConstant({2, 1, 1, 4}, {0, 1, 0, 2, 3, 0, 0, 4}));
  TensorSpec half = FloatTensor({2, 1, 1, 4});
  half.type = tflite::TensorType::FLOAT16;
  const std::int32_t dense = model.Add(half);
  model.operators.push_back(
      {.op = BuiltinOperator::DENSIFY, .inputs = {packed}, .outputs = {dense}});
  const std::int32_t filter =
      model.Apply({.op = BuiltinOperator::DEQUANTIZE}, {dense}, {2, 1, 1, 4});
  const std::int32_t input = model.AddInput({1, 3, 3, 4});
  model.outputs = {
      model.Apply({.op = BuiltinOperator::CONV_2D}, {input, filter, -1}, {1, 3, 3, 2})};
  return model;
}

TEST(ReadTflite, RefusesSparseRowsThatDoNotFit) {
  const auto with = [](auto member, std::vector<std::int32_t> values) {
    return [=](ModelSpec& m) { m.tensors[0].sparsity->dimensions[3].*member = values; };
  };
  constexpr auto kSegments = &SparseDimensionSpec::segments;
  constexpr auto kIndices = &SparseDimensionSpec::indices;
  ExpectRefusedWith(SparseWeights(), with(kSegments, {0, 2}), ErrorCode::kCorruptData, "segments");
  ExpectRefusedWith(SparseWeights(), with(kSegments, {}), ErrorCode::kCorruptData, "segments");
  ExpectRefusedWith(SparseWeights(), with(kSegments, {0, 5, 4}), ErrorCode::kCorruptData,
                    "segments");
  ExpectRefusedWith(SparseWeights(), with(kSegments, {0, -1, 4}), ErrorCode::kCorruptData,
                    "segments");
  ExpectRefusedWith(SparseWeights(), with(kSegments, {1, 2, 4}), ErrorCode::kCorruptData,
                    "segments");
  ExpectRefusedWith(SparseWeights(), with(kIndices, {1, 4, 0, 3}), ErrorCode::kCorruptData,
                    "column 4");
  ExpectRefusedWith(SparseWeights(), with(kIndices, {1, 1, 0, 3}), ErrorCode::kCorruptData,
                    "column 1");
  ExpectRefusedWith(SparseWeights(), with(kIndices, {1, 3, 0}), ErrorCode::kCorruptData,
                    "segments");
}

TEST(ReadTflite, RefusesOtherKindsOfSparsity) {
  ExpectRefusedWith(
      SparseWeights(),
      [](ModelSpec& m) {
        m.tensors[0].sparsity->traversal_order = {3, 0, 1, 2};
      },
      ErrorCode::kUnsupported, "order");
  ExpectRefusedWith(
      SparseWeights(), [](ModelSpec& m) { m.tensors[0].sparsity->block_map = {3}; },
      ErrorCode::kUnsupported, "blocks");
  ExpectRefusedWith(
      SparseWeights(),
      [](ModelSpec& m) {
        m.tensors[0].sparsity->dimensions[0].format = tflite::DimensionType::SPARSE_CSR;
      },
      ErrorCode::kUnsupported, "last dimension");
  ExpectRefusedWith(
      SparseWeights(), [](ModelSpec& m) { m.tensors[0].sparsity->dimensions.pop_back(); },
      ErrorCode::kCorruptData, "dimension");
  ExpectRefusedWith(
      SparseWeights(), [](ModelSpec& m) { m.tensors[0].sparsity->dimensions[0].dense_size = 3; },
      ErrorCode::kCorruptData, "dense size");
  ExpectRefusedWith(
      SparseWeights(), [](ModelSpec& m) { m.operators[1].inputs = {0}; }, ErrorCode::kUnsupported,
      "packing");
}

// --- The attention mesh ---

ModelSpec Crop() {
  return OneOperatorModel(LandmarksToTransformMatrixOp({.left_rotation_index = 0,
                                                        .right_rotation_index = 1,
                                                        .output_height = 16,
                                                        .output_width = 16,
                                                        .subset = {0, 1, 2}}),
                          {FloatTensor({1, 3, 3})}, {1, 4, 4});
}

TEST(ReadTflite, RefusesBadOptionsOfCustomOperators) {
  const auto with = [](LandmarksToMatrixAttributes attributes) {
    return [attributes](ModelSpec& m) {
      m.operators[0].custom_options = LandmarksToTransformMatrixOp(attributes).custom_options;
    };
  };
  LandmarksToMatrixAttributes good = {.output_height = 16, .output_width = 16, .subset = {0, 1}};
  auto bad = good;
  for (const std::int32_t index : {3, -1, kInt32Max}) {
    bad = good, bad.left_rotation_index = index;
    ExpectRefusedWith(Crop(), with(bad), ErrorCode::kCorruptData, "landmark index");
    bad = good, bad.subset = {0, index};
    ExpectRefusedWith(Crop(), with(bad), ErrorCode::kCorruptData, "landmark index");
  }
  bad = good, bad.subset = {};
  ExpectRefusedWith(Crop(), with(bad), ErrorCode::kCorruptData, "");
  for (const std::int32_t size : {0, -16, kInt32Max}) {
    bad = good, bad.output_width = size;
    ExpectRefusedWith(Crop(), with(bad), ErrorCode::kCorruptData, "crop");
  }
}

TEST(ReadTflite, SurvivesEveryByteOfCustomOptionsReplacedOrCutOff) {
  const ModelSpec model = Crop();
  const std::vector<std::uint8_t> options = model.operators[0].custom_options;
  for (std::size_t i = 0; i < options.size(); ++i) {
    ModelSpec changed = model;
    changed.operators[0].custom_options.resize(i);
    EXPECT_FALSE(ReadTflite(BuildModel(changed))) << "cut off at " << i;
    for (const int byte : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      changed.operators[0].custom_options = options;
      changed.operators[0].custom_options[i] = static_cast<std::uint8_t>(byte);
      const auto graph = ReadTflite(BuildModel(changed));
      EXPECT_TRUE(graph || !graph.error().message.empty());
    }
  }
}

TEST(ReadTflite, RefusesBadMatricesAndLandmarks) {
  const ModelSpec points = OneOperatorModel(
      TransformLandmarksOp(), {FloatTensor({1, 5, 2}), FloatTensor({1, 4, 4})}, {1, 5, 2});
  ExpectRefusedWith(
      points,
      [](ModelSpec& m) {
        m.tensors[1].shape = {1, 16};
      },
      ErrorCode::kCorruptData, "matrix");
  ExpectRefusedWith(
      points,
      [](ModelSpec& m) {
        m.tensors[0].shape = m.tensors[2].shape = {1, 10, 1};
      },
      ErrorCode::kCorruptData, "landmarks");

  const ModelSpec picture =
      OneOperatorModel(TransformTensorBilinearOp(3, 4),
                       {FloatTensor({1, 8, 8, 2}), FloatTensor({1, 4, 4})}, {1, 3, 4, 2});
  ExpectRefusedWith(
      picture,
      [](ModelSpec& m) {
        m.tensors[1].shape = {4, 4};
      },
      ErrorCode::kCorruptData, "matrix");
  ExpectRefusedWith(
      picture, [](ModelSpec& m) { m.operators[0].custom_options.clear(); }, ErrorCode::kCorruptData,
      "options");
}

}  // namespace
}  // namespace holostat::engine
