#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "holostat/api.h"

namespace holostat {

inline constexpr std::size_t kPoseLandmarkCount = 33;
inline constexpr std::size_t kHandLandmarkCount = 21;
inline constexpr std::size_t kFaceMeshCount = 468;     // without attention refinement
inline constexpr std::size_t kFaceRefinedCount = 478;  // the mesh, then five points an iris
inline constexpr int kMaskSize = 256;

// A point of a picture: x and y are fractions of its width and height (origin top left, may leave
// 0..1), z is depth relative to the part's centre on the scale of x, smaller is nearer.
// A point of the world: metres, origin between the hips (pose) or in the hand's centre (hands).
struct Landmark {
  float x = 0, y = 0, z = 0;
};

struct PoseLandmark {
  float x = 0, y = 0, z = 0;
  float visibility = 0;  // 0..1: likely seen and not hidden
  float presence = 0;    // 0..1: likely inside the picture
};

struct Hand {
  float score = 0;  // 0..1: how sure the model is that this is a hand
  std::array<Landmark, kHandLandmarkCount> landmarks{};
  std::array<Landmark, kHandLandmarkCount> world_landmarks{};
};

struct Face {
  float score = 0;        // 0..1: how sure the model is that this is a face
  std::size_t count = 0;  // 468, or 478 with attention refinement; at most kFaceRefinedCount
  std::array<Landmark, kFaceRefinedCount> points{};

  std::span<const Landmark> landmarks() const { return {points.data(), count}; }
};

// Where the person is in the picture, at the resolution of the model. `RenderMask` draws it at any
// size. Borrowed from the tracker: valid until its next Process call.
struct SegmentationMask {
  std::span<const float> values;  // kMaskSize * kMaskSize probabilities 0..1, row-major
  // (u,v) fractions of the picture -> fractions of the mask, row-major 2x3. Fractions run from
  // outer edge to outer edge: the centre of the first pixel is at half a pixel.
  std::array<float, 6> image_to_mask{};
};

// One person. Left and right are the person's own sides.
struct Person {
  int id = 0;       // from 1; in a video always the same person's (docs/people.md)
  float score = 0;  // 0..1: how sure the pose model is that this is a person
  std::array<PoseLandmark, kPoseLandmarkCount> pose_landmarks{};
  std::array<PoseLandmark, kPoseLandmarkCount> pose_world_landmarks{};
  std::optional<Face> face;
  std::optional<Hand> left_hand;
  std::optional<Hand> right_hand;
  std::optional<SegmentationMask> segmentation;
};

// What was found in one picture. A view: `people` belongs to the tracker and is valid until its
// next Process call or its end; a Person may be copied (its mask stays borrowed).
struct FrameResult {
  std::chrono::microseconds timestamp{0};
  int width = 0;                   // of the picture, pixels
  int height = 0;                  // of the picture, pixels
  std::span<const Person> people;  // by id
};

// Draws `mask` as 8-bit probabilities (255 = person) into a buffer of width x height pixels, the
// size of the picture the mask came from. Bilinear, zero outside the region the model saw, and all
// zero when `values` is not of the size it says. Writes `width` bytes a row and nothing between.
// REQUIRES: `destination` is not null, and stride_bytes >= width.
HOLO_API void RenderMask(const SegmentationMask& mask, std::uint8_t* destination, int width,
                         int height, std::ptrdiff_t stride_bytes);

}  // namespace holostat
