#include "app/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "app/say.h"

namespace holostat::app {
namespace {

constexpr auto kDrawInterval = std::chrono::milliseconds(100);
constexpr std::size_t kBarWidth = 24;
constexpr std::size_t kNameWidth = 28;

// At most kNameWidth bytes, not cut inside a UTF-8 character.
std::string_view Shorten(std::string_view name) {
  std::size_t length = std::min(name.size(), kNameWidth);
  const auto continues = [&](std::size_t i) {
    return i < name.size() && (static_cast<unsigned char>(name[i]) & 0xC0) == 0x80;
  };
  while (length > 0 && continues(length)) --length;
  return name.substr(0, length);
}

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
  Say("\r\033[K[{:#<{}}{:.<{}}] {}/{} {} {}", "", filled, "", kBarWidth - filled, done, total_,
      TimeLeft(now - start_, done, total_), Shorten(current));
  shown_ = true;
  last_draw_ = now;
}

void Progress::Clear() {
  if (!shown_) return;
  Say("\r\033[K");
  shown_ = false;
}

}  // namespace holostat::app
