#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace holostat::vision {

// The model files of the holistic pipeline, all from npm @mediapipe/holistic 0.5.1675471629
// (Apache-2.0), pinned by content.
enum class ModelId : std::uint8_t {
  kPoseDetection = 1,
  kPoseLandmarkLite,
  kPoseLandmarkFull,
  kPoseLandmarkHeavy,
  kHandRecrop,
  kHandLandmark,
  kFaceDetection,
  kFaceLandmark,
  kFaceLandmarkAttention,
};

struct ModelInfo {
  ModelId id;
  std::string_view name;    // "pose_detection"
  std::string_view file;    // "pose_detection.tflite"
  std::string_view sha256;  // 64 lower-case hexadecimal digits
  std::uint64_t bytes;
  std::string_view purpose;  // a few words for `holostat models`
};

std::span<const ModelInfo> KnownModels();
const ModelInfo& GetModelInfo(ModelId id);

// Reads a model file of `dir` and checks what was read: its size and SHA-256. The bytes stay those
// whatever becomes of the file. Errors: kNotFound, kUnavailable, kCorruptData (not the file we
// know), kOverloaded.
Result<std::vector<std::uint8_t>> ReadModel(const std::filesystem::path& dir, ModelId id);

}  // namespace holostat::vision
