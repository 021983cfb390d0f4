#include "render/face_swap.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>

#include "render/face_mesh.h"
#include "render/face_regions.h"
#include "render/skin_model.h"
#include "render/topology.h"
#include "render/triangle_fill.h"

namespace holostat::render {

namespace {

constexpr std::size_t kVertices = kFaceMeshCount;
constexpr float kOvalFeather = 0.07f;               // of the face's size, at softness 1
constexpr float kHoleFeather = 0.008f;              // of the face's size, around mouth and eyes
constexpr float kLeastFeather = 1.5f;               // pixels
constexpr float kBrowFeather = 0.03f;               // of the face's size
constexpr float kFadeFrom = 0.1f, kFadeTo = 0.32f;  // cosines: skin turned away fades between
constexpr float kLeastFace = 12;                    // pixels: a smaller face is not drawn
constexpr float kLeastAlpha = 1.0f / 512;           // less changes no pixel

Vec2 Flat(const Place& place) { return {place.x, place.y}; }

std::array<Vec2, 3> CornersOf(const Triangle& triangle, const FacePlaces& places) {
  return {Flat(places[triangle[0]]), Flat(places[triangle[1]]), Flat(places[triangle[2]])};
}

float SquaredDistanceToSide(const Vec2& p, const Vec2& a, const Vec2& b) {
  const float dx = b.x - a.x, dy = b.y - a.y, px = p.x - a.x, py = p.y - a.y;
  const float squared = dx * dx + dy * dy;
  const float along = squared > 0 ? std::clamp((px * dx + py * dy) / squared, 0.0f, 1.0f) : 0;
  const float x = px - along * dx, y = py - along * dy;
  return x * x + y * y;
}

float DistanceToLoop(const Vec2& p, std::span<const std::uint16_t> loop, const FacePlaces& places) {
  float least = 1e18f;
  Vec2 last = Flat(places[loop.back()]);
  for (const std::uint16_t i : loop) {
    const Vec2 next = Flat(places[i]);
    least = std::min(least, SquaredDistanceToSide(p, last, next));
    last = next;
  }
  return std::sqrt(least);
}

float DistanceToEdges(const Vec2& p, std::span<const Edge> edges, const FacePlaces& places) {
  float least = 1e18f;
  for (const Edge& edge : edges) {
    const Vec2 from = Flat(places[edge.from]), to = Flat(places[edge.to]);
    least = std::min(least, SquaredDistanceToSide(p, from, to));
  }
  return std::sqrt(least);
}

HandCover::Box BoxOf(const FacePlaces& places) {
  HandCover::Box b{places[0].x, places[0].y, places[0].x, places[0].y};
  for (const Place& p : places) {
    b = {std::min(b.left, p.x), std::min(b.top, p.y), std::max(b.right, p.x),
         std::max(b.bottom, p.y)};
  }
  return b;
}

bool AreSane(const FacePlaces& places, const Image& image) {
  const float most = 4.0f * static_cast<float>(std::max(image.width(), image.height()));
  return std::ranges::all_of(places, [&](const Place& p) {
    return std::abs(p.x) < most && std::abs(p.y) < most && std::isfinite(p.z);
  });
}

// The mean of a few pixels around a place; none where it is outside the picture.
std::optional<Color> MeanAround(const Image& image, const Vec2& place, int reach) {
  const int x = static_cast<int>(std::floor(place.x)), y = static_cast<int>(std::floor(place.y));
  if (x - reach < 0 || y - reach < 0 || x + reach >= image.width() || y + reach >= image.height())
    return std::nullopt;
  std::array<int, 3> sum{};
  for (int j = y - reach; j <= y + reach; ++j) {
    const std::uint8_t* pixel = image.row(j) + 3 * (x - reach);
    for (int i = 0; i <= 2 * reach; ++i, pixel += 3) {
      for (std::size_t c = 0; c < 3; ++c) sum[c] += pixel[c];
    }
  }
  const float count = static_cast<float>((2 * reach + 1) * (2 * reach + 1));
  return Color{static_cast<float>(sum[0]) / count, static_cast<float>(sum[1]) / count,
               static_cast<float>(sum[2]) / count};
}

float Eased(float share) {
  const float t = std::clamp(share, 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

// The smallest size of the texture that is not coarser than the face in the picture.
const FaceTexture::Level& LevelFor(const FaceTexture& texture, float face_size) {
  const auto levels = texture.levels();
  std::size_t best = 0;
  while (best + 1 < levels.size() && static_cast<float>(levels[best + 1].side) >= face_size * 1.1f)
    ++best;
  return levels[best];
}

}  // namespace

FaceSwapper::FaceSwapper(const FaceSwapOptions& options) : options_(options) {
  samples_.resize(FaceSkinTriangles().size());
  corners_.resize(kVertices);
  order_.resize(FaceSkinTriangles().size());
  TheFaceRegions();  // made now, not at the first frame
}

void FaceSwapper::Reset() {
  last_.reset();
  has_light_ = false;
  light_.Reset();
}

// How much of what a frame shows counts against what was remembered.
float FaceSwapper::ShareOfNew(std::optional<std::chrono::microseconds> timestamp) {
  const auto before = std::exchange(last_, timestamp);
  if (!timestamp || !before || !has_light_ || *timestamp <= *before)
    return has_light_ && timestamp ? 0.1f : 1.0f;
  const double passed = std::chrono::duration<double>(*timestamp - *before).count();
  const double time = std::chrono::duration<double>(options_.color_time).count();
  return time > 0 ? static_cast<float>(1 - std::exp(-passed / time)) : 1.0f;
}

bool FaceSwapper::Draw(const FaceTexture& texture, const Person& person,
                       std::optional<std::chrono::microseconds> timestamp, float opacity,
                       Image& image) {
  const float whole = std::clamp(options_.strength, 0.0f, 1.0f) * std::clamp(opacity, 0.0f, 1.0f);
  if (!person.face || person.face->count < kFaceMeshCount || !(whole > 0)) return false;
  places_ = PlacesIn(*person.face, image.width(), image.height());
  if (!AreSane(places_, image)) return false;
  const HandCover::Box box = BoxOf(places_);
  size_ = std::sqrt((box.right - box.left) * (box.bottom - box.top));
  if (size_ < kLeastFace) return false;
  facing_ = FacingOf(places_);
  hands_.Clear();
  if (options_.hands_in_front) hands_.Measure(person, image.width(), image.height(), box);
  SampleSkin(texture, image);
  MatchLight(texture, ShareOfNew(timestamp));
  MeasureEdges(texture, whole);
  DrawTriangles(texture, image);
  return true;
}

// What the live picture shows at each skin triangle, as far as it can be told.
void FaceSwapper::SampleSkin(const FaceTexture& texture, const Image& image) {
  const auto triangles = FaceSkinTriangles();
  const auto& is_plain = TheFaceRegions().is_plain;
  const int reach = std::clamp(static_cast<int>(size_ / 100), 0, 6);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    samples_[t] = {};
    if (!is_plain[t]) continue;
    const auto [a, b, c] = CornersOf(triangles[t], places_);
    const Vec2 middle{(a.x + b.x + c.x) / 3, (a.y + b.y + c.y) / 3};
    float weight = 1;
    for (const std::uint16_t v : triangles[t]) weight *= Eased(facing_[v] * 2) * texture.seen()[v];
    if (!hands_.empty()) weight *= 1 - hands_.At(middle.x, middle.y);
    if (!(weight > 0)) continue;
    if (const auto color = MeanAround(image, middle, reach)) samples_[t] = {*color, weight};
  }
}

// The texture's colours are made those of the live skin as a whole; what is left at each landmark,
// a lamp from one side or a shadow, is then added as a smooth field over the mesh.
void FaceSwapper::MatchLight(const FaceTexture& texture, float share) {
  const auto triangles = FaceSkinTriangles();
  ColorStats live, source;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    if (!(samples_[t].weight > 0)) continue;
    const auto [a, b, c] = CornersOf(triangles[t], places_);
    const float weight = samples_[t].weight * std::abs(Cross(a, b, c)) / (size_ * size_);
    live.Add(samples_[t].color, weight);
    source.Add(texture.skin_colors()[t], weight);
  }
  if (live.weight() <= 0) return;  // as before
  const float step = has_light_ ? share : 1;
  const auto skin = LikenessToSkin(samples_);
  for (std::size_t v = 0; v < kVertices; ++v) skin_[v] += step * (skin[v] - skin_[v]);
  live_.Approach(live, step);
  source_.Approach(source, step);
  color_ = MatchColors(source_, live_);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const Color matched = color_(texture.skin_colors()[t]);
    for (std::size_t c = 0; c < 3; ++c) samples_[t].color[c] -= matched[c];
  }
  light_.Follow(samples_, step);
  has_light_ = true;
}

