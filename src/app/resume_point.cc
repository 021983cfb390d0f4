#include "app/resume_point.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/unique_fd.h"

namespace holostat::app {
namespace {

using nlohmann::json;

// Several people with masks take less than this; what is longer is no line of ours.
constexpr std::uint64_t kLongestLine = std::uint64_t{64} << 20;
constexpr std::uint64_t kFirstLook = std::uint64_t{256} << 10;

tl::unexpected<Error> CannotRead(const std::filesystem::path& file, int error) {
  return Fail(ErrorCode::kUnavailable,
              fmt::format("cannot read {}: {}", file.string(), std::strerror(error)));
}

tl::unexpected<Error> NoDocument(const std::filesystem::path& file) {
  return Fail(ErrorCode::kCorruptData,
              fmt::format("{}: its last line is not a frame of holostat track", file.string()));
}

Result<std::string> ReadRange(int fd, std::uint64_t begin, std::uint64_t end,
                              const std::filesystem::path& file) {
  std::string bytes(end - begin, '\0');
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count =
        ::pread(fd, bytes.data() + done, bytes.size() - done, static_cast<off_t>(begin + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return CannotRead(file, errno);
    if (count == 0) return CannotRead(file, EIO);  // it was cut meanwhile
    done += static_cast<std::size_t>(count);
  }
  return bytes;
}

struct Line {
  std::string text;
  std::uint64_t end = 0;  // in the file, after its newline
};

// Looks at ever longer tails. An empty text: no whole line.
Result<Line> LastWholeLine(int fd, std::uint64_t size, const std::filesystem::path& file) {
  for (std::uint64_t look = kFirstLook;; look *= 4) {
    const std::uint64_t begin = size > look ? size - look : 0;
    const std::string tail = HOLO_TRY(ReadRange(fd, begin, size, file));
    const std::size_t newline = tail.rfind('\n');
    if (newline != std::string::npos) {
      const std::size_t before = newline == 0 ? std::string::npos : tail.rfind('\n', newline - 1);
      if (before != std::string::npos)
        return Line{tail.substr(before + 1, newline - before - 1), begin + newline + 1};
      if (begin == 0) return Line{tail.substr(0, newline), newline + 1};
    }
    if (begin == 0) return Line{};
    if (look > kLongestLine) return NoDocument(file);
  }
}

std::optional<std::size_t> FacePoints(const json& document) {
  for (const json& person : document.at("people")) {
    if (const json& face = person.at("face_landmarks"); face.is_array()) return face.size();
  }
  return std::nullopt;
}

// The parser throws; a line from outside may be anything.
std::optional<ResumePoint> Parse(const Line& line) {
  try {
    const json document = json::parse(line.text);
    if (document.at("schema") != "holostat.frame/1") return std::nullopt;
    ResumePoint point;
    point.frame = document.at("frame").get<std::uint64_t>();
    point.timestamp_ms = document.at("timestamp_ms").get<double>();
    point.width = document.at("image").at("width").get<int>();
    point.height = document.at("image").at("height").get<int>();
    point.face_points = FacePoints(document);
    point.bytes = line.end;
    return point;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

Result<std::optional<ResumePoint>> FindResumePoint(const std::filesystem::path& file) {
  const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd && errno == ENOENT) return std::optional<ResumePoint>();
  struct stat about {};
  if (!fd || ::fstat(fd.get(), &about) != 0) return CannotRead(file, errno);
  if (!S_ISREG(about.st_mode)) {
    return Fail(ErrorCode::kUnavailable,
                fmt::format("{} is no regular file, so it cannot be continued", file.string()));
  }
  const Line line =
      HOLO_TRY(LastWholeLine(fd.get(), static_cast<std::uint64_t>(about.st_size), file));
  if (line.end == 0) return std::optional<ResumePoint>();
  auto point = Parse(line);
  if (!point) return NoDocument(file);
  return point;
}

Result<void> CutAfter(const std::filesystem::path& file, std::uint64_t bytes) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return {};
  std::filesystem::resize_file(file, bytes, error);
  if (!error) return {};
  return Fail(ErrorCode::kUnavailable,
              fmt::format("cannot cut {}: {}", file.string(), error.message()));
}

}  // namespace holostat::app
