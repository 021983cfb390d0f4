#include "app/frame_outputs.h"

#include <algorithm>
#include <utility>

#include "app/bvh_sink.h"
#include "app/csv_sink.h"
#include "app/frame_files_sink.h"
#include "app/json_document_sink.h"
#include "app/json_lines_sink.h"
#include "app/video_sink.h"
#include "base/check.h"

namespace holostat::app {
namespace {

Result<std::unique_ptr<FrameSink>> MakeSink(const OutputTarget& target,
                                            const FrameOutputs::Options& options) {
  switch (target.sink) {
    case SinkKind::kFrameFiles:
      return MakeFrameFilesSink(
          target,
          {.face = options.face, .link_picture = options.link_picture, .signals = options.signals});
    case SinkKind::kJsonLines:
      return OpenJsonLines(target,
                           {.start = options.append_lines ? FileStart::kAppend : FileStart::kEmpty,
                            .signals = options.signals});
    case SinkKind::kJsonDocument:
      return MakeJsonDocumentSink(target, options.signals);
    case SinkKind::kCsv:
      return OpenCsv(target);
    case SinkKind::kBvh:
      return MakeBvhSink(target);
    case SinkKind::kVideo:
      HOLO_CHECK(options.videos != nullptr);
      return MakeVideoSink(target, {.face = options.face, .quiet = options.quiet}, *options.videos);
  }
  return Fail(ErrorCode::kInternal, "unknown kind of output");
}

// Of several things that are all to be done, the first error.
void Keep(Result<void> result, Result<void>& first) {
  if (first && !result) first = std::move(result);
}

}  // namespace

Result<FrameOutputs> FrameOutputs::Open(std::vector<OutputTarget> targets, const Options& options) {
  FrameOutputs outputs(std::move(targets));
  if (options.print_json)
    outputs.outputs_.push_back({PrintJsonLines(options.signals), Span::kCall});
  for (const OutputTarget& target : outputs.targets_) {
    outputs.outputs_.push_back({HOLO_TRY(MakeSink(target, options)), target.span});
  }
  return outputs;
}

Result<void> FrameOutputs::Begin(const InputInfo& input) {
  Result<void> first;
  for (Output& output : outputs_) {
    if (output.span == Span::kInput) Keep(End(output), first);
    auto begun = output.sink->Begin(input);
    output.state = begun ? State::kOpen : State::kFailed;
    Keep(std::move(begun), first);
  }
  return first;
}

Result<void> FrameOutputs::Write(const FrameResult& frame, const ImageView& picture,
                                 const std::string& source, std::size_t index) {
  Result<void> first;
  for (Output& output : outputs_) {
    if (output.state != State::kOpen) continue;
    auto written =
        output.sink->Write({.result = frame, .picture = picture, .source = source, .index = index});
    // A file a frame does not depend on those before it.
    if (!written && output.span != Span::kFrame) output.state = State::kFailed;
    Keep(std::move(written), first);
  }
  return first;
}

bool FrameOutputs::can_write() const {
  return std::ranges::any_of(outputs_,
                             [](const Output& output) { return output.state == State::kOpen; });
}

Result<void> FrameOutputs::Finish() {
  Result<void> first;
  for (Output& output : outputs_) Keep(End(output), first);
  outputs_.clear();
  return first;
}

Result<void> FrameOutputs::End(Output& output) {
  if (std::exchange(output.state, State::kIdle) != State::kOpen) return {};
  return output.sink->Finish();
}

}  // namespace holostat::app
