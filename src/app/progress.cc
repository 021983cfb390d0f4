#include "app/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace holostat::app {
namespace {

constexpr auto kDrawInterval = std::chrono::milliseconds(100);
constexpr std::size_t kBarWidth = 24;
constexpr std::size_t kNameWidth = 28;

std::string TimeLeft(std::chrono::duration<double> elapsed, std::size_t done, std::size_t total) {
  if (done == 0) return "";
  const double seconds =
      elapsed.count() / static_cast<double>(done) * static_cast<double>(total - done);
  const auto rounded = static_cast<long>(seconds + 0.5);
  return fmt::format("{}:{:02} left", rounded / 60, rounded % 60);
}

}  // namespace

Progress::Progress(std::size_t total, bool enabled)
    : total_(total),
      enabled_(enabled && total > 0 && ::isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()) {}

Progress::~Progress() { Clear(); }

void Progress::Update(std::size_t done, std::string_view current) {
  const auto now = std::chrono::steady_clock::now();
  if (!enabled_ || (shown_ && now - last_draw_ < kDrawInterval)) return;
  const std::size_t filled = std::min(done, total_) * kBarWidth / total_;
  fmt::print(stderr, "\r\033[K[{:#<{}}{:.<{}}] {}/{} {} {}", "", filled, "", kBarWidth - filled,
             done, total_, TimeLeft(now - start_, done, total_), current.substr(0, kNameWidth));
  std::fflush(stderr);
  shown_ = true;
  last_draw_ = now;
}

void Progress::Clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace holostat::app
