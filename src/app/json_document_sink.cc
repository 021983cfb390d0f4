#include "app/json_document_sink.h"

#include <optional>
#include <string>
#include <utility>

#include "app/output_file.h"
#include "exporter/json_document.h"

namespace holostat::app {
namespace {

class JsonDocumentSink : public FrameSink {
 public:
  JsonDocumentSink(const OutputTarget& target, bool signals) : target_(target), signals_(signals) {}

  Result<void> Begin(const InputInfo& input) override {
    file_.reset();
    file_.emplace(HOLO_TRY(PartFile::Open(target_.PathFor(input.source, input.place))));
    is_first_ = true;
    return file_->Append(exporter::JsonDocumentHead(input.source, input.fps));
  }

  Result<void> Write(const OutputFrame& frame) override {
    const std::string text =
        HOLO_TRY(pipeline::EncodeFrame(frame.result, frame.picture, pipeline::FrameFormat::kJson,
                                       {.frame_index = frame.index, .signals = signals_}));
    HOLO_TRY(file_->Append(std::exchange(is_first_, false) ? "\n" : ",\n"));
    return file_->Append(text);
  }

  Result<void> Finish() override {
    HOLO_TRY(file_->Append(exporter::kJsonDocumentTail));
    HOLO_TRY(file_->Finish());
    file_.reset();
    return {};
  }

 private:
  OutputTarget target_;
  bool signals_;
  std::optional<PartFile> file_;
  bool is_first_ = true;
};

}  // namespace

std::unique_ptr<FrameSink> MakeJsonDocumentSink(const OutputTarget& target, bool signals) {
  return std::make_unique<JsonDocumentSink>(target, signals);
}

}  // namespace holostat::app
