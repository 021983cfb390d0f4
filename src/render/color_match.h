#pragma once

#include <array>

namespace holostat::render {

using Color = std::array<float, 3>;  // R, G, B, 0..255

// Mean and covariance of weighted colours.
class ColorStats {
 public:
  void Add(const Color& color, float weight);
  // Moves towards `other` by `share` of the way, 0..1.
  void Approach(const ColorStats& other, float share);

  double weight() const { return weight_; }
  std::array<double, 3> Mean() const;                       // zeros without any weight
  std::array<std::array<double, 3>, 3> Covariance() const;  // likewise

 private:
  double weight_ = 0;
  std::array<double, 3> sum_{};
  std::array<std::array<double, 3>, 3> squares_{};
};

// color -> matrix * color + shift.
struct ColorTransform {
  std::array<std::array<float, 3>, 3> matrix{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  std::array<float, 3> shift{};

  Color operator()(const Color& c) const {
    Color out;
    for (std::size_t i = 0; i < 3; ++i) {
      out[i] = matrix[i][0] * c[0] + matrix[i][1] * c[1] + matrix[i][2] * c[2] + shift[i];
    }
    return out;
  }
};

// The linear map that gives colours like `from` the mean and covariance of `to` and moves them
// least: T = S^-1/2 (S^1/2 C S^1/2)^1/2 S^-1/2 (Pitie and Kokaram 2007, "The linear
// Monge-Kantorovitch linear colour mapping"). Never stretches or shrinks a direction more than
// 1.6 times. Without weight on either side: changes nothing.
ColorTransform MatchColors(const ColorStats& from, const ColorStats& to);

// How far a colour is from those of `stats`, in standard deviations (Mahalanobis).
class ColorDistance {
 public:
  explicit ColorDistance(const ColorStats& stats);
  double operator()(const Color& color) const;

 private:
  std::array<double, 3> mean_;
  std::array<std::array<double, 3>, 3> to_unit_;
};

}  // namespace holostat::render
