#include "app/json_lines_sink.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "app/output_file.h"

namespace holostat::app {
namespace {

tl::unexpected<Error> CannotWrite(std::string_view name) {
  return Fail(ErrorCode::kUnavailable,
              fmt::format("cannot write {}: {}", name, std::strerror(errno)));
}

Result<void> WriteFrame(const OutputFrame& frame, bool signals, std::FILE* file,
                        std::string_view name) {
  std::string line =
      HOLO_TRY(pipeline::EncodeFrame(frame.result, frame.picture, pipeline::FrameFormat::kJson,
                                     {.frame_index = frame.index, .signals = signals}));
  line += '\n';
  const bool is_out =
      std::fwrite(line.data(), 1, line.size(), file) == line.size() && std::fflush(file) == 0;
  if (!is_out) return CannotWrite(name);
  return {};
}

class JsonLinesFile : public FrameSink {
 public:
  JsonLinesFile(const OutputTarget& target, const JsonLinesOptions& options)
      : target_(target), options_(options) {}

  Result<void> Open(const std::filesystem::path& path) {
    file_ = HOLO_TRY(OpenFile(path, options_.start == FileStart::kAppend ? "abe" : "wbe"));
    name_ = path.string();
    return {};
  }

  Result<void> Begin(const InputInfo& input) override {
    if (target_.span == Span::kCall) return {};
    return Open(target_.PathFor(input.source, input.place));
  }

  Result<void> Write(const OutputFrame& frame) override {
    return WriteFrame(frame, options_.signals, file_.get(), name_);
  }

  Result<void> Finish() override {
    // A full disk may only show when the file is closed.
    if (std::fclose(file_.release()) != 0) return CannotWrite(name_);
    return {};
  }

 private:
  OutputTarget target_;
  JsonLinesOptions options_;
  OutputFile file_;
  std::string name_;
};

class StandardOutput : public FrameSink {
 public:
  explicit StandardOutput(bool signals) : signals_(signals) {}

  Result<void> Begin(const InputInfo&) override { return {}; }
  Result<void> Write(const OutputFrame& frame) override {
    return WriteFrame(frame, signals_, stdout, "standard output");
  }
  Result<void> Finish() override { return {}; }

 private:
  bool signals_;
};

}  // namespace

Result<std::unique_ptr<FrameSink>> OpenJsonLines(const OutputTarget& target,
                                                 const JsonLinesOptions& options) {
  auto sink = std::make_unique<JsonLinesFile>(target, options);
  if (target.span == Span::kCall) HOLO_TRY(sink->Open(target.pattern));
  return sink;
}

std::unique_ptr<FrameSink> PrintJsonLines(bool signals) {
  return std::make_unique<StandardOutput>(signals);
}

}  // namespace holostat::app
