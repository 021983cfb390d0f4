#include "render/label.h"

#include <algorithm>
#include <array>
#include <span>

#include "render/canvas.h"
#include "render/figure.h"
#include "render/palette.h"

namespace holostat::render {
namespace {

// Letters on a grid 4 wide and 6 high: lines of points, two digits each (x, then y downwards),
// parted by spaces.
struct Letter {
  char letter;
  std::string_view lines;
};
constexpr Letter kLetters[] = {
    {'A', "062046 1434"},
    {'B', "06003041423303 3344453606"},
    {'C', "4130100105163645"},
    {'D', "06002042442606"},
    {'E', "40000646 0333"},
    {'F', "400006 0333"},
    {'G', "41301001051636454323"},
    {'H', "0006 4046 0343"},
    {'I', "2026"},
    {'J', "4045361605"},
    {'K', "0006 400346"},
    {'L', "000646"},
    {'M', "0600234046"},
    {'N', "06004640"},
    {'O', "103041453616050110"},
    {'P', "06003041423303"},
    {'Q', "103041453616050110 3446"},
    {'R', "06003041423303 2346"},
    {'S', "413010010213334445361605"},
    {'T', "0040 2026"},
    {'U', "000516364540"},
    {'V', "002640"},
    {'W', "0016233640"},
    {'X', "0046 4006"},
    {'Y', "002340 2326"},
    {'Z', "00400646"},
    {'0', "103041453616050110 1432"},
    {'1', "112026"},
    {'2', "01103041420646"},
    {'3', "004023334445361605"},
    {'4', "36300444"},
    {'5', "4000033344453606"},
    {'6', "40100105163645443303"},
    {'7', "004016"},
    {'8', "13020110304142331304051636454433"},
    {'9', "43130201103041453606"},
    {'-', "1333"},
    {'.', "2626"},
    {',', "2516"},
    {':', "2222 2525"},
    {'/', "0640"},
    {' ', ""},
};
constexpr std::string_view kBox = "0040460600";

constexpr double kAdvance = 6, kHigh = 6;  // grid units from letter to letter, and of a letter
constexpr std::size_t kMostSegments = 20;  // of a letter
constexpr double kLeastHeight = 8;         // pixels

std::string_view LinesOf(char c) {
  const char capital = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  const auto found = std::ranges::find(kLetters, capital, &Letter::letter);
  return found == std::end(kLetters) ? kBox : found->lines;
}

// The segments of a letter whose grid begins at `origin`.
std::span<const Segment> SegmentsOf(std::string_view lines, const Point& origin, double unit,
                                    std::array<Segment, kMostSegments>& room) {
  std::size_t count = 0;
  const auto point_at = [&](std::size_t i) {
    return Point{origin.x + unit * (lines[i] - '0'), origin.y + unit * (lines[i + 1] - '0')};
  };
  for (std::size_t i = 0; i + 3 < lines.size();) {
    if (lines[i + 2] == ' ') {
      i += 3;
      continue;
    }
    room[count++] = {point_at(i), point_at(i + 2)};
    i += 2;
  }
  return std::span(room).first(count);
}

}  // namespace

void DrawLabel(std::string_view text, const LabelOptions& options, Image& image) {
  text = text.substr(0, kMostLabelLetters);
  if (text.empty() || image.width() < 1 || image.height() < 1) return;
  const double letters = static_cast<double>(text.size());
  const double shorter = std::min(image.width(), image.height());
  const double units_wide = letters * kAdvance + 4, units_high = kHigh + 4;
  const double wanted = std::max(shorter * options.height, kLeastHeight) / kHigh;
  const double unit = std::min({wanted, image.width() / units_wide, image.height() / units_high});
  const bool is_left =
      options.corner == LabelCorner::kTopLeft || options.corner == LabelCorner::kBottomLeft;
  const bool is_top =
      options.corner == LabelCorner::kTopLeft || options.corner == LabelCorner::kTopRight;
  const Point corner{is_left ? 0 : image.width() - units_wide * unit,
                     is_top ? 0 : image.height() - units_high * unit};
  Canvas canvas(image);
  const double middle = corner.y + units_high * unit / 2, half = kHigh * unit * 0.75;
  const Segment ground[] = {
      {{corner.x + half + unit, middle}, {corner.x + units_wide * unit - half - unit, middle}}};
  canvas.Stroke({"label-ground", {0, 0, 0}, 0.62f}, 2 * half, ground);
  std::array<Segment, kMostSegments> room;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const Point origin{corner.x + unit * (3 + kAdvance * static_cast<double>(i)),
                       corner.y + unit * 2};
    const auto segments = SegmentsOf(LinesOf(text[i]), origin, unit, room);
    if (!segments.empty()) canvas.Stroke({"label", {255, 255, 255}, 1}, unit * 0.9, segments);
  }
}

}  // namespace holostat::render
