#include "render/topology.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "holostat/frame_result.h"

namespace holostat::render {
namespace {

using Undirected = std::pair<int, int>;

Undirected Of(const Edge& edge) { return std::minmax<int>(edge.from, edge.to); }

std::set<Undirected> SetOf(std::span<const Edge> edges) {
  std::set<Undirected> set;
  for (const Edge& edge : edges) set.insert(Of(edge));
  return set;
}

std::map<int, int> Degrees(std::span<const Edge> edges) {
  std::map<int, int> degrees;
  for (const Edge& edge : edges) {
    ++degrees[edge.from];
    ++degrees[edge.to];
  }
  return degrees;
}

// How many separate pieces the edges form.
int Pieces(std::span<const Edge> edges) {
  std::map<int, int> root;
  const auto find = [&](int i) {
    root.try_emplace(i, i);
    while (root[i] != i) i = root[i];
    return i;
  };
  for (const Edge& edge : edges) root[find(edge.from)] = find(edge.to);
  int pieces = 0;
  for (const auto& [point, parent] : root) pieces += point == parent;
  return pieces;
}

void ExpectLoops(std::span<const Edge> edges, int count) {
  for (const auto& [point, degree] : Degrees(edges)) EXPECT_EQ(degree, 2) << point;
  EXPECT_EQ(Pieces(edges), count);
}

void ExpectValid(std::span<const Edge> edges, std::size_t size, int low, int high) {
  EXPECT_EQ(edges.size(), size);
  EXPECT_EQ(SetOf(edges).size(), size) << "an edge comes twice";
  for (const Edge& edge : edges) {
    EXPECT_NE(edge.from, edge.to);
    EXPECT_GE(Of(edge).first, low);
    EXPECT_LT(Of(edge).second, high);
  }
}

TEST(Topology, HasTheCountsAndRangesOfTheModels) {
  constexpr int kPose = kPoseLandmarkCount, kHand = kHandLandmarkCount;
  constexpr int kMesh = kFaceMeshCount, kRefined = kFaceRefinedCount;
  ExpectValid(PoseEdges(), 35, 0, kPose);
  ExpectValid(HandEdges(), 21, 0, kHand);
  ExpectValid(FaceLipsEdges(), 40, 0, kMesh);
  ExpectValid(FaceLeftEyeEdges(), 16, 0, kMesh);
  ExpectValid(FaceRightEyeEdges(), 16, 0, kMesh);
  ExpectValid(FaceLeftEyebrowEdges(), 8, 0, kMesh);
  ExpectValid(FaceRightEyebrowEdges(), 8, 0, kMesh);
  ExpectValid(FaceOvalEdges(), 36, 0, kMesh);
  ExpectValid(FaceRightIrisEdges(), 4, kMesh, kMesh + 5);
  ExpectValid(FaceLeftIrisEdges(), 4, kMesh + 5, kRefined);
  ExpectValid(FaceTessellationEdges(), 1322, 0, kMesh);
}

TEST(Topology, HasClosedContours) {
  ExpectLoops(FaceOvalEdges(), 1);
  ExpectLoops(FaceLeftEyeEdges(), 1);
  ExpectLoops(FaceRightEyeEdges(), 1);
  ExpectLoops(FaceLeftIrisEdges(), 1);
  ExpectLoops(FaceRightIrisEdges(), 1);
  ExpectLoops(FaceLipsEdges(), 2);
}

TEST(Topology, OfTheBodyIsTheSameOnBothSides) {
  const auto mirrored = [](int i) {
    if (i == 0) return 0;
    if (i <= 6) return i <= 3 ? i + 3 : i - 3;
    return i % 2 == 1 ? i + 1 : i - 1;
  };
  const auto edges = SetOf(PoseEdges());
  for (const auto& [a, b] : edges) {
    EXPECT_TRUE(edges.contains(std::minmax(mirrored(a), mirrored(b)))) << a << "-" << b;
  }
}

TEST(Topology, JoinsEveryPointOfBodyAndHand) {
  EXPECT_EQ(Degrees(PoseEdges()).size(), kPoseLandmarkCount);
  EXPECT_EQ(Degrees(HandEdges()).size(), kHandLandmarkCount);
  EXPECT_EQ(Pieces(HandEdges()), 1);
}

TEST(Topology, HasTheContoursInTheTessellation) {
  const auto mesh = SetOf(FaceTessellationEdges());
  for (const auto edges : {FaceLipsEdges(), FaceLeftEyeEdges(), FaceRightEyeEdges(),
                           FaceLeftEyebrowEdges(), FaceRightEyebrowEdges(), FaceOvalEdges()}) {
    for (const Edge& edge : edges) EXPECT_TRUE(mesh.contains(Of(edge)));
  }
  EXPECT_EQ(Degrees(FaceTessellationEdges()).size(), kFaceMeshCount);
  EXPECT_EQ(Pieces(FaceTessellationEdges()), 1);
}

TEST(Topology, OrdersTheTessellationInAsFewRunsAsCanBe) {
  const auto edges = FaceTessellationEdges();
  std::size_t runs = 1;
  for (std::size_t i = 1; i < edges.size(); ++i) runs += edges[i].from != edges[i - 1].to;
  const auto degrees = Degrees(edges);
  const auto odd = static_cast<std::size_t>(std::count_if(
      degrees.begin(), degrees.end(), [](const auto& item) { return item.second % 2 == 1; }));
  EXPECT_LE(runs, odd / 2);
}

}  // namespace
}  // namespace holostat::render
