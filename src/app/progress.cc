#include "app/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace holostat::app {
namespace {

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
    : total_(total), line_(enabled && total > 0), start_(std::chrono::steady_clock::now()) {}

void Progress::Update(std::size_t done, std::string_view current) {
  if (!line_.is_due()) return;
  const std::size_t filled = std::min(done, total_) * kBarWidth / total_;
  line_.Draw(fmt::format("[{:#<{}}{:.<{}}] {}/{} {} {}", "", filled, "", kBarWidth - filled, done,
                         total_, TimeLeft(std::chrono::steady_clock::now() - start_, done, total_),
                         Shorten(current, kNameWidth)));
}

}  // namespace holostat::app
