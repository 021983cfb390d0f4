#include "app/frame_outputs.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "render/svg.h"

namespace holostat::app {
namespace {

namespace fs = std::filesystem;
using pipeline::FrameFormat;

// Flushed, so that a reader can follow.
Result<void> WriteLine(std::string line, std::FILE* file, std::string_view name) {
  line += '\n';
  if (std::fwrite(line.data(), 1, line.size(), file) == line.size() && std::fflush(file) == 0) {
    return {};
  }
  return Fail(ErrorCode::kUnavailable,
              fmt::format("cannot write {}: {}", name, std::strerror(errno)));
}

// A link from the folder of `svg` to the picture; none to standard input.
std::string LinkTo(const std::string& source, const fs::path& svg) {
  if (source == "-") return "";
  std::error_code error;
  const fs::path from = fs::absolute(svg, error).parent_path();
  const fs::path to = fs::absolute(source, error);
  const fs::path link = error ? to : fs::proximate(to, from, error);
  return render::HrefFromPath(error ? source : link.string());
}

}  // namespace

Result<FrameOutputs> FrameOutputs::Open(std::vector<OutputTarget> targets, const Options& options) {
  FrameOutputs outputs(std::move(targets), options);
  for (const OutputTarget& target : outputs.targets_) {
    if (!target.one_line_a_picture) continue;
    outputs.line_files_[target.pattern] = HOLO_TRY(OpenFile(target.pattern, "wbe"));
  }
  return outputs;
}

Result<void> FrameOutputs::Write(const FrameResult& frame, const ImageView& picture,
                                 const std::string& source, std::size_t index) {
  pipeline::EncodeOptions options{
      .frame_index = index, .face = options_.face, .picture_href = {}, .title = source};
  if (options_.print_json) {
    std::string line = HOLO_TRY(EncodeFrame(frame, picture, FrameFormat::kJson, options));
    HOLO_TRY(WriteLine(std::move(line), stdout, "standard output"));
  }
  for (const OutputTarget& target : targets_) {
    const fs::path path = target.PathFor(source, index);
    const std::string href = options_.link_picture ? LinkTo(source, path) : "";
    options.picture_href = href;
    std::string bytes = HOLO_TRY(EncodeFrame(frame, picture, target.format, options));
    if (target.format == FrameFormat::kJson && !target.one_line_a_picture) bytes += '\n';
    if (target.one_line_a_picture) {
      HOLO_TRY(WriteLine(std::move(bytes), line_files_[target.pattern].get(), target.pattern));
    } else {
      HOLO_TRY(WriteFile(path, bytes));
    }
  }
  return {};
}

}  // namespace holostat::app
