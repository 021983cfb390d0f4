#include "app/output_file.h"

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

PartFile::PartFile(OutputFile file, fs::path path, fs::path target, fs::path part)
    : file_(std::move(file)),
      path_(std::move(path)),
      target_(std::move(target)),
      part_(std::move(part)) {}

Result<PartFile> PartFile::Open(const fs::path& path) {
  std::error_code error;
  const auto old = fs::status(path, error);
  if (fs::exists(old) && !fs::is_regular_file(old)) {
    return PartFile(HOLO_TRY(OpenFile(path, "wbe")), path, path, {});
  }
  const fs::path target = fs::exists(old) ? fs::canonical(path, error) : path;
  fs::path part = target;
  part += fmt::format(".{}.part", ::getpid());
  // x: a link planted under that name is never followed.
  auto file = OpenFile(part, "wbxe");
  if (!file) return CannotWrite(path, std::strerror(errno));
  return PartFile(*std::move(file), path, target, std::move(part));
}

PartFile::PartFile(PartFile&& other) noexcept
    : file_(std::move(other.file_)),
      path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      part_(std::exchange(other.part_, {})) {}

PartFile::~PartFile() {
  if (part_.empty()) return;
  std::error_code error;  // nobody is left to be told
  fs::remove(part_, error);
}

Result<void> PartFile::Append(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size()) return {};
  return CannotWrite(path_, std::strerror(errno));
}

Result<void> PartFile::Overwrite(std::uint64_t offset, std::string_view bytes) {
  if (::fseeko(file_.get(), static_cast<off_t>(offset), SEEK_SET) != 0) {
    return CannotWrite(path_, std::strerror(errno));
  }
  HOLO_TRY(Append(bytes));
  if (::fseeko(file_.get(), 0, SEEK_END) != 0) return CannotWrite(path_, std::strerror(errno));
  return {};
}

Result<void> PartFile::Finish() {
  if (std::fflush(file_.get()) != 0) return CannotWrite(path_, std::strerror(errno));
  // A full disk may only show when the file is closed.
  if (std::fclose(file_.release()) != 0) return CannotWrite(path_, std::strerror(errno));
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

Result<void> WriteFile(const fs::path& path, std::string_view bytes) {
  PartFile file = HOLO_TRY(PartFile::Open(path));
  HOLO_TRY(file.Append(bytes));
  return file.Finish();
}

}  // namespace holostat::app
