#include "render/face_texture.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <string>

#include "render/face_mesh.h"
#include "render/skin_model.h"
#include "render/triangle_fill.h"

namespace holostat::render {
namespace {

constexpr std::size_t kChannels = 4;
constexpr float kTurnedAway = 0.08f, kSquare = 0.6f;  // cosines: seen not at all, seen well
constexpr int kMostTaps = 8;                          // a side, of the pixels under one texel
constexpr int kSpread = 2;           // texels by which a level is continued beyond the oval
constexpr int kColorLevelSide = 64;  // skin colours are taken where texels are about so coarse

float Smooth(float from, float to, float value) {
  const float t = std::clamp((value - from) / (to - from), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

// Weighted sums of R, G, B, and of the weights.
struct Sums {
  int side = 0;
  std::vector<float> values;

  explicit Sums(int s)
      : side(s), values(static_cast<std::size_t>(s) * static_cast<std::size_t>(s) * kChannels) {}
  float* at(int x, int y) {
    return values.data() + (static_cast<std::size_t>(y) * static_cast<std::size_t>(side) +
                            static_cast<std::size_t>(x)) *
                               kChannels;
  }
  const float* at(int x, int y) const { return const_cast<Sums*>(this)->at(x, y); }
};

Vec2 TexelOf(std::uint16_t landmark, int side) {
  const TexturePlace place = FaceTexturePlaces()[landmark];
  return {place.u * static_cast<float>(side), place.v * static_cast<float>(side)};
}

// From texels to pixels of the source, for one triangle.
struct PlaneMap {
  float x0, x_du, x_dv, y0, y_du, y_dv;

  Vec2 operator()(float u, float v) const {
    return {x0 + u * x_du + v * x_dv, y0 + u * y_du + v * y_dv};
  }
};

PlaneMap MapOf(const std::array<Vec2, 3>& from, const std::array<Vec2, 3>& to) {
  const float area = Cross(from[0], from[1], from[2]);
  const float ux = from[1].x - from[0].x, uy = from[1].y - from[0].y;
  const float vx = from[2].x - from[0].x, vy = from[2].y - from[0].y;
  const auto slopes = [&](float a, float b, float c) {
    return std::array<float, 2>{((b - a) * vy - (c - a) * uy) / area,
                                ((c - a) * ux - (b - a) * vx) / area};
  };
  const auto x = slopes(to[0].x, to[1].x, to[2].x), y = slopes(to[0].y, to[1].y, to[2].y);
  return {to[0].x - x[0] * from[0].x - x[1] * from[0].y, x[0], x[1],
          to[0].y - y[0] * from[0].x - y[1] * from[0].y, y[0], y[1]};
}

// Bilinear; the picture's edge pixels go on for ever.
Color SampleAt(const ImageView& picture, Vec2 place) {
  const float x = std::clamp(place.x - 0.5f, 0.0f, static_cast<float>(picture.width - 1));
  const float y = std::clamp(place.y - 0.5f, 0.0f, static_cast<float>(picture.height - 1));
  const int left = static_cast<int>(x), top = static_cast<int>(y);
  const int right = std::min(left + 1, picture.width - 1);
  const std::uint8_t* upper = picture.row(top);
  const std::uint8_t* lower = picture.row(std::min(top + 1, picture.height - 1));
  const float fx = x - static_cast<float>(left), fy = y - static_cast<float>(top);
  Color color;
  for (int c = 0; c < 3; ++c) {
    const float a = upper[3 * left + c], b = upper[3 * right + c];
    const float d = lower[3 * left + c], e = lower[3 * right + c];
    const float above = a + fx * (b - a), below = d + fx * (e - d);
    color[static_cast<std::size_t>(c)] = above + fy * (below - above);
  }
  return color;
}

// The mean of the pixels under a texel.
Color AreaAt(const ImageView& picture, const PlaneMap& map, float u, float v, int taps) {
  Color sum{};
  for (int j = 0; j < taps; ++j) {
    for (int i = 0; i < taps; ++i) {
      const float n = static_cast<float>(taps);
      const Color one = SampleAt(picture, map(u + (static_cast<float>(i) + 0.5f) / n - 0.5f,
                                              v + (static_cast<float>(j) + 0.5f) / n - 0.5f));
      for (std::size_t c = 0; c < 3; ++c) sum[c] += one[c];
    }
  }
  for (float& value : sum) value /= static_cast<float>(taps * taps);
  return sum;
}

std::array<Vec2, 3> CornersOf(const Triangle& triangle, const FacePlaces& places) {
  std::array<Vec2, 3> corners;
  for (std::size_t i = 0; i < 3; ++i) corners[i] = {places[triangle[i]].x, places[triangle[i]].y};
  return corners;
}

void AddTriangle(const ImageView& picture, const std::array<Vec2, 3>& in_picture,
                 const Triangle& triangle, float weight, Sums& sums) {
  std::array<Vec2, 3> in_texture;
  for (std::size_t i = 0; i < 3; ++i) in_texture[i] = TexelOf(triangle[i], sums.side);
  const PlaneMap map = MapOf(in_texture, in_picture);
  const float pixels_a_texel =
      std::max({std::hypot(map.x_du, map.y_du), std::hypot(map.x_dv, map.y_dv)});
  const int taps = std::clamp(static_cast<int>(std::ceil(pixels_a_texel)), 1, kMostTaps);
  FillTriangle(in_texture, sums.side, sums.side, [&](int y, int left, int right) {
    for (int x = left; x < right; ++x) {
      const Color color =
          AreaAt(picture, map, static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f, taps);
      float* sum = sums.at(x, y);
      for (std::size_t c = 0; c < 3; ++c) sum[c] += weight * color[c];
      sum[3] += weight;
    }
  });
}

// What a picture shows of the face, into `sums`; what it shows well, into `seen`.
void AddSource(const ImageView& picture, const FacePlaces& places, Sums& sums,
               std::array<float, kFaceMeshCount>& seen) {
  const auto facing = FacingOf(places);
  for (const Triangle& triangle : FaceTriangles()) {
    const auto corners = CornersOf(triangle, places);
    if (Cross(corners[0], corners[1], corners[2]) >= 0) continue;
    const float cosine = (facing[triangle[0]] + facing[triangle[1]] + facing[triangle[2]]) / 3;
    // Squared: of two pictures, the one that sees a place better counts for nearly all.
    const float weight = Smooth(kTurnedAway, kSquare, cosine);
    AddTriangle(picture, corners, triangle, weight * weight + 1e-4f, sums);
  }
  for (std::size_t i = 0; i < kFaceMeshCount; ++i) {
    seen[i] = std::max(seen[i], Smooth(kTurnedAway, 0.4f, facing[i]));
  }
}

// Gives each texel that nothing was put into the mean of those around it, a few times.
void Spread(Sums& sums) {
  for (int pass = 0; pass < kSpread; ++pass) {
    Sums next = sums;
    for (int y = 0; y < sums.side; ++y) {
      for (int x = 0; x < sums.side; ++x) {
        if (sums.at(x, y)[3] > 0) continue;
        for (int v = std::max(y - 1, 0); v <= std::min(y + 1, sums.side - 1); ++v) {
          for (int u = std::max(x - 1, 0); u <= std::min(x + 1, sums.side - 1); ++u) {
            for (std::size_t c = 0; c < kChannels; ++c) next.at(x, y)[c] += sums.at(u, v)[c];
          }
        }
      }
    }
    sums = std::move(next);
  }
}

FaceTexture::Level LevelOf(const Sums& sums) {
  FaceTexture::Level level{sums.side, {}};
  level.texels.resize(sums.values.size());
  for (std::size_t i = 0; i < sums.values.size(); i += kChannels) {
    const float weight = sums.values[i + 3];
    for (std::size_t c = 0; c < 3; ++c) {
      const float value = weight > 0 ? sums.values[i + c] / weight : 0;
      level.texels[i + c] = static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0f, 255.0f)));
    }
  }
  return level;
}

// Every texel the mean of the four it stands for, as far as they hold anything.
Sums Halved(const Sums& sums) {
  Sums half(sums.side / 2);
  for (int y = 0; y < half.side; ++y) {
    for (int x = 0; x < half.side; ++x) {
      for (int part = 0; part < 4; ++part) {
        const float* from = sums.at(2 * x + part % 2, 2 * y + part / 2);
        if (from[3] <= 0) continue;
        for (std::size_t c = 0; c < 3; ++c) half.at(x, y)[c] += from[c] / from[3];
        half.at(x, y)[3] += 1;
      }
    }
  }
  return half;
}

struct Bounds {
  float left, top, right, bottom;
};

Bounds BoundsOf(const FacePlaces& places) {
  Bounds b{places[0].x, places[0].y, places[0].x, places[0].y};
  for (const Place& place : places) {
    b = {std::min(b.left, place.x), std::min(b.top, place.y), std::max(b.right, place.x),
         std::max(b.bottom, place.y)};
  }
  return b;
}

Result<void> Check(const FaceTexture::Source& source) {
  if (source.picture.empty())
    return Fail(ErrorCode::kInvalidArgument, "the face's picture is empty");
  if (source.face == nullptr || source.face->count < kFaceMeshCount) {
    return Fail(ErrorCode::kInvalidArgument, "there is no face in the picture");
  }
  for (const Landmark& landmark : source.face->landmarks()) {
    if (!(std::abs(landmark.x - 0.5f) < 2) || !(std::abs(landmark.y - 0.5f) < 2) ||
        !std::isfinite(landmark.z)) {
      return Fail(ErrorCode::kInvalidArgument, "the face is not inside its picture");
    }
  }
  return {};
}

// A texel should be about a pixel of the largest source; a multiple of 64, so that it can be
// halved.
int SideFor(std::span<const FaceTexture::Source> sources) {
  float most = 0;
  for (const auto& source : sources) {
    const Bounds b = BoundsOf(PlacesIn(*source.face, source.picture.width, source.picture.height));
    most = std::max({most, b.right - b.left, b.bottom - b.top});
  }
  const int side = static_cast<int>(std::ceil(most * 1.2f / 64)) * 64;
  return std::clamp(side, FaceTexture::kLeastSide, FaceTexture::kMostSide);
}

std::vector<Color> SkinColors(const FaceTexture::Level& level) {
  std::vector<Color> colors;
  colors.reserve(FaceSkinTriangles().size());
  for (const Triangle& triangle : FaceSkinTriangles()) {
    Vec2 middle{};
    for (const std::uint16_t landmark : triangle) {
      const Vec2 corner = TexelOf(landmark, level.side);
      middle = {middle.x + corner.x / 3, middle.y + corner.y / 3};
    }
    const int x = std::clamp(static_cast<int>(middle.x), 0, level.side - 1);
    const int y = std::clamp(static_cast<int>(middle.y), 0, level.side - 1);
    const std::uint8_t* texel =
        level.texels.data() + static_cast<std::size_t>(y * level.side + x) * kChannels;
    colors.push_back({float(texel[0]), float(texel[1]), float(texel[2])});
  }
  return colors;
}

}  // namespace

