#pragma once

extern "C" {
#include <libavformat/avio.h>
}

#include <memory>
#include <string>

#include "base/result.h"
#include "base/unique_fd.h"
#include "media/av/watch.h"

namespace holostat::media::av {

// What FFmpeg reads a file, a named pipe or standard input through. Its own protocols would open
// whatever a name says ("concat:a|b"), and wait for a silent pipe without end. Bound to one thread.
class FdInput {
 public:
  // `source`: a path, or "-". `watch` must outlive the result. Errors: kNotFound, kUnavailable.
  static Result<std::unique_ptr<FdInput>> Open(const std::string& source, const Watch& watch);
  ~FdInput();
  FdInput(const FdInput&) = delete;
  FdInput& operator=(const FdInput&) = delete;

  // Owned by this, which must outlive whoever reads through it.
  AVIOContext* context() { return context_; }

 private:
  FdInput(UniqueFd own, int fd, const Watch& watch);
  static int Read(void* self, std::uint8_t* buffer, int size);
  static std::int64_t Seek(void* self, std::int64_t offset, int whence);
  bool WaitForBytes() const;

  UniqueFd own_;  // empty for standard input, which is not ours to close
  int fd_;
  const Watch& watch_;
  AVIOContext* context_ = nullptr;
};

}  // namespace holostat::media::av