// For each landmark: its place in the texture, how far inside the oval and outside the openings it
// is in widths of their soft edges, how much it may cover, and its light.
void FaceSwapper::MeasureEdges(const FaceTexture& texture, float opacity) {
  const FaceRegions& mesh = TheFaceRegions();
  const float side = static_cast<float>(LevelFor(texture, size_).side);
  const float oval = std::max(kOvalFeather * options_.softness * size_, 1.0f);
  const float hole = std::max(kHoleFeather * size_, kLeastFeather);
  const auto mouth = options_.keep_mouth ? FaceOuterLipsLoop() : FaceInnerLipsLoop();
  for (std::size_t v = 0; v < kVertices; ++v) {
    const Vec2 place = Flat(places_[v]);
    float outside = std::min({DistanceToLoop(place, mouth, places_),
                              DistanceToLoop(place, FaceLeftEyeLoop(), places_),
                              DistanceToLoop(place, FaceRightEyeLoop(), places_)}) /
                    hole;
    if (options_.keep_mouth && mesh.lips[v]) outside = 0;
    if (options_.keep_brows) {
      const float brow = std::min(DistanceToEdges(place, FaceLeftEyebrowEdges(), places_),
                                  DistanceToEdges(place, FaceRightEyebrowEdges(), places_));
      outside = std::min(outside, mesh.brows[v] ? 0 : brow / (kBrowFeather * size_));
    }
    const float faced = Eased((facing_[v] - kFadeFrom) / (kFadeTo - kFadeFrom));
    const TexturePlace in_texture = FaceTexturePlaces()[v];
    corners_[v].where = Vec4{in_texture.u * side - 0.5f, in_texture.v * side - 0.5f,
                             DistanceToLoop(place, FaceOvalLoop(), places_) / oval, outside};
    corners_[v].light =
        light_.at(v) + Vec4{color_.shift[0], color_.shift[1], color_.shift[2],
                            opacity * std::min({faced, texture.seen()[v], skin_[v]})};
  }
}