FacePlaces PlacesIn(const Face& face, int width, int height) {
  FacePlaces places;
  const float w = static_cast<float>(width), h = static_cast<float>(height);
  for (std::size_t i = 0; i < kFaceMeshCount; ++i) {
    const Landmark& landmark = face.points[i];
    places[i] = {landmark.x * w, landmark.y * h, landmark.z * w};
  }
  return places;
}

std::array<float, kFaceMeshCount> FacingOf(const FacePlaces& places) {
  FacePlaces normals{};  // sums over the triangles around, each as long as its triangle is large
  for (const Triangle& triangle : FaceTriangles()) {
    const Place &a = places[triangle[0]], &b = places[triangle[1]], &c = places[triangle[2]];
    const float ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z;
    const float vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
    for (const std::uint16_t landmark : triangle) {
      Place& normal = normals[landmark];
      normal = {normal.x + uy * vz - uz * vy, normal.y + uz * vx - ux * vz,
                normal.z + ux * vy - uy * vx};
    }
  }
  std::array<float, kFaceMeshCount> facing;
  for (std::size_t i = 0; i < kFaceMeshCount; ++i) {
    const Place& n = normals[i];
    const float length = std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
    facing[i] = length > 0 ? std::max(-n.z / length, 0.0f) : 0;
  }
  return facing;
}

