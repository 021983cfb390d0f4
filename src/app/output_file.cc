#include "app/output_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace holostat::app {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> CannotWrite(const fs::path& path, std::string_view reason) {
  return Fail(ErrorCode::kUnavailable, fmt::format("cannot write {}: {}", path.string(), reason));
}

Result<void> WriteAndClose(OutputFile file, std::string_view bytes, const fs::path& path) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size() ||
      std::fflush(file.get()) != 0) {
    return CannotWrite(path, std::strerror(errno));
  }
  // A full disk may only show when the file is closed.
  if (std::fclose(file.release()) != 0) return CannotWrite(path, std::strerror(errno));
  return {};
}

// Writes to `part`, then makes it the file at `path`.
Result<void> WriteAndRename(OutputFile file, std::string_view bytes, const fs::path& part,
                            const fs::path& path) {
  HOLO_TRY(WriteAndClose(std::move(file), bytes, path));
  std::error_code error;
  if (const auto old = fs::status(path, error); fs::exists(old)) {
    fs::permissions(part, old.permissions(), error);
    if (error) return CannotWrite(path, error.message());
  }
  fs::rename(part, path, error);
  if (error) return CannotWrite(path, error.message());
  return {};
}

}  // namespace

Result<OutputFile> OpenFile(const fs::path& path, const char* mode) {
  std::error_code error;  // whatever is wrong with the folder, opening says it better
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  OutputFile file(std::fopen(path.c_str(), mode));
  if (!file) return CannotWrite(path, std::strerror(errno));
  return file;
}

Result<void> WriteFile(const fs::path& path, std::string_view bytes) {
  std::error_code error;
  const auto old = fs::status(path, error);
  if (fs::exists(old) && !fs::is_regular_file(old)) {
    OutputFile file = HOLO_TRY(OpenFile(path, "wbe"));
    return WriteAndClose(std::move(file), bytes, path);
  }
  const fs::path target = fs::exists(old) ? fs::canonical(path, error) : path;
  fs::path part = target;
  part += fmt::format(".{}.part", ::getpid());
  // x: a link planted under that name is never followed.
  auto opened = OpenFile(part, "wbxe");
  if (!opened) return CannotWrite(path, std::strerror(errno));
  OutputFile file = *std::move(opened);
  auto written = WriteAndRename(std::move(file), bytes, part, target);
  if (!written) fs::remove(part, error);
  return written;
}

}  // namespace holostat::app
