#include "vision/model_store.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/read_file.h"
#include "base/sha256.h"

namespace holostat::vision {
namespace {

constexpr std::array<ModelInfo, 9> kModels = {{
    {ModelId::kPoseDetection, "pose_detection", "pose_detection.tflite",
     "a63c614bef30d35947f13be361820b1e4e3bec9cfeebf4d11216a18373108e85", 2962288,
     "finds a body in the whole picture"},
    {ModelId::kPoseLandmarkLite, "pose_landmark_lite", "pose_landmark_lite.tflite",
     "f17bfbecadb61c3be1baa8b8d851cc6619c870a87167b32848ad20db306b9d61", 2819824,
     "33 body points and mask, fastest"},
    {ModelId::kPoseLandmarkFull, "pose_landmark_full", "pose_landmark_full.tflite",
     "e9a5c5cb17f736fafd4c2ec1da3b3d331d6edbe8a0d32395855aeb2cdfd64b9f", 6440512,
     "33 body points and mask"},
    {ModelId::kPoseLandmarkHeavy, "pose_landmark_heavy", "pose_landmark_heavy.tflite",
     "59e42d71bcd44cbdbabc419f0ff76686595fd265419566bd4009ef703ea8e1fe", 27709200,
     "33 body points and mask, most accurate"},
    {ModelId::kHandRecrop, "hand_recrop", "hand_recrop.tflite",
     "67d996ce96f9d36fe17d2693022c6da93168026ab2f028f9e2365398d8ac7d5d", 123792,
     "where exactly the hand is"},
    {ModelId::kHandLandmark, "hand_landmark_full", "hand_landmark_full.tflite",
     "8c026882c9ec059ce0f8e75266bee5a9a23c341a40e0000df755374d3d1b9b68", 5478688, "21 hand points"},
    {ModelId::kFaceDetection, "face_detection_short_range", "face_detection_short_range.tflite",
     "3bc182eb9f33925d9e58b5c8d59308a760f4adea8f282370e428c51212c26633", 229032,
     "where exactly the face is"},
    {ModelId::kFaceLandmark, "face_landmark", "face_landmark.tflite",
     "c603fa6149219a3e9487dc9abd7a0c24474c77263273d24868378cdf40aa26d1", 1241896,
     "468 face points"},
    {ModelId::kFaceLandmarkAttention, "face_landmark_with_attention",
     "face_landmark_with_attention.tflite",
     "883b7411747bac657c30c462d305d312e9dec6adbf8b85e2f5d8d722fca9455d", 2495952,
     "478 face points, finer eyes, irises and lips"},
}};

constexpr std::size_t IndexOf(ModelId id) { return static_cast<std::size_t>(id) - 1; }

constexpr bool TableIsInOrder() {
  for (std::size_t i = 0; i < kModels.size(); ++i) {
    if (IndexOf(kModels[i].id) != i) return false;
  }
  return true;
}
static_assert(TableIsInOrder());

}  // namespace

std::span<const ModelInfo> KnownModels() { return kModels; }

const ModelInfo& GetModelInfo(ModelId id) {
  HOLO_CHECK(IndexOf(id) < kModels.size());
  return kModels[IndexOf(id)];
}

Result<std::vector<std::uint8_t>> ReadModel(const std::filesystem::path& dir, ModelId id) {
  const ModelInfo& info = GetModelInfo(id);
  const std::filesystem::path path = dir / info.file;
  auto bytes = ReadFile(path, info.bytes);
  const bool too_large = !bytes && bytes.error().code == ErrorCode::kLimitExceeded;
  if (!bytes && !too_large) return bytes;
  if (too_large || bytes->size() != info.bytes) {
    return Fail(
        ErrorCode::kCorruptData,
        fmt::format("{} is not the model we know: expected {} bytes", path.string(), info.bytes));
  }
  if (Sha256Hex(*bytes) != info.sha256) {
    return Fail(ErrorCode::kCorruptData,
                fmt::format("{} is not the model we know: its SHA-256 differs", path.string()));
  }
  return bytes;
}

}  // namespace holostat::vision
