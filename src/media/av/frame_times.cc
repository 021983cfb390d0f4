#include "media/av/frame_times.h"

extern "C" {
#include <libavutil/common.h>
#include <libavutil/mathematics.h>
}

namespace holostat::media::av {
namespace {

constexpr AVRational kMicroseconds{1, 1'000'000};

}  // namespace

std::chrono::microseconds FrameTimes::Next(std::optional<std::int64_t> timestamp) {
  std::chrono::microseconds time = expected_;
  if (timestamp) {
    if (!start_) start_ = *timestamp;
    // What does not fit saturates: a time from outside may be anything.
    time = std::chrono::microseconds(
        av_rescale_q(av_sat_sub64(*timestamp, *start_), time_base_, kMicroseconds));
  }
  if (!timestamp || (last_ && time <= *last_)) ++odd_;
  last_ = time;
  expected_ = std::chrono::microseconds(av_sat_add64(time.count(), step_.count()));
  return time;
}

std::optional<std::int64_t> FrameTimes::ToSource(std::chrono::microseconds time) const {
  if (!start_) return std::nullopt;
  return av_sat_add64(*start_, av_rescale_q(time.count(), kMicroseconds, time_base_));
}

}  // namespace holostat::media::av
