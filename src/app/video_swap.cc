#include "app/video_swap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "app/input_error.h"
#include "app/interruption.h"
#include "app/say.h"
#include "app/video_options.h"
#include "app/video_report.h"
#include "base/result.h"
#include "render/label.h"

namespace holostat::app {

VideoSwap::VideoSwap(const SwapCall& call, HolisticTracker& tracker,
                     const render::FaceTexture& texture)
    : call_(call),
      tracker_(tracker),
      texture_(texture),
      session_(call.session),
      line_(!call.quiet) {}

ExitCode VideoSwap::Run() {
  if (const auto opened = Open(); !opened) {
    if (interrupted) return ExitCode::kInterrupted;
    return StopFor(call_.input, opened.error(), InputExitCode(opened.error().code));
  }
  const auto done = SwapAll();
  line_.Clear();
  if (!done) return StopFor(call_.input, done.error(), InputExitCode(done.error().code));
  if (stats_.frames == 0) {
    const Error error{ErrorCode::kNotFound, "there is no frame in this part of the video"};
    return interrupted ? ExitCode::kInterrupted
                       : StopFor(call_.input, error, ExitCode::kInputUnreadable);
  }
  if (const auto finished = writer_->Finish(); !finished)
    return Stop(finished.error(), OutputExitCode(finished.error().code));
  if (!call_.quiet) Summarize();
  return interrupted ? ExitCode::kInterrupted : ExitCode::kOk;
}

Result<void> VideoSwap::Open() {
  auto* videos = HOLO_TRY(media::LoadVideoLibrary());
  reader_ = HOLO_TRY(
      OpenAhead(*videos, call_.input, ReaderOptions(call_.video, call_.limits.max_pixels)));
  media::VideoWriter::Options options;
  if (reader_->info().fps > 0) options.fps = reader_->info().fps;
  if (reader_->info().has_audio && !reader_->info().is_live) options.audio_from = call_.input;
  options.from = call_.video.from;
  options.comment = kSwapComment;
  writer_ = HOLO_TRY(videos->OpenWriter(call_.output, options));
  tracker_.Reset();
  return {};
}

Result<void> VideoSwap::SwapAll() {
  while (!interrupted) {
    auto next = reader_->Next();
    if (!next && interrupted) break;
    if (!next) return tl::unexpected(std::move(next).error());
    if (!*next) break;
    HOLO_TRY(SwapFrame(**next));
    stats_.elapsed = std::chrono::steady_clock::now() - start_;
    if (line_.is_due()) line_.Draw(DescribeProgress(stats_, End(), Printable(call_.input)));
  }
  return {};
}

Result<void> VideoSwap::SwapFrame(const media::VideoFrame& frame) {
  const ImageView& view = frame.image;
  if (picture_.width() != view.width || picture_.height() != view.height)
    picture_ = Image(view.width, view.height);
  for (int y = 0; y < view.height; ++y)
    std::memcpy(picture_.row(y), view.row(y), static_cast<std::size_t>(picture_.stride_bytes()));
  const auto found = tracker_.Process(view, frame.timestamp);
  if (found) stats_.Add(*found, tracker_);
  const Person* person = found ? ChoosePerson(found->people, call_.person, kept_) : nullptr;
  if (person != nullptr) kept_ = person->id;
  Count(session_.Draw(texture_, person, frame.timestamp, picture_));
  if (!call_.no_label) render::DrawLabel(call_.label_text, call_.label, picture_);
  return writer_->Write(picture_.view(), frame.timestamp);
}

void VideoSwap::Count(render::FaceSwapSession::Outcome outcome) {
  using Outcome = render::FaceSwapSession::Outcome;
  counts_.swapped += outcome == Outcome::kSwapped;
  counts_.held += outcome == Outcome::kHeld;
  counts_.hidden += outcome == Outcome::kHidden;
  counts_.live += outcome == Outcome::kLive;
}

std::optional<std::chrono::microseconds> VideoSwap::End() const {
  const auto& duration = reader_->info().duration;
  if (!duration) return call_.video.to;
  return call_.video.to ? std::min(*call_.video.to, *duration) : *duration;
}

void VideoSwap::Summarize() const {
  Say("{}: {} frames, {:.1f} a second: the face swapped in {}", Printable(call_.input),
      stats_.frames, stats_.fps(), counts_.swapped);
  if (counts_.held > 0) Say(", held in {}", counts_.held);
  if (counts_.hidden > 0) Say(", the picture hidden in {}", counts_.hidden);
  if (counts_.live > 0) Say(", not to be seen in {}", counts_.live);
  Say("\n  wrote {}\n", Printable(call_.output));
}

}  // namespace holostat::app
