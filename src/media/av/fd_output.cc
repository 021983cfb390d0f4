#include "media/av/fd_output.h"

extern "C" {
#include <libavutil/error.h>
#include <libavutil/mem.h>
}

#include <unistd.h>

#include <cerrno>

namespace holostat::media::av {
namespace {

constexpr int kBufferBytes = 64 << 10;

}  // namespace

Result<std::unique_ptr<FdOutput>> FdOutput::Create(int fd, bool seekable) {
  std::unique_ptr<FdOutput> output(new FdOutput(fd));
  auto* buffer = static_cast<std::uint8_t*>(av_malloc(kBufferBytes));
  if (buffer == nullptr) return Fail(ErrorCode::kOverloaded, "out of memory");
  output->context_ = avio_alloc_context(buffer, kBufferBytes, 1, output.get(), nullptr, &Write,
                                        seekable ? &Seek : nullptr);
  if (output->context_ == nullptr) {
    av_free(buffer);
    return Fail(ErrorCode::kOverloaded, "out of memory");
  }
  return output;
}

FdOutput::~FdOutput() {
  if (context_ == nullptr) return;
  av_freep(&context_->buffer);  // FFmpeg may have replaced it
  avio_context_free(&context_);
}

int FdOutput::Flush() {
  avio_flush(context_);
  return context_->error;
}

int FdOutput::Write(void* self, std::uint8_t* bytes, int size) {
  const int fd = static_cast<FdOutput*>(self)->fd_;
  for (int done = 0; done < size;) {
    const ssize_t count = ::write(fd, bytes + done, static_cast<std::size_t>(size - done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return AVERROR(errno);
    done += static_cast<int>(count);
  }
  return size;
}

std::int64_t FdOutput::Seek(void* self, std::int64_t offset, int whence) {
  if ((whence & AVSEEK_SIZE) != 0) return AVERROR(ENOSYS);
  const off_t place = ::lseek(static_cast<FdOutput*>(self)->fd_, offset, whence & ~AVSEEK_FORCE);
  return place < 0 ? AVERROR(errno) : place;
}

}  // namespace holostat::media::av
