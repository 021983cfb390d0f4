#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/graph.h"
#include "engine/tflite_generated.h"

// Model files for tests: described as plain data, so that a test can break any number in them, and
// written with the FlatBuffers builder. For tests only (library holostat_model_builder).
namespace holostat::engine {

struct SparseDimensionSpec {
  tflite::DimensionType format = tflite::DimensionType::DENSE;
  std::int32_t dense_size = 0;
  std::vector<std::int32_t> segments = {}, indices = {};  // of a compressed dimension
};
// How wide indices are stored. (Segments are always stored as int32.)
enum class IndexWidth { kUint8 = 1, kUint16, kInt32 };
struct SparsitySpec {
  std::vector<std::int32_t> traversal_order = {};
  std::vector<std::int32_t> block_map = {};
  std::vector<SparseDimensionSpec> dimensions = {};
  IndexWidth index_width = IndexWidth::kUint8;
};

struct TensorSpec {
  Shape shape;
  tflite::TensorType type = tflite::TensorType::FLOAT32;
  std::vector<std::uint8_t> data = {};  // of a constant; each gets a buffer of its own
  std::optional<SparsitySpec> sparsity = {};
  std::optional<std::uint32_t> buffer = {};  // number in the file, instead of that of `data`
  bool is_variable = false;
};

TensorSpec FloatTensor(Shape shape);
TensorSpec FloatConstant(Shape shape, const std::vector<float>& values);
TensorSpec Int32Constant(Shape shape, const std::vector<std::int32_t>& values);
// float16; bits that do not fit are cut off. REQUIRES: values zero or normal in float16.
TensorSpec HalfConstant(Shape shape, const std::vector<float>& values);
// As HalfConstant, with the zeros left out: compressed rows along the last dimension.
TensorSpec SparseHalfConstant(Shape shape, const std::vector<float>& values,
                              IndexWidth width = IndexWidth::kUint8);

// The options of all built-in operators together; BuildModel writes those of the operator.
struct OptionsSpec {
  tflite::Padding padding = tflite::Padding::SAME;
  tflite::Activation activation = tflite::Activation::NONE;
  std::int32_t stride_h = 1, stride_w = 1;
  std::int32_t dilation_h = 1, dilation_w = 1;
  std::int32_t filter_h = 1, filter_w = 1;  // MAX_POOL_2D
  std::int32_t axis = 0;                    // CONCATENATION
  std::int32_t block_size = 2;              // DEPTH_TO_SPACE
  bool align_corners = false, half_pixel_centers = true;
  bool keep_dims = false;  // MEAN
  std::int8_t weights_format = 0;
  std::int32_t begin_mask = 0, end_mask = 0, ellipsis_mask = 0, new_axis_mask = 0,
               shrink_axis_mask = 0;
};

struct OperatorSpec {
  tflite::BuiltinOperator op = tflite::BuiltinOperator::ADD;
  OptionsSpec options = {};
  std::vector<std::int32_t> inputs = {}, outputs = {};  // tensor numbers; -1: absent
  std::int32_t version = 1;
  std::string custom_code = {};                   // CUSTOM
  std::vector<std::uint8_t> custom_options = {};  // CUSTOM
  bool omit_options = false;
};

struct ModelSpec {
  std::vector<TensorSpec> tensors = {};
  std::vector<OperatorSpec> operators = {};
  std::vector<std::int32_t> inputs = {}, outputs = {};
  std::string identifier = "TFL3";
  std::uint32_t version = 3;
  int subgraphs = 1;                               // copies of the one described
  std::optional<std::uint32_t> opcode_index = {};  // for all operators, instead of the right one

  // Adds a tensor or operator and returns the number of the tensor (of the operator's result).
  std::int32_t Add(TensorSpec tensor);
  std::int32_t AddInput(Shape shape);
  std::int32_t Apply(OperatorSpec op, std::vector<std::int32_t> operands, Shape result);
};

// The bytes of a model file. Nothing is checked: what is described wrongly is written wrongly.
std::vector<std::uint8_t> BuildModel(const ModelSpec& spec);

// A model of one operator: operands without data become inputs of the model, in order, and the one
// result its output.
ModelSpec OneOperatorModel(OperatorSpec op, std::vector<TensorSpec> operands, Shape result);

// Custom operators of the attention mesh, with their options as the models carry them.
OperatorSpec LandmarksToTransformMatrixOp(const LandmarksToMatrixAttributes& attributes);
OperatorSpec TransformTensorBilinearOp(std::int32_t output_height, std::int32_t output_width);
OperatorSpec TransformLandmarksOp();

}  // namespace holostat::engine
