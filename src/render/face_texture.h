#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "holostat/frame_result.h"
#include "holostat/image.h"
#include "render/color_match.h"

namespace holostat::render {

// Where a landmark is in a picture: x and y in pixels, z on the same scale, smaller is nearer.
struct Place {
  float x = 0, y = 0, z = 0;
};
using FacePlaces = std::array<Place, kFaceMeshCount>;

FacePlaces PlacesIn(const Face& face, int width, int height);
// How squarely each landmark's skin faces the viewer: the cosine of the angle, 0 where it is turned
// away.
std::array<float, kFaceMeshCount> FacingOf(const FacePlaces& places);

// A face taken from pictures and unrolled flat (docs/face-swap.md), in sizes each half the one
// before, so that it can be drawn at any size. Immutable: any number of threads may read it.
class FaceTexture {
 public:
  struct Source {
    ImageView picture;
    const Face* face = nullptr;  // found in `picture`
  };
  // One size of it. Texels are R, G, B and one byte that means nothing; rows have no padding.
  struct Level {
    int side = 0;
    std::vector<std::uint8_t> texels;
  };

  static constexpr int kLeastSide = 128, kMostSide = 1024;
  static constexpr std::size_t kMostSources = 8;

  // From one picture of a face, or several of the same one from several sides: each shows what it
  // sees best. Errors: kInvalidArgument (no source, too many, an empty picture, a face with too few
  // points or far outside the picture), kOverloaded.
  static Result<FaceTexture> Make(std::span<const Source> sources);

  std::span<const Level> levels() const { return levels_; }  // the first is the largest
  // How well each landmark's skin was seen, 0..1.
  const std::array<float, kFaceMeshCount>& seen() const { return seen_; }
  // The colour around each skin triangle's middle, in the order of FaceSkinTriangles.
  std::span<const Color> skin_colors() const { return skin_colors_; }
  std::size_t bytes() const;

 private:
  FaceTexture() = default;

  // Hair that hangs over the forehead of the source.
  void ForgetWhatIsNoSkin();

  std::vector<Level> levels_;
  std::array<float, kFaceMeshCount> seen_{};
  std::vector<Color> skin_colors_;
};

}  // namespace holostat::render
