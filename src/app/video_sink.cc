#include "app/video_sink.h"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "app/say.h"
#include "holostat/image.h"

namespace holostat::app {
namespace {

namespace fs = std::filesystem;

constexpr char kComment[] = "Landmarks found and drawn by holostat";

void CopyPixels(const ImageView& from, Image& to) {
  if (to.width() != from.width || to.height() != from.height) to = Image(from.width, from.height);
  for (int y = 0; y < from.height; ++y)
    std::memcpy(to.row(y), from.row(y), static_cast<std::size_t>(to.stride_bytes()));
}

// What is read but once has no audio left to copy.
fs::path AudioOf(const std::string& source) {
  std::error_code error;  // what cannot be looked at is no file
  return fs::is_regular_file(source, error) ? fs::path(source) : fs::path();
}

class VideoSink : public FrameSink {
 public:
  VideoSink(const OutputTarget& target, const VideoSinkOptions& options,
            media::VideoLibrary& library)
      : target_(target), options_(options), library_(library) {}

  Result<void> Begin(const InputInfo& input) override {
    writer_.reset();
    input_ = input;
    return {};
  }

  Result<void> Write(const OutputFrame& frame) override {
    // The first frame's time says where the audio begins.
    if (writer_ == nullptr) HOLO_TRY(Open(frame.result.timestamp));
    CopyPixels(frame.picture, drawn_);
    render::DrawOverlay(frame.result, {.face = options_.face}, drawn_);
    return writer_->Write(drawn_.view(), frame.result.timestamp);
  }

  Result<void> Finish() override {
    const auto writer = std::exchange(writer_, nullptr);
    if (writer == nullptr) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("{} is not written, for there is no frame", Path().string()));
    }
    HOLO_TRY(writer->Finish());
    if (!options_.quiet && !writer->audio_note().empty())
      Say("{}: without all of its audio: {}\n", Printable(Path().string()),
          Printable(writer->audio_note()));
    return {};
  }

 private:
  fs::path Path() const { return target_.PathFor(input_.source, input_.place); }

  Result<void> Open(std::chrono::microseconds first) {
    media::VideoWriter::Options options;
    if (input_.fps > 0) options.fps = input_.fps;
    options.audio_from = AudioOf(input_.source);
    options.from = first;
    options.comment = kComment;
    writer_ = HOLO_TRY(library_.OpenWriter(Path(), options));
    return {};
  }

  OutputTarget target_;
  VideoSinkOptions options_;
  media::VideoLibrary& library_;
  InputInfo input_;
  std::unique_ptr<media::VideoWriter> writer_;
  Image drawn_;
};

}  // namespace

std::unique_ptr<FrameSink> MakeVideoSink(const OutputTarget& target,
                                         const VideoSinkOptions& options,
                                         media::VideoLibrary& library) {
  return std::make_unique<VideoSink>(target, options, library);
}

}  // namespace holostat::app
