#include "app/bvh_sink.h"

#include <optional>
#include <string>
#include <utility>

#include "app/output_file.h"
#include "exporter/bvh_writer.h"

namespace holostat::app {
namespace {

// Of a source that does not say how many frames a second it has.
constexpr double kUsualFps = 30;

class BvhSink : public FrameSink {
 public:
  explicit BvhSink(const OutputTarget& target) : target_(target) {}

  Result<void> Begin(const InputInfo& input) override {
    motion_.reset();
    face_.reset();
    writer_.emplace(input.fps > 0 ? input.fps : kUsualFps);
    const auto path = target_.PathFor(input.source, input.place);
    motion_.emplace(HOLO_TRY(PartFile::Open(path)));
    face_.emplace(HOLO_TRY(PartFile::Open(FacePathOf(path))));
    HOLO_TRY(motion_->Append(writer_->Head()));
    return face_->Append(writer_->FaceHead());
  }

  Result<void> Write(const OutputFrame& frame) override {
    motion_text_.clear();
    face_text_.clear();
    writer_->Add(frame.result, motion_text_, face_text_);
    HOLO_TRY(motion_->Append(motion_text_));
    return face_->Append(face_text_);
  }

  Result<void> Finish() override {
    HOLO_TRY(motion_->Overwrite(0, writer_->Head()));
    HOLO_TRY(face_->Append(exporter::BvhWriter::kFaceTail));
    HOLO_TRY(motion_->Finish());
    HOLO_TRY(face_->Finish());
    motion_.reset();
    face_.reset();
    return {};
  }

 private:
  OutputTarget target_;
  std::optional<exporter::BvhWriter> writer_;
  std::optional<PartFile> motion_, face_;
  std::string motion_text_, face_text_;
};

}  // namespace

std::unique_ptr<FrameSink> MakeBvhSink(const OutputTarget& target) {
  return std::make_unique<BvhSink>(target);
}

}  // namespace holostat::app
