#include "render/face_regions.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "render/face_mesh.h"
#include "render/topology.h"

namespace holostat::render {
namespace {

using Marks = FaceRegions::Marks;

FaceRegions::Neighbours FindNeighbours() {
  std::vector<std::pair<std::uint16_t, std::uint16_t>> sides;
  for (const Triangle& t : FaceTriangles()) {
    for (std::size_t i = 0; i < 3; ++i) {
      sides.emplace_back(t[i], t[(i + 1) % 3]);
      sides.emplace_back(t[(i + 1) % 3], t[i]);
    }
  }
  std::ranges::sort(sides);
  sides.erase(std::unique(sides.begin(), sides.end()), sides.end());
  FaceRegions::Neighbours neighbours;
  for (const auto& [from, to] : sides) {
    ++neighbours.first[from + 1u];
    neighbours.all.push_back(to);
  }
  std::partial_sum(neighbours.first.begin(), neighbours.first.end(), neighbours.first.begin());
  return neighbours;
}

void Mark(std::span<const Edge> edges, Marks& marks) {
  for (const Edge& edge : edges) marks[edge.from] = marks[edge.to] = true;
}

// The landmarks on and inside a loop, by their places in the unrolled face.
Marks Within(std::span<const std::uint16_t> loop) {
  const auto places = FaceTexturePlaces();
  Marks marks{};
  for (std::size_t i = 0; i < marks.size(); ++i) {
    for (std::size_t k = 0; k < loop.size(); ++k) {  // even-odd rule
      const TexturePlace a = places[loop[k]], b = places[loop[(k + 1) % loop.size()]];
      if ((a.v > places[i].v) == (b.v > places[i].v)) continue;
      const float across = a.u + (places[i].v - a.v) / (b.v - a.v) * (b.u - a.u);
      if (places[i].u < across) marks[i] = !marks[i];
    }
  }
  for (const std::uint16_t i : loop) marks[i] = true;
  return marks;
}

std::array<std::uint8_t, kFaceMeshCount> RingsFromOval(const FaceRegions::Neighbours& neighbours) {
  std::array<std::uint8_t, kFaceMeshCount> rings;
  rings.fill(255);
  std::vector<std::uint16_t> front(FaceOvalLoop().begin(), FaceOvalLoop().end());
  for (std::uint8_t ring = 0; !front.empty(); ++ring) {
    for (const std::uint16_t i : front) rings[i] = ring;
    std::vector<std::uint16_t> next;
    for (const std::uint16_t i : front) {
      for (const std::uint16_t n : neighbours.of(i)) {
        if (rings[n] == 255) next.push_back(n);
      }
    }
    front = std::move(next);
  }
  return rings;
}

FaceRegions Make() {
  FaceRegions regions;
  regions.neighbours = FindNeighbours();
  regions.rings = RingsFromOval(regions.neighbours);
  regions.lips = Within(FaceOuterLipsLoop());
  Mark(FaceLeftEyebrowEdges(), regions.brows);
  Mark(FaceRightEyebrowEdges(), regions.brows);
  Marks own = regions.lips;
  Mark(FaceLeftEyeEdges(), own);
  Mark(FaceRightEyeEdges(), own);
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = own[i] || regions.brows[i];
  for (const Triangle& t : FaceSkinTriangles()) {
    regions.is_plain.push_back(!own[t[0]] && !own[t[1]] && !own[t[2]]);
  }
  return regions;
}

}  // namespace

const FaceRegions& TheFaceRegions() {
  static const FaceRegions regions = Make();
  return regions;
}

}  // namespace holostat::render
