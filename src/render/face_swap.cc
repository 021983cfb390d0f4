#include "render/face_swap.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "render/face_mesh.h"
#include "render/face_regions.h"
#include "render/skin_model.h"
#include "render/topology.h"
#include "render/triangle_fill.h"

namespace holostat::render {

namespace {

// The values of a FaceSwapper::Corner: the place in the texture; how far inside the oval and
// outside the openings, in widths of their soft edges; how much may be covered; what is added to
// the colour.
enum { kU, kV, kOval, kHole, kCover, kRed, kGreen, kBlue };

constexpr std::size_t kVertices = kFaceMeshCount;
constexpr float kOvalFeather = 0.07f;               // of the face's size, at softness 1
constexpr float kHoleFeather = 0.008f;              // of the face's size, around mouth and eyes
constexpr float kLeastFeather = 1.5f;               // pixels
constexpr float kBrowFeather = 0.03f;               // of the face's size
constexpr float kFadeFrom = 0.1f, kFadeTo = 0.32f;  // cosines: skin turned away fades between
constexpr float kLeastFace = 12;                    // pixels: a smaller face is not drawn
constexpr int kLightRounds = 24;                    // of smoothing over the mesh
constexpr float kTrust = 0.35f;   // in the light measured at a landmark, against that around it
constexpr float kMostLight = 90;  // levels

Vec2 Flat(const Place& place) { return {place.x, place.y}; }

std::array<Vec2, 3> CornersOf(const Triangle& triangle, const FacePlaces& places) {
  return {Flat(places[triangle[0]]), Flat(places[triangle[1]]), Flat(places[triangle[2]])};
}

float DistanceToSide(const Vec2& p, const Vec2& a, const Vec2& b) {
  const float dx = b.x - a.x, dy = b.y - a.y;
  const float squared = dx * dx + dy * dy;
  const float along =
      squared > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / squared, 0.0f, 1.0f) : 0;
  return std::hypot(p.x - a.x - along * dx, p.y - a.y - along * dy);
}

float DistanceToLoop(const Vec2& p, std::span<const std::uint16_t> loop, const FacePlaces& places) {
  float least = 1e9f;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec2 a = Flat(places[loop[i]]), b = Flat(places[loop[(i + 1) % loop.size()]]);
    least = std::min(least, DistanceToSide(p, a, b));
  }
  return least;
}

float DistanceToEdges(const Vec2& p, std::span<const Edge> edges, const FacePlaces& places) {
  float least = 1e9f;
  for (const Edge& edge : edges) {
    least = std::min(least, DistanceToSide(p, Flat(places[edge.from]), Flat(places[edge.to])));
  }
  return least;
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
  light_.resize(kVertices);
  wanted_.resize(kVertices);
  next_.resize(kVertices);
  wanted_weight_.resize(kVertices);
  corners_.resize(kVertices);
  order_.resize(FaceSkinTriangles().size());
  TheFaceRegions();  // made now, not at the first frame
}

void FaceSwapper::Reset() {
  last_.reset();
  has_light_ = false;
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
  MatchLight(texture, image, ShareOfNew(timestamp));
  MeasureEdges(texture, whole);
  DrawTriangles(texture, image);
  return true;
}

// The texture's colours are made those of the live skin as a whole; what is left at each landmark,
// a lamp from one side or a shadow, is then added as a smooth field over the mesh.
void FaceSwapper::MatchLight(const FaceTexture& texture, const Image& image, float share) {
  const FaceRegions& mesh = TheFaceRegions();
  const auto triangles = FaceSkinTriangles();
  const int reach = std::clamp(static_cast<int>(size_ / 100), 0, 6);
  ColorStats live, source;
  std::array<SkinSample, 852> samples;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    samples[t] = {};
    const auto corners = CornersOf(triangles[t], places_);
    const Vec2 middle{(corners[0].x + corners[1].x + corners[2].x) / 3,
                      (corners[0].y + corners[1].y + corners[2].y) / 3};
    float weight = mesh.is_plain[t] ? 1.0f : 0.0f;
    for (const std::uint16_t v : triangles[t]) weight *= Eased(facing_[v] * 2) * texture.seen()[v];
    if (!hands_.empty()) weight *= 1 - hands_.At(middle.x, middle.y);
    if (!(weight > 0)) continue;
    const auto color = MeanAround(image, middle, reach);
    if (!color) continue;
    samples[t] = {*color, weight};
    const float area = std::abs(Cross(corners[0], corners[1], corners[2]));
    live.Add(*color, weight * area);
    source.Add(texture.skin_colors()[t], weight * area);
  }
  if (live.weight() <= 0) return;  // as before
  const auto skin = LikenessToSkin(samples);
  for (std::size_t v = 0; v < kVertices; ++v) {
    skin_[v] += (has_light_ ? share : 1) * (skin[v] - skin_[v]);
  }
  // Weights grow with the face: without them, a face that comes nearer would outweigh the past.
  if (!has_light_) {
    live_ = live;
    source_ = source;
  } else {
    live_.Approach(live, share);
    source_.Approach(source, share);
  }
  color_ = MatchColors(source_, live_);

  std::ranges::fill(wanted_, Color{});
  std::ranges::fill(wanted_weight_, 0.0f);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    if (!(samples[t].weight > 0)) continue;
    const Color matched = color_(texture.skin_colors()[t]);
    for (const std::uint16_t v : triangles[t]) {
      for (std::size_t c = 0; c < 3; ++c)
        wanted_[v][c] += samples[t].weight * (samples[t].color[c] - matched[c]);
      wanted_weight_[v] += samples[t].weight;
    }
  }
  for (std::size_t v = 0; v < kVertices; ++v) {
    if (!(wanted_weight_[v] > 0)) continue;
    for (float& value : wanted_[v])
      value = std::clamp(value / wanted_weight_[v], -kMostLight, kMostLight);
  }
  // Smooth over the mesh: each landmark takes the mean of its own and what is around it.
  std::vector<Color>& field = next_;
  field = light_;  // same size: no allocation
  if (!has_light_) std::ranges::copy(wanted_, field.begin());
  for (int round = 0; round < kLightRounds; ++round) {
    for (std::size_t v = 0; v < kVertices; ++v) {
      const auto around = mesh.neighbours.of(v);
      const float own =
          kTrust * static_cast<float>(around.size()) * std::min(wanted_weight_[v], 1.0f);
      Color sum{own * wanted_[v][0], own * wanted_[v][1], own * wanted_[v][2]};
      for (const std::uint16_t n : around) {
        for (std::size_t c = 0; c < 3; ++c) sum[c] += field[n][c];
      }
      const float weight = own + static_cast<float>(around.size());
      for (std::size_t c = 0; c < 3; ++c) field[v][c] = sum[c] / weight;
    }
  }
  const float step = has_light_ ? share : 1;
  for (std::size_t v = 0; v < kVertices; ++v) {
    for (std::size_t c = 0; c < 3; ++c) light_[v][c] += step * (field[v][c] - light_[v][c]);
  }
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
    auto& values = corners_[v];
    values[kU] = in_texture.u * side - 0.5f;
    values[kV] = in_texture.v * side - 0.5f;
    values[kOval] = DistanceToLoop(place, FaceOvalLoop(), places_) / oval;
    values[kHole] = outside;
    values[kCover] = opacity * std::min({faced, texture.seen()[v], skin_[v]});
    for (std::size_t c = 0; c < 3; ++c) values[kRed + c] = light_[v][c] + color_.shift[c];
  }
}

