#include "render/color_match.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace holostat::render {
namespace {

using Matrix = std::array<std::array<double, 3>, 3>;

constexpr double kNoise =
    40;  // squared levels, added to every variance: what differs less is chance
constexpr double kMostStretch = 1.6;

Matrix operator*(const Matrix& a, const Matrix& b) {
  Matrix product{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t j = 0; j < 3; ++j) product[i][j] += a[i][k] * b[k][j];
    }
  }
  return product;
}

Matrix Transposed(const Matrix& a) {
  Matrix turned;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) turned[i][j] = a[j][i];
  }
  return turned;
}

// A symmetric matrix as directions (columns) and its stretch along each.
struct Axes {
  Matrix directions;
  std::array<double, 3> stretch;
};

// One step of Jacobi's method: turns the axes p and q so that matrix[p][q] becomes 0.
void Turn(std::size_t p, std::size_t q, Matrix& matrix, Matrix& directions) {
  if (matrix[p][q] == 0) return;
  const double angle = 0.5 * std::atan2(2 * matrix[p][q], matrix[q][q] - matrix[p][p]);
  Matrix turn{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  turn[p][p] = turn[q][q] = std::cos(angle);
  turn[p][q] = std::sin(angle);
  turn[q][p] = -turn[p][q];
  matrix = Transposed(turn) * matrix * turn;
  directions = directions * turn;
}

Axes AxesOf(Matrix matrix) {
  Matrix directions{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int sweep = 0; sweep < 8; ++sweep) {  // converges quadratically: 5 are enough
    Turn(0, 1, matrix, directions);
    Turn(0, 2, matrix, directions);
    Turn(1, 2, matrix, directions);
  }
  return {directions, {matrix[0][0], matrix[1][1], matrix[2][2]}};
}

template <class Function>
Matrix Map(const Matrix& symmetric, Function function) {
  const Axes axes = AxesOf(symmetric);
  Matrix scaled{};
  for (std::size_t i = 0; i < 3; ++i) scaled[i][i] = function(axes.stretch[i]);
  return axes.directions * scaled * Transposed(axes.directions);
}

Matrix WithNoise(Matrix covariance) {
  for (std::size_t i = 0; i < 3; ++i) covariance[i][i] += kNoise;
  return covariance;
}

}  // namespace

void ColorStats::Add(const Color& color, float weight) {
  weight_ += double{weight};
  for (std::size_t i = 0; i < 3; ++i) {
    const double weighted = double{weight} * double{color[i]};
    sum_[i] += weighted;
    for (std::size_t j = 0; j < 3; ++j) squares_[i][j] += weighted * double{color[j]};
  }
}

void ColorStats::Approach(const ColorStats& other, float share) {
  const double s = double{share};
  weight_ += s * (other.weight_ - weight_);
  for (std::size_t i = 0; i < 3; ++i) {
    sum_[i] += s * (other.sum_[i] - sum_[i]);
    for (std::size_t j = 0; j < 3; ++j) {
      squares_[i][j] += s * (other.squares_[i][j] - squares_[i][j]);
    }
  }
}

std::array<double, 3> ColorStats::Mean() const {
  if (weight_ <= 0) return {};
  return {sum_[0] / weight_, sum_[1] / weight_, sum_[2] / weight_};
}

std::array<std::array<double, 3>, 3> ColorStats::Covariance() const {
  Matrix covariance{};
  if (weight_ <= 0) return covariance;
  const auto mean = Mean();
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      covariance[i][j] = squares_[i][j] / weight_ - mean[i] * mean[j];
    }
  }
  return covariance;
}

ColorTransform MatchColors(const ColorStats& from, const ColorStats& to) {
  ColorTransform transform;
  if (from.weight() <= 0 || to.weight() <= 0) return transform;
  const auto root = [](double value) { return std::sqrt(std::max(value, 0.0)); };
  const Matrix source = WithNoise(from.Covariance());
  const Matrix spread = Map(source, root);
  const Matrix narrow = Map(source, [&](double value) { return 1 / root(std::max(value, 1.0)); });
  const Matrix middle = Map(spread * WithNoise(to.Covariance()) * spread, root);
  const Matrix whole = Map(narrow * middle * narrow, [](double value) {
    return std::clamp(value, 1 / kMostStretch, kMostStretch);
  });
  const auto source_mean = from.Mean(), target_mean = to.Mean();
  for (std::size_t i = 0; i < 3; ++i) {
    double moved = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      transform.matrix[i][j] = static_cast<float>(whole[i][j]);
      moved += whole[i][j] * source_mean[j];
    }
    transform.shift[i] = static_cast<float>(target_mean[i] - moved);
  }
  return transform;
}

ColorDistance::ColorDistance(const ColorStats& stats)
    : mean_(stats.Mean()), to_unit_(Map(WithNoise(stats.Covariance()), [](double value) {
        return 1 / std::sqrt(std::max(value, 1.0));
      })) {}

double ColorDistance::operator()(const Color& color) const {
  double squares = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    double along = 0;
    for (std::size_t j = 0; j < 3; ++j) along += to_unit_[i][j] * (double{color[j]} - mean_[j]);
    squares += along * along;
  }
  return std::sqrt(squares);
}

}  // namespace holostat::render
