#include "engine/tflite_file.h"

namespace holostat::engine {
namespace {

// The deepest path of the format (model, subgraph, operator, options) is far from the first; the
// largest model we run has about 3,500 tables. Both stop files whose tables refer to one another
// to make the verifier walk for ages.
constexpr flatbuffers::uoffset_t kMaxDepth = 16;
constexpr flatbuffers::uoffset_t kMaxTables = 100'000;

bool IsAligned(std::span<const std::uint8_t> file) {
  return reinterpret_cast<std::uintptr_t>(file.data()) % alignof(std::uint64_t) == 0;
}

}  // namespace

Result<TfliteFile> OpenTflite(std::span<const std::uint8_t> file) {
  // FlatBuffers checks alignment from the start of the buffer only.
  if (!IsAligned(file)) {
    return Fail(ErrorCode::kInvalidArgument, "the model file must lie at a multiple of 8 bytes");
  }
  if (file.size() >= FLATBUFFERS_MAX_BUFFER_SIZE) {
    return Fail(ErrorCode::kLimitExceeded, "the model file is larger than 2 GiB");
  }
  flatbuffers::Verifier::Options limits;
  limits.max_depth = kMaxDepth;
  limits.max_tables = kMaxTables;
  flatbuffers::Verifier verifier(file.data(), file.size(), limits);
  if (!tflite::VerifyModelBuffer(verifier)) {
    return Fail(ErrorCode::kCorruptData, "not a TensorFlow Lite file, or a damaged one");
  }
  const tflite::Model* model = tflite::GetModel(file.data());
  if (Count(model->subgraphs()) != 1) {
    return Fail(ErrorCode::kUnsupported, "a model must have exactly one subgraph");
  }
  return TfliteFile{model, model->subgraphs()->Get(0)};
}

}  // namespace holostat::engine
