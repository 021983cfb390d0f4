#include "engine/sparse_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/corrupt.h"
#include "engine/tflite_file.h"

namespace holostat::engine {
namespace {

template <class T>
std::vector<std::uint32_t> Widen(const flatbuffers::Vector<T>* values) {
  const auto numbers = Numbers(values);
  // A negative index of the int32 form becomes a huge one, which is out of range as it should.
  std::vector<std::uint32_t> result(numbers.size());
  std::ranges::transform(numbers, result.begin(),
                         [](T value) { return static_cast<std::uint32_t>(value); });
  return result;
}

Result<std::vector<std::uint32_t>> ReadIndices(tflite::SparseIndexVector type, const void* vector) {
  if (vector != nullptr) {
    switch (type) {
      case tflite::SparseIndexVector::Int32Vector:
        return Widen(static_cast<const tflite::Int32Vector*>(vector)->values());
      case tflite::SparseIndexVector::Uint16Vector:
        return Widen(static_cast<const tflite::Uint16Vector*>(vector)->values());
      case tflite::SparseIndexVector::Uint8Vector:
        return Widen(static_cast<const tflite::Uint8Vector*>(vector)->values());
      case tflite::SparseIndexVector::NONE:
        break;
    }
  }
  return Corrupt("sparse indices of an unknown type");
}

bool IsInOrder(std::span<const std::int32_t> order, std::size_t rank) {
  if (order.size() != rank) return false;
  for (std::size_t i = 0; i < rank; ++i) {
    if (order[i] != static_cast<std::int32_t>(i)) return false;
  }
  return true;
}

// Checks that all is as we can read it but the rows themselves.
Result<void> CheckLayout(const tflite::SparsityParameters& sparsity, const Shape& shape) {
  if (shape.empty() || Count(sparsity.dim_metadata()) != shape.size()) {
    return Corrupt("not one sparsity entry a dimension");
  }
  if (!IsInOrder(Numbers(sparsity.traversal_order()), shape.size()) ||
      Count(sparsity.block_map()) != 0) {
    return Fail(ErrorCode::kUnsupported, "sparsity in blocks or out of order");
  }
  for (std::uint32_t i = 0; i < shape.size(); ++i) {
    const tflite::DimensionMetadata& dimension = *sparsity.dim_metadata()->Get(i);
    const bool is_last = i + 1 == shape.size();
    const auto wanted = is_last ? tflite::DimensionType::SPARSE_CSR : tflite::DimensionType::DENSE;
    if (dimension.format() != wanted) {
      return Fail(ErrorCode::kUnsupported, "sparsity other than along the last dimension");
    }
    if (!is_last && dimension.dense_size() != shape[i]) {
      return Corrupt(fmt::format("a dense size of {} for {}", dimension.dense_size(), shape[i]));
    }
  }
  return {};
}

Result<void> CheckRows(const SparseRows& rows, const Shape& shape) {
  const auto columns = static_cast<std::uint32_t>(shape.back());
  const std::size_t row_count = ElementCount(shape) / columns;
  if (rows.segments.size() != row_count + 1 || rows.segments.front() != 0 ||
      rows.segments.back() != rows.indices.size()) {
    return Corrupt("sparse segments do not cover the values");
  }
  for (std::size_t row = 0; row < row_count; ++row) {
    const std::size_t begin = rows.segments[row];
    const std::size_t end = rows.segments[row + 1];
    if (begin > end || end > rows.indices.size()) return Corrupt("sparse segments do not ascend");
    for (std::size_t i = begin; i < end; ++i) {
      if (rows.indices[i] >= columns || (i > begin && rows.indices[i] <= rows.indices[i - 1])) {
        return Corrupt(fmt::format("sparse column {} of {}", rows.indices[i], columns));
      }
    }
  }
  return {};
}

}  // namespace

Result<SparseRows> ReadSparseRows(const tflite::SparsityParameters& sparsity, const Shape& shape) {
  HOLO_TRY(CheckLayout(sparsity, shape));
  const tflite::DimensionMetadata& last =
      *sparsity.dim_metadata()->Get(static_cast<std::uint32_t>(shape.size() - 1));
  SparseRows rows;
  rows.segments = HOLO_TRY(ReadIndices(last.array_segments_type(), last.array_segments()));
  rows.indices = HOLO_TRY(ReadIndices(last.array_indices_type(), last.array_indices()));
  HOLO_TRY(CheckRows(rows, shape));
  return rows;
}

}  // namespace holostat::engine
