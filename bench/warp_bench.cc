// Our crop samplers against cv::warpPerspective and convertTo, interleaved, minima.
//   warp_bench
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <opencv2/imgproc.hpp>
#include <string_view>
#include <vector>

#include "holostat/image.h"
#include "media/opencv_warp.h"
#include "media/warp.h"

namespace holostat {
namespace {

constexpr int kSide = 256;    // of the tensor
constexpr int kRounds = 200;  // of each, in turn

struct Region {
  std::string_view name;
  double centre_x, centre_y, size, angle;  // pixels, radians
  media::Border border;
};

media::Affine Map(const Region& r) {
  const double step_x = std::cos(r.angle) * r.size / kSide,
               step_y = std::sin(r.angle) * r.size / kSide;
  const double half = kSide / 2.0;
  return {step_x, -step_y, r.centre_x - half * (step_x - step_y),
          step_y, step_x,  r.centre_y - half * (step_x + step_y)};
}

template <class Function>
double Time(Function&& function) {
  const auto start = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

Image MakeNoise(int width, int height) {
  Image image(width, height);
  std::uint32_t state = 1;
  for (int y = 0; y < height; ++y) {
    std::generate_n(image.row(y), image.stride_bytes(), [&] {
      return static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 24);
    });
  }
  return image;
}

void Compare(Image& image, const Region& region) {
  const media::Affine map = Map(region);
  const cv::Matx33d matrix(map[0], map[1], map[2], map[3], map[4], map[5], 0, 0, 1);
  cv::Mat source(image.height(), image.width(), CV_8UC3, image.row(0));
  cv::Mat crop, converted;
  std::vector<float> values(std::size_t{kSide} * kSide * 3);
  const media::TensorTarget target{values, kSide, kSide, 0, 1};
  const int border =
      region.border == media::Border::kZero ? cv::BORDER_CONSTANT : cv::BORDER_REPLICATE;
  double opencv = std::numeric_limits<double>::infinity(), as_opencv = opencv, exact = opencv;
  for (int i = 0; i < kRounds; ++i) {
    opencv = std::min(opencv, Time([&] {
                        cv::warpPerspective(source, crop, matrix, {kSide, kSide},
                                            cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, border);
                        crop.convertTo(converted, CV_32FC3, 1 / 255.0);
                      }));
    as_opencv = std::min(as_opencv, Time([&] {
                           media::OpenCvWarpToTensor(image.view(), map, region.border, target);
                         }));
    exact = std::min(exact,
                     Time([&] { media::WarpToTensor(image.view(), map, region.border, target); }));
  }
  fmt::print("{:<34} {:>8.3f} {:>8.2f} {:>8.2f}\n", region.name, opencv, as_opencv / opencv,
             exact / opencv);
}

int Main() {
  cv::setNumThreads(1);
  Image image = MakeNoise(1280, 960);
  fmt::print("{:<34} {:>8} {:>8} {:>8}\n", "256x256 tensor of", "OpenCV ms", "opencv", "centres");
  for (const Region& region :
       {Region{"inside, turned", 640, 480, 400, 0.3, media::Border::kReplicate},
        Region{"across the edge, replicated", 100, 100, 500, 0.3, media::Border::kReplicate},
        Region{"around the picture, zero", 640, 480, 1400, 0, media::Border::kZero}}) {
    Compare(image, region);
  }
  return 0;
}

}  // namespace
}  // namespace holostat

int main() { return holostat::Main(); }