Result<FaceTexture> FaceTexture::Make(std::span<const Source> sources) try {
  if (sources.empty() || sources.size() > kMostSources) {
    return Fail(ErrorCode::kInvalidArgument,
                "a face is made of 1 to " + std::to_string(kMostSources) + " pictures");
  }
  for (const Source& source : sources) HOLO_TRY(Check(source));
  FaceTexture texture;
  Sums sums(SideFor(sources));
  for (const Source& source : sources) {
    AddSource(source.picture, PlacesIn(*source.face, source.picture.width, source.picture.height),
              sums, texture.seen_);
  }
  for (;;) {
    Spread(sums);
    texture.levels_.push_back(LevelOf(sums));
    if (sums.side <= kLeastSide / 2) break;
    sums = Halved(sums);
  }
  const auto coarse = std::ranges::find_if(
      texture.levels_, [](const Level& level) { return level.side <= 2 * kColorLevelSide; });
  texture.skin_colors_ =
      SkinColors(coarse == texture.levels_.end() ? texture.levels_.back() : *coarse);
  texture.ForgetWhatIsNoSkin();
  return texture;
} catch (const std::bad_alloc&) {
  return Fail(ErrorCode::kOverloaded, "no memory for the texture of a face");
}

void FaceTexture::ForgetWhatIsNoSkin() {
  std::vector<SkinSample> samples;
  samples.reserve(skin_colors_.size());
  for (const Color& color : skin_colors_) samples.push_back({color, 1});
  const auto likeness = LikenessToSkin(samples);
  for (std::size_t i = 0; i < seen_.size(); ++i) seen_[i] *= likeness[i];
}

std::size_t FaceTexture::bytes() const {
  std::size_t bytes = sizeof(*this) + skin_colors_.size() * sizeof(Color);
  for (const Level& level : levels_) bytes += level.texels.capacity();
  return bytes;
}

}  // namespace holostat::render
