#include "engine/model_builder.h"

#include <flatbuffers/flexbuffers.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace holostat::engine {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using tflite::BuiltinOperator;
using tflite::BuiltinOptions;

template <class T>
std::vector<std::uint8_t> Bytes(const std::vector<T>& values) {
  std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::uint16_t HalfBits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000;
  if ((bits & 0x7fffffff) == 0) return static_cast<std::uint16_t>(sign);
  const std::uint32_t exponent = (bits >> 23 & 0xff) - 127 + 15;
  return static_cast<std::uint16_t>(sign | exponent << 10 | (bits >> 13 & 0x3ff));
}

template <class T>
std::vector<T> Narrow(const std::vector<std::int32_t>& values) {
  std::vector<T> result;
  for (const std::int32_t v : values) result.push_back(static_cast<T>(v));
  return result;
}

using IndexVector = std::pair<tflite::SparseIndexVector, Offset<void>>;

IndexVector WriteIndices(FlatBufferBuilder& fbb, const std::vector<std::int32_t>& values,
                         IndexWidth width) {
  switch (width) {
    case IndexWidth::kUint8: {
      fbb.ForceVectorAlignment(values.size(), sizeof(std::uint8_t), 4);
      const auto narrow = Narrow<std::uint8_t>(values);
      return {tflite::SparseIndexVector::Uint8Vector,
              tflite::CreateUint8Vector(fbb, fbb.CreateVector(narrow)).Union()};
    }
    case IndexWidth::kUint16: {
      fbb.ForceVectorAlignment(values.size(), sizeof(std::uint16_t), 4);
      const auto narrow = Narrow<std::uint16_t>(values);
      return {tflite::SparseIndexVector::Uint16Vector,
              tflite::CreateUint16Vector(fbb, fbb.CreateVector(narrow)).Union()};
    }
    case IndexWidth::kInt32:
      break;
  }
  return {tflite::SparseIndexVector::Int32Vector,
          tflite::CreateInt32Vector(fbb, fbb.CreateVector(values)).Union()};
}

Offset<tflite::SparsityParameters> WriteSparsity(FlatBufferBuilder& fbb, const SparsitySpec& spec) {
  std::vector<Offset<tflite::DimensionMetadata>> dimensions;
  for (const SparseDimensionSpec& d : spec.dimensions) {
    IndexVector segments = {}, indices = {};
    if (d.format == tflite::DimensionType::SPARSE_CSR) {
      segments = WriteIndices(fbb, d.segments, IndexWidth::kInt32);
      indices = WriteIndices(fbb, d.indices, spec.index_width);
    }
    dimensions.push_back(tflite::CreateDimensionMetadata(fbb, d.format, d.dense_size,
                                                         segments.first, segments.second,
                                                         indices.first, indices.second));
  }
  const auto order = fbb.CreateVector(spec.traversal_order);
  const auto blocks = fbb.CreateVector(spec.block_map);
  return tflite::CreateSparsityParameters(fbb, order, blocks, fbb.CreateVector(dimensions));
}

using Options = std::pair<BuiltinOptions, Offset<void>>;

Options WriteOptions(FlatBufferBuilder& fbb, BuiltinOperator op, const OptionsSpec& o) {
  switch (op) {
    case BuiltinOperator::ADD:
      return {BuiltinOptions::AddOptions, tflite::CreateAddOptions(fbb, o.activation).Union()};
    case BuiltinOperator::MUL:
      return {BuiltinOptions::MulOptions, tflite::CreateMulOptions(fbb, o.activation).Union()};
    case BuiltinOperator::CONCATENATION:
      return {BuiltinOptions::ConcatenationOptions,
              tflite::CreateConcatenationOptions(fbb, o.axis, o.activation).Union()};
    case BuiltinOperator::CONV_2D:
      return {BuiltinOptions::Conv2DOptions,
              tflite::CreateConv2DOptions(fbb, o.padding, o.stride_w, o.stride_h, o.activation,
                                          o.dilation_w, o.dilation_h)
                  .Union()};
    case BuiltinOperator::DEPTHWISE_CONV_2D:
      return {BuiltinOptions::DepthwiseConv2DOptions,
              tflite::CreateDepthwiseConv2DOptions(fbb, o.padding, o.stride_w, o.stride_h,
                                                   o.activation, o.dilation_w, o.dilation_h)
                  .Union()};
    case BuiltinOperator::MAX_POOL_2D:
      return {BuiltinOptions::Pool2DOptions,
              tflite::CreatePool2DOptions(fbb, o.padding, o.stride_w, o.stride_h, o.filter_w,
                                          o.filter_h, o.activation)
                  .Union()};
    case BuiltinOperator::FULLY_CONNECTED:
      return {BuiltinOptions::FullyConnectedOptions,
              tflite::CreateFullyConnectedOptions(fbb, o.activation, o.weights_format).Union()};
    case BuiltinOperator::DEPTH_TO_SPACE:
      return {BuiltinOptions::DepthToSpaceOptions,
              tflite::CreateDepthToSpaceOptions(fbb, o.block_size).Union()};
    case BuiltinOperator::RESIZE_BILINEAR:
      return {
          BuiltinOptions::ResizeBilinearOptions,
          tflite::CreateResizeBilinearOptions(fbb, o.align_corners, o.half_pixel_centers).Union()};
    case BuiltinOperator::MEAN:
      return {BuiltinOptions::ReducerOptions,
              tflite::CreateReducerOptions(fbb, o.keep_dims).Union()};
    case BuiltinOperator::STRIDED_SLICE:
      return {BuiltinOptions::StridedSliceOptions,
              tflite::CreateStridedSliceOptions(fbb, o.begin_mask, o.end_mask, o.ellipsis_mask,
                                                o.new_axis_mask, o.shrink_axis_mask)
                  .Union()};
    default:  // the format gives the others no options that we read
      return {BuiltinOptions::NONE, 0};
  }
}

