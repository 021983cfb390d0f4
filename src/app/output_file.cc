#include "app/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace holostat::app {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> CannotWrite(const fs::path& path, std::string_view reason) {
  return Fail(ErrorCode::kUnavailable, fmt::format("cannot write {}: {}", path.string(), reason));
}

}  // namespace

Result<OutputFile> OpenFile(const fs::path& path, const char* mode) {
  std::error_code error;  // whatever is wrong with the folder, opening says it better
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  OutputFile file(std::fopen(path.c_str(), mode));
  if (!file) return CannotWrite(path, std::strerror(errno));
  return file;
}

Result<PartFile> PartFile::Open(const fs::path& path) {
  auto file = HOLO_TRY(holostat::PartFile::Create(path));
  const int fd = ::fcntl(file->fd(), F_DUPFD_CLOEXEC, 0);
  OutputFile buffer(fd < 0 ? nullptr : ::fdopen(fd, "w"));
  if (!buffer) {
    const int reason = errno;
    if (fd >= 0) ::close(fd);
    return CannotWrite(path, std::strerror(reason));
  }
  return PartFile(std::move(file), std::move(buffer));
}

Result<void> PartFile::Append(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), buffer_.get()) == bytes.size()) return {};
  return CannotWrite(file_->path(), std::strerror(errno));
}

Result<void> PartFile::Overwrite(std::uint64_t offset, std::string_view bytes) {
  if (::fseeko(buffer_.get(), static_cast<off_t>(offset), SEEK_SET) != 0) {
    return CannotWrite(file_->path(), std::strerror(errno));
  }
  HOLO_TRY(Append(bytes));
  if (::fseeko(buffer_.get(), 0, SEEK_END) != 0)
    return CannotWrite(file_->path(), std::strerror(errno));
  return {};
}

Result<void> PartFile::Finish() {
  if (std::fclose(buffer_.release()) != 0) return CannotWrite(file_->path(), std::strerror(errno));
  return file_->Commit();
}

Result<void> WriteFile(const fs::path& path, std::string_view bytes) {
  PartFile file = HOLO_TRY(PartFile::Open(path));
  HOLO_TRY(file.Append(bytes));
  return file.Finish();
}

}  // namespace holostat::app