namespace {

// The values of three corners as a plane over the picture.
struct Plane {
  Vec4 at_origin, per_x, per_y;

  Vec4 At(float x, float y) const { return at_origin + per_x * x + per_y * y; }
};

Plane PlaneOf(const std::array<Vec2, 3>& p, const Vec4& a, const Vec4& b, const Vec4& c,
              float area) {
  const Vec4 du = b - a, dv = c - a;
  const Vec4 per_x = (du * (p[2].y - p[0].y) - dv * (p[1].y - p[0].y)) / area;
  const Vec4 per_y = (dv * (p[1].x - p[0].x) - du * (p[2].x - p[0].x)) / area;
  return {a - per_x * p[0].x - per_y * p[0].y, per_x, per_y};
}

// Four bytes as numbers. Spelt out as what a processor has, zeros between the bytes, twice:
// compilers turn a plain conversion of so short a vector into four conversions.
Vec4 Load(const std::uint8_t* texel) {
  using Bytes = std::uint8_t __attribute__((vector_size(16)));
  using Halves = std::uint16_t __attribute__((vector_size(16)));
  using Whole = std::int32_t __attribute__((vector_size(16)));
  std::int32_t packed;
  std::memcpy(&packed, texel, sizeof packed);
  const Bytes bytes = reinterpret_cast<Bytes>(Whole{packed, 0, 0, 0});
  const Halves halves = reinterpret_cast<Halves>(__builtin_shufflevector(
      bytes, Bytes{}, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
  const Whole whole =
      reinterpret_cast<Whole>(__builtin_shufflevector(halves, Halves{}, 0, 8, 1, 9, 2, 10, 3, 11));
  return __builtin_convertvector(whole, Vec4);
}

// Bilinear. u and v count from the centre of the first texel.
Vec4 TexelAt(const FaceTexture::Level& level, float u, float v) {
  const float most = static_cast<float>(level.side) - 1.001f;
  u = std::clamp(u, 0.0f, most);
  v = std::clamp(v, 0.0f, most);
  const int i = static_cast<int>(u), j = static_cast<int>(v);
  const float fu = u - static_cast<float>(i), fv = v - static_cast<float>(j);
  const std::uint8_t* upper = level.texels.data() + (j * level.side + i) * 4;
  const std::uint8_t* lower = upper + level.side * 4;
  const Vec4 above = Load(upper) * (1 - fu) + Load(upper + 4) * fu;
  const Vec4 below = Load(lower) * (1 - fu) + Load(lower + 4) * fu;
  return above * (1 - fv) + below * fv;
}

// The share of a pixel that the face covers there.
float AlphaOf(const Vec4& where, const Vec4& light) {
  float alpha = light[3];
  if (where[2] < 1) alpha *= Eased(where[2]);
  if (where[3] < 1) alpha *= Eased(where[3]);
  return alpha;
}

void Blend(const Vec4& wanted, float alpha, std::uint8_t* pixel) {
  using Whole = std::int32_t __attribute__((vector_size(16)));
  const Vec4 none{}, most = none + 255;
  const Vec4 live{static_cast<float>(pixel[0]), static_cast<float>(pixel[1]),
                  static_cast<float>(pixel[2]), 0};
  Vec4 mixed = live + (wanted - live) * alpha + 0.5f;
  mixed = mixed < none ? none : mixed;
  mixed = mixed > most ? most : mixed;
  const Whole rounded = __builtin_convertvector(mixed, Whole);
  for (int c = 0; c < 3; ++c) pixel[c] = static_cast<std::uint8_t>(rounded[c]);
}

}  // namespace

void FaceSwapper::DrawTriangles(const FaceTexture& texture, Image& image) {
  const auto triangles = FaceSkinTriangles();
  const auto depth = [&](std::uint16_t t) {
    return places_[triangles[t][0]].z + places_[triangles[t][1]].z + places_[triangles[t][2]].z;
  };
  std::iota(order_.begin(), order_.end(), std::uint16_t{0});
  std::ranges::sort(order_, [&](std::uint16_t a, std::uint16_t b) {
    return depth(a) != depth(b) ? depth(a) > depth(b)
                                : a < b;  // far first: the nose hides the cheek
  });
  const FaceTexture::Level& level = LevelFor(texture, size_);
  const auto column = [&](std::size_t c) {
    return Vec4{color_.matrix[0][c], color_.matrix[1][c], color_.matrix[2][c], 0};
  };
  const Vec4 red = column(0), green = column(1), blue = column(2);
  for (const std::uint16_t t : order_) {
    const Triangle& triangle = triangles[t];
    const auto corners = CornersOf(triangle, places_);
    const float area = Cross(corners[0], corners[1], corners[2]);
    if (area > -1e-3f) continue;  // turned away, or nothing
    const Corner &a = corners_[triangle[0]], &b = corners_[triangle[1]], &c = corners_[triangle[2]];
    const Plane where_plane = PlaneOf(corners, a.where, b.where, c.where, area);
    const Plane light_plane = PlaneOf(corners, a.light, b.light, c.light, area);
    FillTriangle(corners, image.width(), image.height(), [&](int y, int left, int right) {
      const float x_centre = static_cast<float>(left) + 0.5f,
                  y_centre = static_cast<float>(y) + 0.5f;
      Vec4 where = where_plane.At(x_centre, y_centre), light = light_plane.At(x_centre, y_centre);
      std::uint8_t* pixel = image.row(y) + 3 * left;
      for (int x = left; x < right; ++x, pixel += 3) {
        float alpha = AlphaOf(where, light);
        if (!hands_.empty()) alpha *= 1 - hands_.At(static_cast<float>(x) + 0.5f, y_centre);
        if (alpha > kLeastAlpha) {
          const Vec4 texel = TexelAt(level, where[0], where[1]);
          Blend(red * texel[0] + green * texel[1] + blue * texel[2] + light, alpha, pixel);
        }
        where += where_plane.per_x;
        light += light_plane.per_x;
      }
    });
  }
}

}  // namespace holostat::render
