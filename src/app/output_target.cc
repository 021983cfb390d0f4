#include "app/output_target.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

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
constexpr std::array kEndings{Ending{".mask.png", FrameFormat::kMask, false},
                              Ending{".openpose.json", FrameFormat::kOpenPose, false},
                              Ending{".coco.json", FrameFormat::kCoco, false},
                              Ending{".jsonl", FrameFormat::kJson, true},
                              Ending{".json", FrameFormat::kJson, false},
                              Ending{".svg", FrameFormat::kSvg, false},
                              Ending{".jpeg", FrameFormat::kJpeg, false},
                              Ending{".jpg", FrameFormat::kJpeg, false},
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

bool HasPlaceholder(std::string_view pattern) {
  return pattern.find("{name}") != std::string_view::npos ||
         pattern.find("{index}") != std::string_view::npos;
}

// What a file is, whatever name it goes by.
using FileId = std::pair<dev_t, ino_t>;

std::optional<FileId> RegularFileId(const fs::path& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  return FileId{info.st_dev, info.st_ino};
}

fs::path Normalized(const fs::path& path) {
  std::error_code error;  // the working folder is gone: names are still told apart as they are
  const fs::path absolute = fs::absolute(path, error);
  return (error ? path : absolute).lexically_normal();
}

// Which picture each file will be written for.
using Writers = std::map<fs::path, std::string_view>;

Result<void> AddWriter(const fs::path& path, std::string_view picture, Writers& writers) {
  const auto [entry, is_new] = writers.emplace(Normalized(path), picture);
  if (is_new) return {};
  if (entry->second == picture) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("{} would be written twice", path.string()));
  }
  return Fail(
      ErrorCode::kInvalidArgument,
      fmt::format(
          "{} would be written for {} and for {}; use {{name}} or {{index}} in -o, or .jsonl",
          path.string(), entry->second, picture));
}

// No two pictures may share a file.
Result<Writers> FindWriters(const std::vector<OutputTarget>& targets,
                            const std::vector<std::string>& pictures) {
  Writers writers;
  for (const OutputTarget& target : targets) {
    if (target.one_line_a_picture) {
      HOLO_TRY(AddWriter(target.pattern, "all pictures", writers));
      continue;
    }
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      HOLO_TRY(AddWriter(target.PathFor(pictures[i], i), pictures[i], writers));
    }
  }
  return writers;
}

// No output may be an input.
Result<void> CheckInputsStay(const Writers& writers, const std::vector<std::string>& pictures) {
  std::set<FileId> inputs;
  for (const std::string& picture : pictures) {
    if (const auto id = RegularFileId(picture)) inputs.insert(*id);
  }
  for (const auto& [path, unused] : writers) {
    const auto id = RegularFileId(path);
    if (id && inputs.contains(*id)) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("{} is an input; it would be overwritten", path.string()));
    }
  }
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
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("cannot tell the format of {}; endings known: .json .jsonl "
                              ".openpose.json .coco.json .svg .jpg .png "
                              ".mask.png",
                              pattern));
    }
    if (ending->one_line_a_picture && HasPlaceholder(pattern)) {
      return Fail(
          ErrorCode::kInvalidArgument,
          fmt::format("{}: a .jsonl file takes all pictures, so {{name}} and {{index}} have "
                      "no meaning in it",
                      pattern));
    }
    targets.push_back({pattern, ending->format, ending->one_line_a_picture});
  }
  const Writers writers = HOLO_TRY(FindWriters(targets, pictures));
  HOLO_TRY(CheckInputsStay(writers, pictures));
  return targets;
}

}  // namespace holostat::app
