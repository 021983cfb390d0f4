#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/result.h"
#include "media/av/handles.h"

namespace holostat::media::av {

// Packets of a video in, frames out. One thread: the models need the others, and a damaged packet
// is reported with the frame that it costs. Bound to one thread.
class Decoder {
 public:
  // `name` of the source, for messages. Errors: kUnsupported, kLimitExceeded, kOverloaded.
  static Result<std::unique_ptr<Decoder>> Open(const AVStream& stream, std::string name,
                                               std::size_t max_pixels);
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  enum class Step { kDone = 1, kBroken, kNeedsPacket, kEnd };

  // Takes one packet; null: there are no more. kDone, or kBroken where it did not decode. Errors:
  // kLimitExceeded (a frame of more than max_pixels, before memory was spent on it), kOverloaded.
  Result<Step> Send(const AVPacket* packet);
  // The next frame in the order of showing. kBroken: one that is there, with errors in it.
  Result<Step> Receive(AVFrame& frame);
  // Forgets all it was sent: the next packet comes from elsewhere.
  void Flush() { avcodec_flush_buffers(context_.get()); }

 private:
  Decoder(std::string name, std::size_t max_pixels)
      : name_(std::move(name)), max_pixels_(max_pixels) {}
  static int GetBuffer(AVCodecContext* context, AVFrame* frame, int flags);
  Result<Step> Broken(int code) const;

  std::string name_;
  std::size_t max_pixels_;
  bool is_over_limit_ = false;
  CodecHandle context_;
};

// Whether a picture of that size may be made. Error: kLimitExceeded.
Result<void> CheckPixels(const std::string& name, int width, int height, std::size_t max_pixels);

}  // namespace holostat::media::av
