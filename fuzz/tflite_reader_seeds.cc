// Writes the seeds of tflite_reader_fuzz: one small model an operator and variant, into the folder
// named by the only argument.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "engine/model_builder.h"

namespace {

using namespace holostat::engine;
using tflite::BuiltinOperator;

// Harmless weights that differ from one another, exact in float16.
std::vector<float> Ramp(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = 0.25F * (static_cast<float>(i % 7) - 3.5F);
  return values;
}

class SeedFolder {
 public:
  explicit SeedFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void Write(const std::string& name, const ModelSpec& spec) const {
    const std::vector<std::uint8_t> file = BuildModel(spec);
    std::ofstream out(folder_ / name, std::ios::binary);
    for (const std::uint8_t byte : file) out.put(static_cast<char>(byte));
    if (!out.flush()) std::exit(EXIT_FAILURE);
  }

 private:
  std::filesystem::path folder_;
};

OperatorSpec Op(BuiltinOperator op, const OptionsSpec& options = {}) {
  return {.op = op, .options = options};
}

void WriteConvolutions(const SeedFolder& seeds) {
  seeds.Write("conv",
              OneOperatorModel(Op(BuiltinOperator::CONV_2D, {.stride_h = 2, .stride_w = 2}),
                               {FloatTensor({1, 5, 4, 2}), FloatConstant({3, 3, 3, 2}, Ramp(54)),
                                FloatConstant({3}, Ramp(3))},
                               {1, 3, 2, 3}));
  seeds.Write("depthwise",
              OneOperatorModel(
                  Op(BuiltinOperator::DEPTHWISE_CONV_2D, {.padding = tflite::Padding::VALID,
                                                          .activation = tflite::Activation::RELU6,
                                                          .dilation_h = 2}),
                  {FloatTensor({1, 7, 4, 3}), FloatConstant({1, 3, 2, 3}, Ramp(18)),
                   FloatConstant({3}, Ramp(3))},
                  {1, 3, 3, 3}));
  seeds.Write("fully_connected",
              OneOperatorModel(Op(BuiltinOperator::FULLY_CONNECTED),
                               {FloatTensor({1, 6}), FloatConstant({4, 6}, Ramp(24)),
                                FloatConstant({4}, Ramp(4))},
                               {1, 4}));
  seeds.Write("max_pool",
              OneOperatorModel(Op(BuiltinOperator::MAX_POOL_2D,
                                  {.stride_h = 2, .stride_w = 2, .filter_h = 2, .filter_w = 3}),
                               {FloatTensor({1, 5, 6, 2})}, {1, 3, 3, 2}));
}

// The weights of a 1x1 convolution as float16, dense or sparse.
void WritePackedWeights(const SeedFolder& seeds) {
  for (const bool is_sparse : {false, true}) {
    ModelSpec model;
    std::vector<float> weights = Ramp(12);
    std::int32_t half;
    if (is_sparse) {
      for (std::size_t i = 0; i < weights.size(); i += 2) weights[i] = 0;
      const std::int32_t packed =
          model.Add(SparseHalfConstant({3, 1, 1, 4}, weights, IndexWidth::kUint16));
      TensorSpec dense = FloatTensor({3, 1, 1, 4});
      dense.type = tflite::TensorType::FLOAT16;
      half = model.Add(dense);
      OperatorSpec densify = Op(BuiltinOperator::DENSIFY);
      densify.inputs = {packed};
      densify.outputs = {half};
      model.operators.push_back(densify);
    } else {
      half = model.Add(HalfConstant({3, 1, 1, 4}, weights));
    }
    const std::int32_t filter = model.Apply(Op(BuiltinOperator::DEQUANTIZE), {half}, {3, 1, 1, 4});
    const std::int32_t input = model.AddInput({1, 3, 2, 4});
    const std::int32_t conv =
        model.Apply(Op(BuiltinOperator::CONV_2D), {input, filter, -1}, {1, 3, 2, 3});
    model.outputs = {model.Apply(Op(BuiltinOperator::RELU), {conv}, {1, 3, 2, 3})};
    seeds.Write(is_sparse ? "sparse_weights" : "half_weights", model);
  }
}

void WriteElementwise(const SeedFolder& seeds) {
  const Shape shape = {1, 3, 2, 4};
  seeds.Write("add", OneOperatorModel(Op(BuiltinOperator::ADD),
                                      {FloatTensor(shape), FloatTensor({1, 3, 1, 4})}, shape));
  seeds.Write("mul", OneOperatorModel(Op(BuiltinOperator::MUL),
                                      {FloatTensor(shape), FloatConstant({1}, {0.25})}, shape));
  seeds.Write("logistic",
              OneOperatorModel(Op(BuiltinOperator::LOGISTIC), {FloatTensor(shape)}, shape));
  seeds.Write("relu6", OneOperatorModel(Op(BuiltinOperator::RELU6), {FloatTensor(shape)}, shape));
  seeds.Write("prelu",
              OneOperatorModel(Op(BuiltinOperator::PRELU),
                               {FloatTensor(shape), FloatConstant({1, 1, 4}, Ramp(4))}, shape));
}

void WriteMoves(const SeedFolder& seeds) {
  seeds.Write("concat",
              OneOperatorModel(Op(BuiltinOperator::CONCATENATION, {.axis = 1}),
                               {FloatTensor({1, 3, 2}), FloatTensor({1, 4, 2})}, {1, 7, 2}));
  seeds.Write("depth_to_space", OneOperatorModel(Op(BuiltinOperator::DEPTH_TO_SPACE),
                                                 {FloatTensor({1, 2, 3, 8})}, {1, 4, 6, 2}));
  seeds.Write("pad", OneOperatorModel(Op(BuiltinOperator::PAD),
                                      {FloatTensor({1, 2, 3, 2}),
                                       Int32Constant({4, 2}, {0, 0, 1, 0, 0, 2, 0, 1})},
                                      {1, 3, 5, 3}));
  seeds.Write(
      "reshape",
      OneOperatorModel(Op(BuiltinOperator::RESHAPE),
                       {FloatTensor({1, 2, 3, 2}), Int32Constant({3}, {1, -1, 4})}, {1, 3, 4}));
  seeds.Write("resize", OneOperatorModel(Op(BuiltinOperator::RESIZE_BILINEAR),
                                         {FloatTensor({1, 2, 3, 2}), Int32Constant({2}, {4, 5})},
                                         {1, 4, 5, 2}));
  seeds.Write("mean",
              OneOperatorModel(Op(BuiltinOperator::MEAN),
                               {FloatTensor({1, 3, 3, 4}), Int32Constant({2}, {1, 2})}, {1, 4}));
  seeds.Write("slice",
              OneOperatorModel(Op(BuiltinOperator::STRIDED_SLICE),
                               {FloatTensor({1, 2, 2, 4}), Int32Constant({4}, {0, 0, 0, 1}),
                                Int32Constant({4}, {1, 2, 2, 3}), Int32Constant({4}, {1, 1, 1, 1})},
                               {1, 2, 2, 2}));
}

void WriteAttentionMesh(const SeedFolder& seeds) {
  ModelSpec model;
  const std::int32_t landmarks = model.AddInput({1, 6, 3});
  const std::int32_t picture = model.AddInput({1, 6, 6, 2});
  const std::int32_t matrix = model.Apply(LandmarksToTransformMatrixOp({.left_rotation_index = 0,
                                                                        .right_rotation_index = 3,
                                                                        .output_height = 4,
                                                                        .output_width = 4,
                                                                        .scale_x = 1.5,
                                                                        .scale_y = 1.5,
                                                                        .subset = {0, 1, 2, 5}}),
                                          {landmarks}, {1, 4, 4});
  const std::int32_t crop =
      model.Apply(TransformTensorBilinearOp(4, 4), {picture, matrix}, {1, 4, 4, 2});
  const std::int32_t moved = model.Apply(TransformLandmarksOp(), {landmarks, matrix}, {1, 6, 3});
  model.outputs = {crop, moved};
  seeds.Write("attention_mesh", model);
}

// What a detector looks like: branches, a shortcut, reshapes into a concatenation, two outputs.
void WriteDetector(const SeedFolder& seeds) {
  ModelSpec model;
  const std::int32_t input = model.AddInput({1, 4, 4, 2});
  const std::int32_t filter = model.Add(FloatConstant({2, 1, 1, 2}, Ramp(4)));
  const std::int32_t bias = model.Add(FloatConstant({2}, Ramp(2)));
  const std::int32_t conv =
      model.Apply(Op(BuiltinOperator::CONV_2D), {input, filter, bias}, {1, 4, 4, 2});
  const std::int32_t sum = model.Apply(Op(BuiltinOperator::ADD), {conv, input}, {1, 4, 4, 2});
  const std::int32_t relu = model.Apply(Op(BuiltinOperator::RELU), {sum}, {1, 4, 4, 2});
  const OptionsSpec halve = {.stride_h = 2, .stride_w = 2, .filter_h = 2, .filter_w = 2};
  const std::int32_t pool =
      model.Apply(Op(BuiltinOperator::MAX_POOL_2D, halve), {relu}, {1, 2, 2, 2});
  const std::int32_t fine = model.Apply(Op(BuiltinOperator::RESHAPE), {relu}, {1, 16, 2});
  const std::int32_t coarse = model.Apply(Op(BuiltinOperator::RESHAPE), {pool}, {1, 4, 2});
  const std::int32_t all =
      model.Apply(Op(BuiltinOperator::CONCATENATION, {.axis = 1}), {fine, coarse}, {1, 20, 2});
  model.outputs = {all, relu};
  seeds.Write("detector", model);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || !std::filesystem::is_directory(argv[1])) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  const SeedFolder seeds(argv[1]);
  WriteConvolutions(seeds);
  WritePackedWeights(seeds);
  WriteElementwise(seeds);
  WriteMoves(seeds);
  WriteAttentionMesh(seeds);
  WriteDetector(seeds);
  return 0;
}
