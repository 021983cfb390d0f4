// What drawing a face costs, beside finding it: one line a size of face, interleaved, medians.
//   swap_bench MODELS_DIR PICTURE
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "holostat/holistic_tracker.h"
#include "holostat/picture.h"
#include "render/face_mesh.h"
#include "render/face_swap.h"

namespace holostat {
namespace {

constexpr int kRounds = 40;
constexpr int kSizes[] = {120, 240, 360, 480};  // of the face, pixels

// Of this thread's processor time: other programs may be running.
double MillisecondsOf(const auto& work) {
  const auto now = [] {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
  };
  const double start = now();
  work();
  return now() - start;
}

double Median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + std::ssize(values) / 2);
  return values[values.size() / 2];
}

// The picture's face moved into the middle of a 1280 x 720 picture, `size` pixels wide.
Person PersonOf(const Face& face, float size) {
  float left = 1e9f, right = -1e9f, top = 1e9f, bottom = -1e9f;
  for (std::size_t i = 0; i < kFaceMeshCount; ++i) {
    left = std::min(left, face.points[i].x);
    right = std::max(right, face.points[i].x);
    top = std::min(top, face.points[i].y);
    bottom = std::max(bottom, face.points[i].y);
  }
  Person person;
  person.face = face;
  const float scale = size / 1280 / (right - left);
  for (Landmark& p : person.face->points) {
    p = {0.5f + (p.x - (left + right) / 2) * scale,
         0.5f + (p.y - (top + bottom) / 2) * scale * 1280 / 720, p.z * scale};
  }
  return person;
}

int Run(const std::string& models, const std::string& path) {
  const auto picture = ReadPicture(path);
  if (!picture) return fmt::print(stderr, "{}\n", picture.error().message), 1;
  const auto tracker = HolisticTracker::Create({.models_dir = models, .frames = Frames::kVideo});
  if (!tracker) return fmt::print(stderr, "{}\n", tracker.error().message), 1;
  std::vector<double> tracking;
  Face face;
  for (int i = 0; i < kRounds; ++i) {
    tracking.push_back(MillisecondsOf([&] {
      const auto frame = (*tracker)->Process(picture->view(), std::chrono::milliseconds(33 * i));
      if (frame && !frame->people.empty() && frame->people[0].face) face = *frame->people[0].face;
    }));
  }
  const render::FaceTexture::Source source{picture->view(), &face};
  const auto texture = render::FaceTexture::Make({&source, 1});
  if (!texture) return fmt::print(stderr, "{}\n", texture.error().message), 1;
  fmt::print("tracking {:.1f} ms a frame; texture {} x {}, {:.1f} MB\n", Median(tracking),
             texture->levels()[0].side, texture->levels()[0].side,
             static_cast<double>(texture->bytes()) / 1e6);
  Image frame(1280, 720);
  std::fill(frame.row(0), frame.row(0) + 1280 * 720 * 3, std::uint8_t{140});
  for (const int size : kSizes) {
    const Person person = PersonOf(face, static_cast<float>(size));
    render::FaceSwapper swapper;
    std::vector<double> drawing;
    for (int i = 0; i < kRounds; ++i) {
      drawing.push_back(MillisecondsOf(
          [&] { swapper.Draw(*texture, person, std::chrono::milliseconds(33 * i), 1, frame); }));
    }
    fmt::print("face {:3} px wide: {:.2f} ms, {:.3f} of the tracking\n", size, Median(drawing),
               Median(drawing) / Median(tracking));
  }
  return 0;
}

}  // namespace
}  // namespace holostat

int main(int argc, char** argv) {
  if (argc != 3) return std::fputs("swap_bench MODELS_DIR PICTURE\n", stderr), 2;
  return holostat::Run(argv[1], argv[2]);
}
