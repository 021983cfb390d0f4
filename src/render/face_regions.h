#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "holostat/frame_result.h"

namespace holostat::render {

// What belongs together in the mesh of a face, the same for every face.
struct FaceRegions {
  using Marks = std::array<bool, kFaceMeshCount>;

  // The landmarks joined to each by a side of a triangle, one list after the other.
  struct Neighbours {
    std::array<std::uint16_t, kFaceMeshCount + 1> first{};
    std::vector<std::uint16_t> all;

    std::span<const std::uint16_t> of(std::size_t landmark) const {
      return std::span(all).subspan(first[landmark], first[landmark + 1] - first[landmark]);
    }
  };

  Neighbours neighbours;
  Marks lips{};   // on and inside the outer lips
  Marks brows{};  // on their outline
  // Steps over sides of triangles to the nearest landmark of the oval.
  std::array<std::uint8_t, kFaceMeshCount> rings{};
  // By skin triangle: whether it is without eye, lip or brow, whose colours are their own.
  std::vector<bool> is_plain;
};

// Made at the first call. Thread-safe.
const FaceRegions& TheFaceRegions();

}  // namespace holostat::render
