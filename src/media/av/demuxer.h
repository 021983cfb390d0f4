#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "media/av/fd_input.h"
#include "media/av/handles.h"
#include "media/av/watch.h"
#include "media/video.h"
#include "media/video_source.h"

namespace holostat::media::av {

// The packets of the video in a source, in the order of the file. Bound to one thread.
//
// A source opens nothing but itself: a file that refers to others (a playlist, a QuickTime file
// with external data) does not get them, an address may lead to other addresses but to no file.
class Demuxer {
 public:
  // `watch`, started, must outlive the result. Errors: those of VideoLibrary::OpenReader.
  static Result<std::unique_ptr<Demuxer>> Open(const std::string& source,
                                               const VideoReader::Options& options, Watch& watch);
  Demuxer(const Demuxer&) = delete;
  Demuxer& operator=(const Demuxer&) = delete;

  const std::string& name() const { return name_; }  // of the source, for messages
  AVFormatContext& format() { return *format_; }
  AVStream& stream() { return *stream_; }
  bool has_audio() const { return has_audio_; }
  // Has no end of its own, and cannot be sought.
  bool is_live() const { return is_live_; }

  // The next packet of the video; false at the end. What cannot be read but passed over is counted
  // in `broken`. Errors: kTimeout, kUnavailable, kCorruptData, kOverloaded.
  Result<bool> Read(AVPacket& packet, std::uint64_t& broken);

  // To the last place at or before `time`, in the stream's time base, from which frames can be
  // decoded. False where that cannot be done; the source then stays where it is.
  bool SeekTo(std::int64_t time);

 private:
  Demuxer(std::string name, const Watch& watch) : name_(std::move(name)), watch_(watch) {}
  Result<void> OpenFormat(VideoSourceKind kind, const VideoReader::Options& options);
  Result<void> FindStream(const VideoReader::Options& options);
  bool CanPassOver(int code);
  Error ReadError(int code) const;

  std::string name_;
  const Watch& watch_;
  std::unique_ptr<FdInput> input_;  // before format_, which reads through it until it is closed
  InputHandle format_;
  AVStream* stream_ = nullptr;  // of format_
  bool has_audio_ = false;
  bool is_live_ = false;
  int passed_over_ = 0;  // errors since the last packet
};

}  // namespace holostat::media::av
