#include "app/frame_files_sink.h"

#include <filesystem>
#include <system_error>

#include "app/output_file.h"
#include "render/svg.h"

namespace holostat::app {
namespace {

namespace fs = std::filesystem;
using pipeline::FrameFormat;

// A link from the folder of `svg` to the picture; none to standard input.
std::string LinkTo(const std::string& source, const fs::path& svg) {
  if (source == "-") return "";
  std::error_code error;
  const fs::path from = fs::absolute(svg, error).parent_path();
  const fs::path to = fs::absolute(source, error);
  const fs::path link = error ? to : fs::proximate(to, from, error);
  return render::HrefFromPath(error ? source : link.string());
}

class FrameFilesSink : public FrameSink {
 public:
  FrameFilesSink(const OutputTarget& target, const FrameFilesOptions& options)
      : target_(target), options_(options) {}

  Result<void> Begin(const InputInfo&) override { return {}; }

  Result<void> Write(const OutputFrame& frame) override {
    const fs::path path = target_.PathFor(frame.source, frame.index);
    const std::string href = options_.link_picture ? LinkTo(frame.source, path) : "";
    const pipeline::EncodeOptions options{.frame_index = frame.index,
                                          .face = options_.face,
                                          .picture_href = href,
                                          .title = frame.source,
                                          .signals = options_.signals};
    std::string bytes =
        HOLO_TRY(pipeline::EncodeFrame(frame.result, frame.picture, target_.format, options));
    if (target_.format == FrameFormat::kJson) bytes += '\n';
    return WriteFile(path, bytes);
  }

  Result<void> Finish() override { return {}; }

 private:
  OutputTarget target_;
  FrameFilesOptions options_;
};

}  // namespace

std::unique_ptr<FrameSink> MakeFrameFilesSink(const OutputTarget& target,
                                              const FrameFilesOptions& options) {
  return std::make_unique<FrameFilesSink>(target, options);
}

}  // namespace holostat::app
