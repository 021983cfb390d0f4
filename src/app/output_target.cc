#include "app/output_target.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
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
  SinkKind sink;
  FrameFormat format = FrameFormat::kJson;
};
// Longer endings first: .mask.png is also a .png.
constexpr std::array kEndings{
    Ending{".mask.png", SinkKind::kFrameFiles, FrameFormat::kMask},
    Ending{".openpose.json", SinkKind::kFrameFiles, FrameFormat::kOpenPose},
    Ending{".coco.json", SinkKind::kFrameFiles, FrameFormat::kCoco},
    Ending{".jsonl", SinkKind::kJsonLines},
    Ending{".csv", SinkKind::kCsv},
    Ending{".bvh", SinkKind::kBvh},
    Ending{".mp4", SinkKind::kVideo},
    Ending{".json", SinkKind::kFrameFiles, FrameFormat::kJson},
    Ending{".svg", SinkKind::kFrameFiles, FrameFormat::kSvg},
    Ending{".jpeg", SinkKind::kFrameFiles, FrameFormat::kJpeg},
    Ending{".jpg", SinkKind::kFrameFiles, FrameFormat::kJpeg},
    Ending{".png", SinkKind::kFrameFiles, FrameFormat::kPng}};
constexpr std::string_view kEndingNames =
    ".json .jsonl .csv .bvh .openpose.json .coco.json .svg .jpg .png .mask.png .mp4";

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

bool Has(std::string_view pattern, std::string_view placeholder) {
  return pattern.find(placeholder) != std::string_view::npos;
}

bool Numbers(std::string_view pattern) {
  return Has(pattern, "{index}") || Has(pattern, "{frame}");
}

bool HasKind(const std::vector<Input>& inputs, InputKind kind) {
  return std::ranges::any_of(inputs, [&](const Input& input) { return input.kind == kind; });
}

tl::unexpected<Error> Wrong(std::string_view pattern, std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", pattern, why));
}

// A .json of a video is one document of all its frames, unless its name tells the frames apart.
OutputTarget AsDocumentOfVideo(OutputTarget target, const std::vector<Input>& inputs) {
  const bool is_json = target.sink == SinkKind::kFrameFiles && target.format == FrameFormat::kJson;
  const bool of_video = HasKind(inputs, InputKind::kVideo) && !Numbers(target.pattern);
  const bool of_frames = HasKind(inputs, InputKind::kFrame) && !Numbers(target.pattern) &&
                         !Has(target.pattern, "{name}");
  if (is_json && (of_video || of_frames)) target.sink = SinkKind::kJsonDocument;
  return target;
}

Result<Span> SpanOf(const OutputTarget& target, const std::vector<Input>& inputs) {
  const bool is_named = Has(target.pattern, "{name}");
  switch (target.sink) {
    case SinkKind::kFrameFiles:
      if (HasKind(inputs, InputKind::kVideo) && !Numbers(target.pattern)) {
        return Wrong(target.pattern, "a file holds one frame; put {frame} into its name");
      }
      return Span::kFrame;
    case SinkKind::kJsonLines:
    case SinkKind::kCsv:
      if (is_named && HasKind(inputs, InputKind::kVideo)) return Span::kInput;
      if (is_named || Numbers(target.pattern)) {
        return Wrong(target.pattern,
                     "the file takes all pictures, so {name} and {index} have no meaning in it");
      }
      return Span::kCall;
    case SinkKind::kVideo:
      if (HasKind(inputs, InputKind::kPicture)) {
        return Wrong(target.pattern, "a picture is no video; for the pictures of one, give --fps");
      }
      return Span::kInput;
    case SinkKind::kJsonDocument:
    case SinkKind::kBvh:
      return Span::kInput;
  }
  return Wrong(target.pattern, "unknown format");
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

// Which input each file will be written for.
using Writers = std::map<fs::path, std::string_view>;

Result<void> AddWriter(const fs::path& path, std::string_view input, Writers& writers) {
  const auto [entry, is_new] = writers.emplace(Normalized(path), input);
  if (is_new) return {};
  if (entry->second == input) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("{} would be written twice", path.string()));
  }
  return Fail(
      ErrorCode::kInvalidArgument,
      fmt::format(
          "{} would be written for {} and for {}; use {{name}} or {{index}} in -o, or .jsonl",
          path.string(), entry->second, input));
}

// The frames of one video never share a file (SpanOf), so its first stands for all.
Result<void> AddWriters(const OutputTarget& target, const std::vector<Input>& inputs,
                        Writers& writers) {
  if (target.span == Span::kCall) return AddWriter(target.pattern, "all inputs", writers);
  bool has_frames = false;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool is_frame = inputs[i].kind == InputKind::kFrame;
    if (target.span == Span::kInput && is_frame && std::exchange(has_frames, true)) continue;
    const bool is_video = inputs[i].kind == InputKind::kVideo;
    const std::size_t index = target.span == Span::kFrame && is_video ? 0 : i;
    const fs::path path = target.PathFor(inputs[i].name, index);
    HOLO_TRY(AddWriter(path, inputs[i].name, writers));
    if (target.sink == SinkKind::kBvh) {
      HOLO_TRY(AddWriter(FacePathOf(path), inputs[i].name, writers));
    }
  }
  return {};
}

// No two inputs may share a file.
Result<Writers> FindWriters(const std::vector<OutputTarget>& targets,
                            const std::vector<Input>& inputs) {
  Writers writers;
  for (const OutputTarget& target : targets) HOLO_TRY(AddWriters(target, inputs, writers));
  return writers;
}

// No output may be an input.
Result<void> CheckInputsStay(const Writers& writers, const std::vector<Input>& inputs) {
  std::set<FileId> ids;
  for (const Input& input : inputs) {
    if (const auto id = RegularFileId(input.name)) ids.insert(*id);
  }
  for (const auto& [path, unused] : writers) {
    const auto id = RegularFileId(path);
    if (id && ids.contains(*id)) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("{} is an input; it would be overwritten", path.string()));
    }
  }
  return {};
}

Result<OutputTarget> ParseOne(const std::string& pattern, const std::vector<Input>& inputs) {
  const auto ending = FindEnding(pattern);
  if (!ending) {
    return Fail(
        ErrorCode::kInvalidArgument,
        fmt::format("cannot tell the format of {}; endings known: {}", pattern, kEndingNames));
  }
  OutputTarget target{pattern, ending->sink, ending->format};
  target = AsDocumentOfVideo(std::move(target), inputs);
  target.span = HOLO_TRY(SpanOf(target, inputs));
  return target;
}

}  // namespace

fs::path OutputTarget::PathFor(const fs::path& input, std::size_t index) const {
  std::string path = pattern;
  const std::string stem = input == "-" ? "stdin" : input.stem().string();
  ReplaceAll(path, "{index}", std::to_string(index));
  ReplaceAll(path, "{frame}", fmt::format("{:06}", index));
  ReplaceAll(path, "{name}", stem);
  return path;
}

fs::path FacePathOf(fs::path bvh) { return bvh.replace_extension(".face.json"); }

Result<std::vector<OutputTarget>> ParseOutputTargets(const std::vector<std::string>& patterns,
                                                     const std::vector<Input>& inputs) {
  std::vector<OutputTarget> targets;
  for (const std::string& pattern : patterns)
    targets.push_back(HOLO_TRY(ParseOne(pattern, inputs)));
  const Writers writers = HOLO_TRY(FindWriters(targets, inputs));
  HOLO_TRY(CheckInputsStay(writers, inputs));
  return targets;
}

}  // namespace holostat::app
