#include "base/part_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace holostat {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kMode = 0666;  // less the umask, as of fopen

tl::unexpected<Error> CannotWrite(const fs::path& path, std::string_view reason) {
  return Fail(ErrorCode::kUnavailable, fmt::format("cannot write {}: {}", path.string(), reason));
}

}  // namespace

Result<std::unique_ptr<PartFile>> PartFile::Create(const fs::path& path) {
  std::error_code error;  // whatever is wrong with the folder, opening says it better
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  const auto old = fs::status(path, error);
  const bool is_direct = fs::exists(old) && !fs::is_regular_file(old);
  fs::path target = path, part;
  int flags = O_WRONLY | O_CLOEXEC;
  if (!is_direct) {
    if (fs::exists(old)) target = fs::canonical(path, error);
    part = target;
    part += fmt::format(".{}.part", ::getpid());
    // Exclusive: a link planted under that name is never followed.
    flags = O_RDWR | O_CLOEXEC | O_CREAT | O_EXCL;
  }
  const int fd = ::open(is_direct ? path.c_str() : part.c_str(), flags, kMode);
  if (fd < 0) return CannotWrite(path, std::strerror(errno));
  return std::unique_ptr<PartFile>(new PartFile(path, std::move(target), std::move(part), fd));
}

PartFile::~PartFile() {
  if (fd_ >= 0) ::close(fd_);
  std::error_code ignored;  // nobody is left to be told
  if (!part_.empty()) fs::remove(part_, ignored);
}

Result<void> PartFile::Commit() {
  const int closed = ::close(std::exchange(fd_, -1));
  // A full disk may only show when the file is closed.
  if (closed != 0) return CannotWrite(path_, std::strerror(errno));
  if (part_.empty()) return {};
  std::error_code error;
  if (const auto old = fs::status(target_, error); fs::exists(old)) {
    fs::permissions(part_, old.permissions(), error);
    if (error) return CannotWrite(path_, error.message());
  }
  fs::rename(part_, target_, error);
  if (error) return CannotWrite(path_, error.message());
  part_.clear();
  return {};
}

}  // namespace holostat
