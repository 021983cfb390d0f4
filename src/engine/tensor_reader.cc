#include "engine/tensor_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "engine/sparse_reader.h"

namespace holostat::engine {
namespace {

constexpr std::size_t kMaxTensors = 20'000;
// Names only serve messages; a name shared by all tensors must not multiply into gigabytes.
constexpr std::size_t kMaxNameLength = 128;

std::string ReadName(const flatbuffers::String* name) {
  if (name == nullptr) return {};
  return name->str().substr(0, kMaxNameLength);
}

Result<DataType> ReadType(tflite::TensorType type) {
  switch (type) {
    case tflite::TensorType::FLOAT32:
      return DataType::kFloat32;
    case tflite::TensorType::FLOAT16:
      return DataType::kFloat16;
    case tflite::TensorType::INT32:
      return DataType::kInt32;
  }
  return Fail(ErrorCode::kUnsupported, fmt::format("element type {}", static_cast<int>(type)));
}

Result<Shape> ReadShape(std::span<const std::int32_t> sizes) {
  if (sizes.size() > kMaxRank) {
    return Fail(ErrorCode::kUnsupported, fmt::format("a rank of {}", sizes.size()));
  }
  std::size_t count = 1;
  for (const std::int32_t size : sizes) {
    if (size < 1) return Fail(ErrorCode::kCorruptData, fmt::format("a dimension of {}", size));
    // Neither factor exceeds 2^31, so the product cannot wrap before it is found too large.
    count *= static_cast<std::size_t>(size);
    if (count > kMaxTensorElements) {
      return Fail(ErrorCode::kLimitExceeded,
                  fmt::format("more than {} elements", kMaxTensorElements));
    }
  }
  return Shape(sizes.begin(), sizes.end());
}

Result<std::span<const std::uint8_t>> ReadData(const TfliteFile& file, const tflite::Tensor& from) {
  if (from.buffer() >= Count(file.model->buffers())) {
    return Fail(ErrorCode::kCorruptData, fmt::format("buffer {} does not exist", from.buffer()));
  }
  return Numbers(file.model->buffers()->Get(from.buffer())->data());
}

Result<void> CheckData(const Tensor& tensor) {
  const std::size_t elements =
      tensor.sparse ? tensor.sparse->indices.size() : ElementCount(tensor.shape);
  const std::size_t expected = elements * ByteSize(tensor.type);
  if (tensor.data.size() != expected) {
    return Fail(ErrorCode::kCorruptData,
                fmt::format("{} bytes of data instead of {}", tensor.data.size(), expected));
  }
  if (reinterpret_cast<std::uintptr_t>(tensor.data.data()) % ByteSize(tensor.type) != 0) {
    return Fail(ErrorCode::kCorruptData, "misaligned data");
  }
  return {};
}

Result<Tensor> ReadTensor(const TfliteFile& file, const tflite::Tensor& from) {
  if (from.is_variable()) return Fail(ErrorCode::kUnsupported, "a variable");
  Tensor tensor;
  tensor.name = ReadName(from.name());
  tensor.type = HOLO_TRY(ReadType(from.type()));
  tensor.shape = HOLO_TRY(ReadShape(Numbers(from.shape())));
  tensor.data = HOLO_TRY(ReadData(file, from));
  if (from.sparsity() != nullptr) {
    tensor.sparse =
        std::make_shared<SparseRows>(HOLO_TRY(ReadSparseRows(*from.sparsity(), tensor.shape)));
  }
  if (tensor.sparse && tensor.data.empty()) {
    return Fail(ErrorCode::kCorruptData, "a sparse constant without values");
  }
  if (tensor.is_constant()) HOLO_TRY(CheckData(tensor));
  return tensor;
}

}  // namespace

Result<std::vector<Tensor>> ReadTensors(const TfliteFile& file) {
  const std::size_t count = Count(file.subgraph->tensors());
  if (count > kMaxTensors) {
    return Fail(ErrorCode::kLimitExceeded, fmt::format("{} tensors", count));
  }
  std::vector<Tensor> tensors;
  tensors.reserve(count);
  std::size_t total = 0;
  for (std::size_t id = 0; id < count; ++id) {
    const auto& from = *file.subgraph->tensors()->Get(static_cast<std::uint32_t>(id));
    tensors.push_back(HOLO_TRY_CONTEXT(ReadTensor(file, from), fmt::format("tensor {}", id)));
    const Tensor& tensor = tensors.back();
    total += ElementCount(tensor.shape) + (tensor.sparse ? tensor.sparse->indices.size() : 0);
    if (total > kMaxTotalElements) {
      return Fail(ErrorCode::kLimitExceeded,
                  fmt::format("more than {} elements in all tensors", kMaxTotalElements));
    }
  }
  return tensors;
}

}  // namespace holostat::engine
