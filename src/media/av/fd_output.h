#pragma once

extern "C" {
#include <libavformat/avio.h>
}

#include <cstdint>
#include <memory>

#include "base/result.h"

namespace holostat::media::av {

// What FFmpeg writes a file through. Bound to one thread.
class FdOutput {
 public:
  // `fd` must outlive the result. A device or a pipe, which has only one direction, is not
  // `seekable`. Error: kOverloaded.
  static Result<std::unique_ptr<FdOutput>> Create(int fd, bool seekable);
  ~FdOutput();
  FdOutput(const FdOutput&) = delete;
  FdOutput& operator=(const FdOutput&) = delete;

  // Owned by this, which must outlive whoever writes through it.
  AVIOContext* context() { return context_; }

  // Brings everything to the system. The first error of any write so far, as AVERROR; 0: none.
  int Flush();

 private:
  explicit FdOutput(int fd) : fd_(fd) {}
  static int Write(void* self, std::uint8_t* bytes, int size);
  static std::int64_t Seek(void* self, std::int64_t offset, int whence);

  int fd_;
  AVIOContext* context_ = nullptr;
};

}  // namespace holostat::media::av
