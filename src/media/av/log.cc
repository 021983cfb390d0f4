#include "media/av/log.h"

extern "C" {
#include <libavutil/log.h>
}

#include <array>
#include <cstdarg>
#include <cstdio>
#include <string_view>

namespace holostat::media::av {
namespace {

// Long enough for all but lists of options; what is longer is cut.
thread_local std::array<char, 256> last_error{};

// Called for each line, at frame rate by some decoders: no heap call.
void Keep(void* /*context*/, int level, const char* format, std::va_list args) {
  if (level > AV_LOG_ERROR) return;
  std::array<char, last_error.size()> line;
  if (std::vsnprintf(line.data(), line.size(), format, args) <= 1) return;  // the end of a line
  last_error = line;
}

}  // namespace

void CaptureLog() { av_log_set_callback(&Keep); }

std::string Reason() {
  std::string_view line(last_error.data());
  while (!line.empty() && (line.back() == '\n' || line.back() == '.' || line.back() == ' '))
    line.remove_suffix(1);
  return std::string(line);
}

void ForgetReason() { last_error[0] = '\0'; }

}  // namespace holostat::media::av
