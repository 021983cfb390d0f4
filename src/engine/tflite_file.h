#pragma once

#include <cstdint>
#include <span>

#include "base/result.h"
#include "engine/tflite_generated.h"

namespace holostat::engine {

// The parts of a verified model file. Every offset in it is safe to follow, but any table, vector
// or string may be absent (nullptr), and every number is still whatever the file says.
struct TfliteFile {
  const tflite::Model* model;
  const tflite::SubGraph* subgraph;  // the only one
};

// Errors: kCorruptData, kUnsupported (more than one subgraph), kInvalidArgument (misaligned).
Result<TfliteFile> OpenTflite(std::span<const std::uint8_t> file);

// A vector of numbers; an absent one is empty.
template <class T>
std::span<const T> Numbers(const flatbuffers::Vector<T>* vector) {
  if (vector == nullptr) return {};
  return {vector->data(), vector->size()};
}

// The number of entries of a vector that may be absent.
template <class T>
std::size_t Count(const flatbuffers::Vector<T>* vector) {
  return vector == nullptr ? 0 : vector->size();
}

}  // namespace holostat::engine
