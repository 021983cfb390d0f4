#include "app/csv_sink.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "app/output_file.h"
#include "exporter/csv.h"

namespace holostat::app {
namespace {

class CsvSink : public FrameSink {
 public:
  explicit CsvSink(const OutputTarget& target) : target_(target) {}

  Result<void> Open(const std::filesystem::path& path) {
    file_ = HOLO_TRY(OpenFile(path, "wbe"));
    name_ = path.string();
    text_.clear();
    exporter::AppendCsvHead(text_);
    return Put();
  }

  Result<void> Begin(const InputInfo& input) override {
    if (target_.span == Span::kCall) return {};
    return Open(target_.PathFor(input.source, input.place));
  }

  Result<void> Write(const OutputFrame& frame) override {
    text_.clear();
    exporter::AppendCsvRows(frame.result, frame.index, frame.source, text_);
    return Put();
  }

  Result<void> Finish() override {
    // A full disk may only show when the file is closed.
    if (std::fclose(file_.release()) != 0) return CannotWrite();
    return {};
  }

 private:
  Result<void> Put() {
    const bool is_out = std::fwrite(text_.data(), 1, text_.size(), file_.get()) == text_.size() &&
                        std::fflush(file_.get()) == 0;
    if (!is_out) return CannotWrite();
    return {};
  }
  tl::unexpected<Error> CannotWrite() const {
    return Fail(ErrorCode::kUnavailable,
                fmt::format("cannot write {}: {}", name_, std::strerror(errno)));
  }

  OutputTarget target_;
  OutputFile file_;
  std::string name_, text_;
};

}  // namespace

Result<std::unique_ptr<FrameSink>> OpenCsv(const OutputTarget& target) {
  auto sink = std::make_unique<CsvSink>(target);
  if (target.span == Span::kCall) HOLO_TRY(sink->Open(target.pattern));
  return sink;
}

}  // namespace holostat::app
