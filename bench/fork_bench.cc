// Memory and time of a process forked from one that has loaded a tracker, as workers are.
//   fork_bench MODELS_DIR PICTURE
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

#include "base/process_memory.h"
#include "base/result.h"
#include "holostat/holistic_tracker.h"
#include "holostat/picture.h"

namespace holostat {
namespace {

constexpr int kFrames = 20;

struct Figures {
  double first_ms = 0, median_ms = 0;
  double uss_mb_after_first = 0, uss_mb = 0;
};

double MillisecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

Result<double> UssMegabytes() {
  return static_cast<double>(HOLO_TRY(ReadProcessMemory()).uss_bytes) / 1e6;
}

Result<double> FrameMilliseconds(HolisticTracker& tracker, const Image& image) {
  const auto start = std::chrono::steady_clock::now();
  HOLO_TRY(tracker.Process(image.view(), {}));
  return MillisecondsSince(start);
}

Result<Figures> Measure(HolisticTracker& tracker, const Image& image) {
  Figures figures;
  std::array<double, kFrames> ms{};
  ms[0] = figures.first_ms = HOLO_TRY(FrameMilliseconds(tracker, image));
  figures.uss_mb_after_first = HOLO_TRY(UssMegabytes());
  for (int i = 1; i < kFrames; ++i) ms[i] = HOLO_TRY(FrameMilliseconds(tracker, image));
  figures.uss_mb = HOLO_TRY(UssMegabytes());
  std::ranges::sort(ms);
  figures.median_ms = ms[kFrames / 2];
  return figures;
}

// What Measure gives in a forked child, while the parent lives and so shares its pages.
Result<Figures> MeasureInChild(HolisticTracker& tracker, const Image& image) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return Fail(ErrorCode::kUnavailable, "no pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    const auto figures = Measure(tracker, image);
    const bool ok = figures && ::write(ends[1], &*figures, sizeof(Figures)) == sizeof(Figures);
    ::_exit(ok ? 0 : 1);
  }
  ::close(ends[1]);
  Figures figures;
  const bool is_read = ::read(ends[0], &figures, sizeof(figures)) == sizeof(figures);
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  if (!is_read) return Fail(ErrorCode::kInternal, "the child failed");
  return figures;
}

Result<void> Run(const char* models_dir, const char* picture) {
  const Image image = HOLO_TRY(ReadPicture(picture));
  const auto start = std::chrono::steady_clock::now();
  const auto tracker = HOLO_TRY(HolisticTracker::Create({.models_dir = models_dir}));
  const double load_ms = MillisecondsSince(start);
  const double parent_mb = HOLO_TRY(UssMegabytes());
  const Figures child = HOLO_TRY(MeasureInChild(*tracker, image));
  fmt::print(
      "load ms {:.1f}  parent USS MB {:.1f}  child USS MB {:.1f} (first frame) {:.1f} ({} "
      "frames)  first ms {:.1f}  median ms {:.1f}\n",
      load_ms, parent_mb, child.uss_mb_after_first, child.uss_mb, kFrames, child.first_ms,
      child.median_ms);
  return {};
}

}  // namespace
}  // namespace holostat

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: fork_bench MODELS_DIR PICTURE\n");
    return 2;
  }
  const auto done = holostat::Run(argv[1], argv[2]);
  if (!done) std::fprintf(stderr, "%s\n", done.error().message.c_str());
  return done ? 0 : 1;
}
