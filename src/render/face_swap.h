#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "holostat/frame_result.h"
#include "holostat/image.h"
#include "render/color_match.h"
#include "render/face_texture.h"
#include "render/hand_cover.h"
#include "render/light_field.h"
#include "render/skin_model.h"
#include "render/vec4.h"

namespace holostat::render {

struct FaceSwapOptions {
  float strength = 1;          // 0: nothing is changed .. 1: the live face is covered
  float softness = 1;          // of the outer edge: 1 is 7 % of the face's size, 0 a pixel
  bool keep_mouth = false;     // the live lips, not only what is between them
  bool keep_brows = false;     // the live eyebrows
  bool hands_in_front = true;  // hands before the face stay before it
  // How long colours take to follow the light of a video.
  std::chrono::milliseconds color_time{400};
};

// Draws the face of a texture over the one of a person, in place: warped by the mesh of their
// landmarks, matched in colour, soft at the edges, with the live mouth, eyes and hands left
// (docs/face-swap.md). What it remembers is how bright and coloured the live face was: one a
// person and video. Makes no heap call after it was made. Bound to one thread at a time.
class FaceSwapper {
 public:
  explicit FaceSwapper(const FaceSwapOptions& options = {});

  const FaceSwapOptions& options() const { return options_; }
  void set_options(const FaceSwapOptions& options) { options_ = options; }

  // Forgets the frames before.
  void Reset();

  // Changes only pixels of the face; nothing where the person has none, or one that is not finite.
  // `timestamp` is that of the video; none for a still picture. `opacity` 0..1 fades all of it.
  // True if the face was drawn.
  bool Draw(const FaceTexture& texture, const Person& person,
            std::optional<std::chrono::microseconds> timestamp, float opacity, Image& image);

 private:
  // What is interpolated between landmarks.
  struct Corner {
    Vec4 where;  // place in the texture; how far inside the oval and outside the openings, in
                 // widths of their soft edges
    Vec4 light;  // what is added to R, G, B; how much may be covered
  };

  void SampleSkin(const FaceTexture& texture, const Image& image);
  void MatchLight(const FaceTexture& texture, float share);
  void MeasureEdges(const FaceTexture& texture, float opacity);
  void DrawTriangles(const FaceTexture& texture, Image& image);
  float ShareOfNew(std::optional<std::chrono::microseconds> timestamp);

  FaceSwapOptions options_;
  std::optional<std::chrono::microseconds> last_;
  bool has_light_ = false;

  // Of the frame at hand.
  FacePlaces places_{};
  std::array<float, kFaceMeshCount> facing_{};
  float size_ = 0;  // of the face, pixels: the root of its box's area
  HandCover hands_;
  std::vector<SkinSample> samples_;  // one a skin triangle

  ColorStats live_, source_;  // of the skin, smoothed over time
  ColorTransform color_;
  std::array<float, kFaceMeshCount> skin_{};  // how much each landmark looks like skin
  LightField light_;                  // what the live face is lighter than the matched texture
  std::vector<Corner> corners_;       // one a landmark
  std::vector<std::uint16_t> order_;  // of the triangles, from far to near
};

}  // namespace holostat::render
