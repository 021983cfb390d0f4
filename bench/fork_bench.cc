// Memory and time of a process forked from one that has loaded a tracker, as workers are; each case
// in a process of its own.
//   fork_bench MODELS_DIR PICTURE
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <vector>

#include "base/process_memory.h"
#include "base/result.h"
#include "holostat/picture.h"
#include "vision/multi_tracker.h"

namespace holostat {
namespace {

constexpr int kFrames = 20;

struct Figures {
  double touch_ms = 0, first_ms = 0, median_ms = 0;
  double uss_mb_after_first = 0, uss_mb = 0;
};

double MillisecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

Result<double> UssMegabytes() {
  return static_cast<double>(HOLO_TRY(ReadProcessMemory()).uss_bytes) / 1e6;
}

struct Case {
  const char* name;
  std::vector<vision::MultiTracker::Request> requests;  // the frames take turns
  bool is_touched = false;                              // the child takes its pages beforehand
};

Result<double> FrameMilliseconds(vision::MultiTracker& tracker, const Image& image,
                                 const vision::MultiTracker::Request& request) {
  const auto start = std::chrono::steady_clock::now();
  HOLO_TRY(tracker.Process(image.view(), {}, request));
  return MillisecondsSince(start);
}

Result<Figures> Measure(vision::MultiTracker& tracker, const Image& image, const Case& it) {
  Figures figures;
  const auto start = std::chrono::steady_clock::now();
  if (it.is_touched) tracker.TouchMemory();
  figures.touch_ms = MillisecondsSince(start);
  std::array<double, kFrames> ms{};
  for (std::size_t i = 0; i < kFrames; ++i) {
    ms[i] = HOLO_TRY(FrameMilliseconds(tracker, image, it.requests[i % it.requests.size()]));
    if (i == 0) figures.uss_mb_after_first = HOLO_TRY(UssMegabytes());
  }
  figures.uss_mb = HOLO_TRY(UssMegabytes());
  figures.first_ms = ms[0];
  std::ranges::sort(ms);
  figures.median_ms = ms[kFrames / 2];
  return figures;
}

// What Measure gives in a forked child, while the parent lives and so shares its pages.
Result<Figures> MeasureInChild(vision::MultiTracker& tracker, const Image& image, const Case& it) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return Fail(ErrorCode::kUnavailable, "no pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    const auto figures = Measure(tracker, image, it);
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

Result<void> Run(const char* models_dir, const char* picture, const Case& it) {
  const Image image = HOLO_TRY(ReadPicture(picture));
  const auto start = std::chrono::steady_clock::now();
  const auto tracker =
      HOLO_TRY(vision::MultiTracker::Create({.models_dir = models_dir, .requests = it.requests}));
  const double load_ms = MillisecondsSince(start);
  const double parent_mb = HOLO_TRY(UssMegabytes());
  const Figures child = HOLO_TRY(MeasureInChild(*tracker, image, it));
  fmt::print("{:<20} {:>8.0f} {:>10.1f} {:>9.1f} {:>9.1f} {:>9.1f} {:>9.1f} {:>9.1f}\n", it.name,
             load_ms, parent_mb, child.uss_mb_after_first, child.uss_mb, child.touch_ms,
             child.first_ms, child.median_ms);
  return {};
}

// In a child, so that nothing of one case is counted for the next.
bool RunInChild(const char* models_dir, const char* picture, const Case& it) {
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto done = Run(models_dir, picture, it);
    if (!done) fmt::print(stderr, "{}: {}\n", it.name, done.error().message);
    std::fflush(stdout);
    ::_exit(done ? 0 : 1);
  }
  int status = 0;
  return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
}

int Main(const char* models_dir, const char* picture) {
  const vision::MultiTracker::Request full{}, lite{.complexity = Complexity::kLite};
  const vision::MultiTracker::Request mask{.segmentation = true};
  fmt::print("{:<20} {:>8} {:>10} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "", "load", "parent", "child",
             "child", "", "", "");
  fmt::print("{:<20} {:>8} {:>10} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "models", "ms", "USS MB",
             "1 frame", fmt::format("{} fr.", kFrames), "touch ms", "first ms", "median ms");
  bool ok = true;
  for (const Case& it :
       {Case{"full", {full}}, Case{"full, touched", {full}, true},
        Case{"full, lite", {full, lite}, true}, Case{"full, with mask too", {full, mask}, true}}) {
    ok &= RunInChild(models_dir, picture, it);
  }
  return ok ? 0 : 1;
}

}  // namespace
}  // namespace holostat

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: fork_bench MODELS_DIR PICTURE\n");
    return 2;
  }
  return holostat::Main(argv[1], argv[2]);
}
