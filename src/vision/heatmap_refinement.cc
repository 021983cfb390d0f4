#include "vision/heatmap_refinement.h"

#include <algorithm>
#include <optional>

#include "base/check.h"
#include "vision/activation.h"

namespace holostat::vision {
namespace {

constexpr int kReach = 3;  // cells to each side
constexpr float kMinConfidence = 0.5f;

// The cell of a fraction, truncated towards zero, when it lies on the map.
std::optional<int> CellOf(float fraction, int cells) {
  const float position = fraction * static_cast<float>(cells);
  if (!(position > -1.0f && position < static_cast<float>(cells))) return std::nullopt;
  return static_cast<int>(position);
}

struct Window {
  int first_row, end_row, first_column, end_column;
};

Window Around(int row, int column, const Heatmap& heatmap) {
  return {std::max(0, row - kReach), std::min(heatmap.rows, row + kReach + 1),
          std::max(0, column - kReach), std::min(heatmap.columns, column + kReach + 1)};
}

void RefineOne(const Heatmap& heatmap, const Window& window, std::size_t channel,
               std::size_t channels, PoseLandmark& landmark) {
  float sum = 0, surest = 0, weighted_column = 0, weighted_row = 0;
  for (int row = window.first_row; row < window.end_row; ++row) {
    for (int column = window.first_column; column < window.end_column; ++column) {
      const auto cell = static_cast<std::size_t>(row * heatmap.columns + column);
      const float confidence = Sigmoid(heatmap.logits[cell * channels + channel]);
      sum += confidence;
      surest = std::max(surest, confidence);
      weighted_column += static_cast<float>(column) * confidence;
      weighted_row += static_cast<float>(row) * confidence;
    }
  }
  if (!(surest >= kMinConfidence) || !(sum > 0)) return;
  landmark.x = weighted_column / static_cast<float>(heatmap.columns) / sum;
  landmark.y = weighted_row / static_cast<float>(heatmap.rows) / sum;
}

}  // namespace

void RefineFromHeatmap(const Heatmap& heatmap, std::span<PoseLandmark> landmarks) {
  const std::size_t channels = landmarks.size();
  HOLO_CHECK(heatmap.logits.size() == static_cast<std::size_t>(heatmap.rows) *
                                          static_cast<std::size_t>(heatmap.columns) * channels);
  for (std::size_t i = 0; i < channels; ++i) {
    const auto column = CellOf(landmarks[i].x, heatmap.columns);
    const auto row = CellOf(landmarks[i].y, heatmap.rows);
    if (!column || !row) continue;
    RefineOne(heatmap, Around(*row, *column, heatmap), i, channels, landmarks[i]);
  }
}

}  // namespace holostat::vision
