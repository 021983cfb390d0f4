#include "app/status_line.h"

#include <unistd.h>

#include <algorithm>

#include "app/say.h"

namespace holostat::app {
namespace {

constexpr auto kDrawInterval = std::chrono::milliseconds(100);

}  // namespace

StatusLine::StatusLine(bool enabled) : enabled_(enabled && ::isatty(STDERR_FILENO) == 1) {}

bool StatusLine::is_due() const {
  return enabled_ && (!shown_ || std::chrono::steady_clock::now() - last_draw_ >= kDrawInterval);
}

void StatusLine::Draw(std::string_view text) {
  if (!is_due()) return;
  Say("\r\033[K{}", text);
  shown_ = true;
  last_draw_ = std::chrono::steady_clock::now();
}

void StatusLine::Clear() {
  if (!shown_) return;
  Say("\r\033[K");
  shown_ = false;
}

std::string_view Shorten(std::string_view name, std::size_t most) {
  std::size_t length = std::min(name.size(), most);
  const auto continues = [&](std::size_t i) {
    return i < name.size() && (static_cast<unsigned char>(name[i]) & 0xC0) == 0x80;
  };
  while (length > 0 && continues(length)) --length;
  return name.substr(0, length);
}

}  // namespace holostat::app