Offset<tflite::OperatorCode> WriteOperatorCode(FlatBufferBuilder& fbb, const OperatorSpec& spec) {
  // Files name codes up to 127 in the narrow field as well.
  const auto code = static_cast<std::int32_t>(spec.op);
  const auto narrow = static_cast<std::int8_t>(std::min(code, 127));
  const char* custom = spec.op == BuiltinOperator::CUSTOM ? spec.custom_code.c_str() : nullptr;
  return tflite::CreateOperatorCodeDirect(fbb, narrow, custom, spec.version, spec.op);
}

Offset<tflite::Operator> WriteOperator(FlatBufferBuilder& fbb, const OperatorSpec& spec,
                                       std::uint32_t opcode_index) {
  const Options options = spec.omit_options ? Options{} : WriteOptions(fbb, spec.op, spec.options);
  const auto inputs = fbb.CreateVector(spec.inputs);
  const auto outputs = fbb.CreateVector(spec.outputs);
  Offset<flatbuffers::Vector<std::uint8_t>> custom;
  if (!spec.custom_options.empty()) custom = fbb.CreateVector(spec.custom_options);
  return tflite::CreateOperator(fbb, opcode_index, inputs, outputs, options.first, options.second,
                                custom);
}

Offset<tflite::SubGraph> WriteSubGraph(FlatBufferBuilder& fbb, const ModelSpec& spec) {
  std::vector<Offset<tflite::Tensor>> tensors;
  for (std::size_t i = 0; i < spec.tensors.size(); ++i) {
    const TensorSpec& t = spec.tensors[i];
    // Buffer 0 is the empty one that all tensors without data share; the others follow in order.
    const std::uint32_t buffer =
        t.buffer.value_or(t.data.empty() ? 0 : static_cast<std::uint32_t>(i) + 1);
    Offset<tflite::SparsityParameters> sparsity;
    if (t.sparsity) sparsity = WriteSparsity(fbb, *t.sparsity);
    const std::string name = "t" + std::to_string(i);
    tensors.push_back(tflite::CreateTensorDirect(fbb, &t.shape, t.type, buffer, name.c_str(),
                                                 t.is_variable, sparsity));
  }
  std::vector<Offset<tflite::Operator>> operators;
  for (std::size_t i = 0; i < spec.operators.size(); ++i) {
    const auto own_code = static_cast<std::uint32_t>(i);
    operators.push_back(
        WriteOperator(fbb, spec.operators[i], spec.opcode_index.value_or(own_code)));
  }
  return tflite::CreateSubGraphDirect(fbb, &tensors, &spec.inputs, &spec.outputs, &operators);
}

std::vector<Offset<tflite::Buffer>> WriteBuffers(FlatBufferBuilder& fbb, const ModelSpec& spec) {
  std::vector<Offset<tflite::Buffer>> buffers = {tflite::CreateBuffer(fbb)};
  for (const TensorSpec& t : spec.tensors) {
    Offset<flatbuffers::Vector<std::uint8_t>> data;
    if (!t.data.empty()) {
      fbb.ForceVectorAlignment(t.data.size(), 1, 16);
      data = fbb.CreateVector(t.data);
    }
    buffers.push_back(tflite::CreateBuffer(fbb, data));
  }
  return buffers;
}

OperatorSpec CustomOp(std::string code, std::vector<std::uint8_t> options) {
  return {.op = BuiltinOperator::CUSTOM,
          .version = 2,
          .custom_code = std::move(code),
          .custom_options = std::move(options)};
}

}  // namespace

TensorSpec FloatTensor(Shape shape) { return {.shape = std::move(shape)}; }

TensorSpec FloatConstant(Shape shape, const std::vector<float>& values) {
  return {.shape = std::move(shape), .data = Bytes(values)};
}

