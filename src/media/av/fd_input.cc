#include "media/av/fd_input.h"

extern "C" {
#include <libavutil/mem.h>
}

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

namespace holostat::media::av {
namespace {

constexpr int kBufferBytes = 1 << 16;
constexpr int kSliceMs = 50;  // how soon an interruption is seen

Error CannotOpen(const std::string& path, int error) {
  const ErrorCode code = error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnavailable;
  return {code, fmt::format("cannot open {}: {}", path, std::strerror(error))};
}

// Without waiting: a named pipe that nobody writes to yet is waited for by poll.
Result<UniqueFd> OpenPath(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (!fd) return tl::unexpected(CannotOpen(path, errno));
  struct stat about {};
  if (::fstat(fd.get(), &about) != 0) return tl::unexpected(CannotOpen(path, errno));
  if (S_ISDIR(about.st_mode)) return tl::unexpected(CannotOpen(path, EISDIR));
  return fd;
}

bool IsRegular(int fd) {
  struct stat about {};
  return ::fstat(fd, &about) == 0 && S_ISREG(about.st_mode);
}

}  // namespace

Result<std::unique_ptr<FdInput>> FdInput::Open(const std::string& source, const Watch& watch) {
  UniqueFd own;
  if (source != "-") own = HOLO_TRY(OpenPath(source));
  const int fd = source == "-" ? STDIN_FILENO : own.get();
  return std::unique_ptr<FdInput>(new FdInput(std::move(own), fd, watch));
}

FdInput::FdInput(UniqueFd own, int fd, const Watch& watch)
    : own_(std::move(own)), fd_(fd), watch_(watch) {
  auto* buffer = static_cast<unsigned char*>(av_malloc(kBufferBytes));
  const auto seek = IsRegular(fd) ? &FdInput::Seek : nullptr;
  if (buffer != nullptr)
    context_ = avio_alloc_context(buffer, kBufferBytes, 0, this, &FdInput::Read, nullptr, seek);
  if (context_ == nullptr) {
    av_free(buffer);
    throw std::bad_alloc();
  }
}

FdInput::~FdInput() {
  av_freep(&context_->buffer);  // FFmpeg may have put another in the place of ours
  avio_context_free(&context_);
}

int FdInput::Read(void* self, std::uint8_t* buffer, int size) {
  const auto& input = *static_cast<const FdInput*>(self);
  while (input.WaitForBytes()) {
    const ssize_t count = ::read(input.fd_, buffer, static_cast<std::size_t>(size));
    if (count > 0) return static_cast<int>(count);
    if (count == 0) return AVERROR_EOF;
    if (errno != EINTR && errno != EAGAIN) return AVERROR(errno);
  }
  return AVERROR_EXIT;
}

// False: the watch is over.
bool FdInput::WaitForBytes() const {
  while (!watch_.is_over()) {
    pollfd waited{fd_, POLLIN, 0};
    // An error of poll shows in the read that follows.
    if (const int ready = ::poll(&waited, 1, kSliceMs); ready > 0 || (ready < 0 && errno != EINTR))
      return true;
  }
  return false;
}

std::int64_t FdInput::Seek(void* self, std::int64_t offset, int whence) {
  const int fd = static_cast<const FdInput*>(self)->fd_;
  if ((whence & AVSEEK_SIZE) != 0) {
    struct stat about {};
    return ::fstat(fd, &about) == 0 ? about.st_size : AVERROR(errno);
  }
  const off_t place = ::lseek(fd, offset, whence & ~AVSEEK_FORCE);
  return place >= 0 ? place : AVERROR(errno);
}

}  // namespace holostat::media::av
