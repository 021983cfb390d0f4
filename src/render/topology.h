#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace holostat::render {

// Which landmarks are joined. Indices into the landmarks of the part; from the topology tables of
// google-ai-edge/mediapipe (Apache-2.0), python/solutions/*_connections.py.
struct Edge {
  std::uint16_t from, to;
};

std::span<const Edge> PoseEdges();              // 35
std::span<const Edge> HandEdges();              // 21
std::span<const Edge> FaceLipsEdges();          // 40
std::span<const Edge> FaceLeftEyeEdges();       // 16
std::span<const Edge> FaceRightEyeEdges();      // 16
std::span<const Edge> FaceLeftEyebrowEdges();   // 8
std::span<const Edge> FaceRightEyebrowEdges();  // 8
std::span<const Edge> FaceLeftIrisEdges();      // 4, refined faces only
std::span<const Edge> FaceRightIrisEdges();     // 4, refined faces only
std::span<const Edge> FaceOvalEdges();          // 36
std::span<const Edge> FaceTessellationEdges();  // each undirected edge once

}  // namespace holostat::render