namespace {

// The values of three corners as a plane over the picture.
template <std::size_t N>
struct Planes {
  std::array<float, N> at_origin, per_x, per_y;
};

template <std::size_t N>
Planes<N> PlanesOf(const std::array<Vec2, 3>& p, const std::array<float, N>& a,
                   const std::array<float, N>& b, const std::array<float, N>& c, float area) {
  Planes<N> planes;
  const float ux = p[1].x - p[0].x, uy = p[1].y - p[0].y, vx = p[2].x - p[0].x,
              vy = p[2].y - p[0].y;
  const float share = 1 / area;
  for (std::size_t i = 0; i < N; ++i) {
    const float du = b[i] - a[i], dv = c[i] - a[i];
    planes.per_x[i] = (du * vy - dv * uy) * share;
    planes.per_y[i] = (dv * ux - du * vx) * share;
    planes.at_origin[i] = a[i] - planes.per_x[i] * p[0].x - planes.per_y[i] * p[0].y;
  }
  return planes;
}

// Bilinear. u and v count from the centre of the first texel.
Color TexelAt(const FaceTexture::Level& level, float u, float v) {
  const float most = static_cast<float>(level.side) - 1.001f;
  u = std::clamp(u, 0.0f, most);
  v = std::clamp(v, 0.0f, most);
  const int i = static_cast<int>(u), j = static_cast<int>(v);
  const float fu = u - static_cast<float>(i), fv = v - static_cast<float>(j);
  const std::uint8_t* upper =
      level.texels.data() +
      (static_cast<std::size_t>(j * level.side) + static_cast<std::size_t>(i)) * 4;
  const std::uint8_t* lower = upper + static_cast<std::size_t>(level.side) * 4;
  const float a = (1 - fu) * (1 - fv), b = fu * (1 - fv), c = (1 - fu) * fv, d = fu * fv;
  Color color;
  for (std::size_t k = 0; k < 3; ++k) {
    color[k] = a * static_cast<float>(upper[k]) + b * static_cast<float>(upper[k + 4]) +
               c * static_cast<float>(lower[k]) + d * static_cast<float>(lower[k + 4]);
  }
  return color;
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
  const auto& m = color_.matrix;
  for (const std::uint16_t t : order_) {
    const Triangle& triangle = triangles[t];
    const auto corners = CornersOf(triangle, places_);
    const float area = Cross(corners[0], corners[1], corners[2]);
    if (area > -1e-3f) continue;  // turned away, or nothing
    const auto planes = PlanesOf(corners, corners_[triangle[0]], corners_[triangle[1]],
                                 corners_[triangle[2]], area);
    FillTriangle(corners, image.width(), image.height(), [&](int y, int left, int right) {
      auto value = planes.at_origin;
      for (std::size_t i = 0; i < value.size(); ++i) {
        value[i] += planes.per_x[i] * (static_cast<float>(left) + 0.5f) +
                    planes.per_y[i] * (static_cast<float>(y) + 0.5f);
      }
      std::uint8_t* pixel = image.row(y) + 3 * left;
      for (int x = left; x < right; ++x, pixel += 3) {
        float alpha = value[kCover] * Eased(value[kOval]) * Eased(value[kHole]);
        if (!hands_.empty())
          alpha *= 1 - hands_.At(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
        if (alpha > 1.0f / 512) {
          const Color c = TexelAt(level, value[kU], value[kV]);
          for (std::size_t k = 0; k < 3; ++k) {
            const float wanted = m[k][0] * c[0] + m[k][1] * c[1] + m[k][2] * c[2] + value[kRed + k];
            const float live = static_cast<float>(pixel[k]);
            pixel[k] = static_cast<std::uint8_t>(
                std::clamp(live + alpha * (wanted - live), 0.0f, 255.0f) + 0.5f);
          }
        }
        for (std::size_t i = 0; i < value.size(); ++i) value[i] += planes.per_x[i];
      }
    });
  }
}

}  // namespace holostat::render