TensorSpec Int32Constant(Shape shape, const std::vector<std::int32_t>& values) {
  return {.shape = std::move(shape), .type = tflite::TensorType::INT32, .data = Bytes(values)};
}

TensorSpec HalfConstant(Shape shape, const std::vector<float>& values) {
  std::vector<std::uint16_t> halves;
  for (const float v : values) halves.push_back(HalfBits(v));
  return {.shape = std::move(shape), .type = tflite::TensorType::FLOAT16, .data = Bytes(halves)};
}

TensorSpec SparseHalfConstant(Shape shape, const std::vector<float>& values, IndexWidth width) {
  SparsitySpec sparsity{.index_width = width};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    sparsity.traversal_order.push_back(static_cast<std::int32_t>(d));
    sparsity.dimensions.push_back({.dense_size = shape[d]});
  }
  SparseDimensionSpec& rows = sparsity.dimensions.back();
  rows = {.format = tflite::DimensionType::SPARSE_CSR, .segments = {0}};
  std::vector<float> packed;
  const auto columns = static_cast<std::size_t>(shape.back());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != 0) {
      packed.push_back(values[i]);
      rows.indices.push_back(static_cast<std::int32_t>(i % columns));
    }
    const bool ends_row = (i + 1) % columns == 0;
    if (ends_row) rows.segments.push_back(static_cast<std::int32_t>(packed.size()));
  }
  TensorSpec tensor = HalfConstant(std::move(shape), packed);
  tensor.sparsity = std::move(sparsity);
  return tensor;
}

std::int32_t ModelSpec::Add(TensorSpec tensor) {
  tensors.push_back(std::move(tensor));
  return static_cast<std::int32_t>(tensors.size() - 1);
}

std::int32_t ModelSpec::AddInput(Shape shape) {
  inputs.push_back(Add(FloatTensor(std::move(shape))));
  return inputs.back();
}

std::int32_t ModelSpec::Apply(OperatorSpec op, std::vector<std::int32_t> operands, Shape result) {
  const std::int32_t id = Add(FloatTensor(std::move(result)));
  op.inputs = std::move(operands);
  op.outputs = {id};
  operators.push_back(std::move(op));
  return id;
}

std::vector<std::uint8_t> BuildModel(const ModelSpec& spec) {
  FlatBufferBuilder fbb;
  const auto buffers = WriteBuffers(fbb, spec);
  std::vector<Offset<tflite::SubGraph>> subgraphs;
  for (int i = 0; i < spec.subgraphs; ++i) subgraphs.push_back(WriteSubGraph(fbb, spec));
  std::vector<Offset<tflite::OperatorCode>> codes;
  for (const OperatorSpec& op : spec.operators) codes.push_back(WriteOperatorCode(fbb, op));
  const auto model = tflite::CreateModelDirect(fbb, spec.version, &codes, &subgraphs, &buffers);
  fbb.Finish(model, spec.identifier.empty() ? nullptr : spec.identifier.c_str());
  return {fbb.GetBufferPointer(), fbb.GetBufferPointer() + fbb.GetSize()};
}

ModelSpec OneOperatorModel(OperatorSpec op, std::vector<TensorSpec> operands, Shape result) {
  ModelSpec spec;
  std::vector<std::int32_t> ids;
  for (TensorSpec& operand : operands) {
    const bool is_input = operand.data.empty();
    ids.push_back(spec.Add(std::move(operand)));
    if (is_input) spec.inputs.push_back(ids.back());
  }
  spec.outputs = {spec.Apply(std::move(op), ids, std::move(result))};
  return spec;
}

OperatorSpec LandmarksToTransformMatrixOp(const LandmarksToMatrixAttributes& a) {
  flexbuffers::Builder options;
  options.Map([&] {
    options.Int("left_rotation_idx", a.left_rotation_index);
    options.Int("right_rotation_idx", a.right_rotation_index);
    options.Float("target_rotation_radians", a.target_rotation_radians);
    options.Int("output_height", a.output_height);
    options.Int("output_width", a.output_width);
    options.Float("scale_x", a.scale_x);
    options.Float("scale_y", a.scale_y);
    options.Key("subset_idxs");
    options.Vector(a.subset);
  });
  options.Finish();
  return CustomOp("Landmarks2TransformMatrix", options.GetBuffer());
}

OperatorSpec TransformTensorBilinearOp(std::int32_t output_height, std::int32_t output_width) {
  flexbuffers::Builder options;
  options.Map([&] {
    options.Int("output_height", output_height);
    options.Int("output_width", output_width);
  });
  options.Finish();
  return CustomOp("TransformTensorBilinear", options.GetBuffer());
}

OperatorSpec TransformLandmarksOp() { return CustomOp("TransformLandmarks", {}); }

}  // namespace holostat::engine
