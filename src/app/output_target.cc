#include "app/output_target.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <system_error>

namespace holostat::app {
namespace {

namespace fs = std::filesystem;
using pipeline::FrameFormat;

struct Ending {
  std::string_view text;
  FrameFormat format;
  bool one_line_a_picture;
};
// Longer endings first: .mask.png is also a .png.
constexpr std::array kEndings{
    Ending{".mask.png", FrameFormat::kMask, false}, Ending{".jsonl", FrameFormat::kJson, true},
    Ending{".json", FrameFormat::kJson, false},     Ending{".svg", FrameFormat::kSvg, false},
    Ending{".jpeg", FrameFormat::kJpeg, false},     Ending{".jpg", FrameFormat::kJpeg, false},
    Ending{".png", FrameFormat::kPng, false}};

std::optional<Ending> FindEnding(std::string_view pattern) {
  std::string lower(pattern);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  for (const Ending& ending : kEndings) {
    if (lower.ends_with(ending.text)) return ending;
  }
  return std::nullopt;
}

void ReplaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

bool IsSameFile(const fs::path& a, const fs::path& b) {
  std::error_code not_there;  // a file that does not exist is not the same as another
  return fs::equivalent(a, b, not_there) && fs::is_regular_file(a, not_there);
}

// No two pictures may share a file, and no output may be an input.
Result<void> CheckPaths(const std::vector<OutputTarget>& targets,
                        const std::vector<std::string>& pictures) {
  std::map<fs::path, std::string> writer;  // path -> the picture written there
  for (const OutputTarget& target : targets) {
    if (target.one_line_a_picture) {
      if (!writer.emplace(target.pattern, "all pictures").second) {
        return Fail(ErrorCode::kInvalidArgument, fmt::format("{} is given twice", target.pattern));
      }
      continue;
    }
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      const fs::path path = target.PathFor(pictures[i], i);
      const auto [entry, is_new] = writer.emplace(path, pictures[i]);
      if (!is_new) {
        return Fail(
            ErrorCode::kInvalidArgument,
            fmt::format(
                "{} would be written for {} and for {}; use {{name}} or {{index}} in -o, or .jsonl",
                path.string(), entry->second, pictures[i]));
      }
    }
  }
  for (const auto& [path, unused] : writer) {
    for (const std::string& picture : pictures) {
      if (IsSameFile(path, picture)) {
        return Fail(ErrorCode::kInvalidArgument,
                    fmt::format("{} is an input; it would be overwritten", path.string()));
      }
    }
  }
  return {};
}

tl::unexpected<Error> CannotWrite(const fs::path& path) {
  return Fail(ErrorCode::kUnavailable,
              fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
}

Result<void> WriteDirectly(const fs::path& path, std::string_view bytes) {
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "wbe"));
  if (!file) return CannotWrite(path);
  if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size() ||
      std::fflush(file.get()) != 0) {
    return CannotWrite(path);
  }
  // A full disk may only show when the file is closed.
  if (std::fclose(file.release()) != 0) return CannotWrite(path);
  return {};
}

}  // namespace

fs::path OutputTarget::PathFor(const fs::path& picture, std::size_t index) const {
  std::string path = pattern;
  const std::string stem = picture == "-" ? "stdin" : picture.stem().string();
  ReplaceAll(path, "{index}", std::to_string(index));
  ReplaceAll(path, "{name}", stem);
  return path;
}

Result<std::vector<OutputTarget>> ParseOutputTargets(const std::vector<std::string>& patterns,
                                                     const std::vector<std::string>& pictures) {
  std::vector<OutputTarget> targets;
  for (const std::string& pattern : patterns) {
    const auto ending = FindEnding(pattern);
    if (!ending) {
      return Fail(
          ErrorCode::kInvalidArgument,
          fmt::format(
              "cannot tell the format of {}; endings known: .json .jsonl .svg .jpg .png .mask.png",
              pattern));
    }
    targets.push_back({pattern, ending->format, ending->one_line_a_picture});
  }
  HOLO_TRY(CheckPaths(targets, pictures));
  return targets;
}

Result<void> WriteFile(const fs::path& path, std::string_view bytes) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) return WriteDirectly(path, bytes);
  fs::path part = path;
  part += fmt::format(".{}.part", ::getpid());
  auto written = WriteDirectly(part, bytes);
  if (written) {
    fs::rename(part, path, error);
    if (!error) return {};
    written = Fail(ErrorCode::kUnavailable,
                   fmt::format("cannot write {}: {}", path.string(), error.message()));
  }
  fs::remove(part, error);  // it may never have come to be
  return written;
}

}  // namespace holostat::app
