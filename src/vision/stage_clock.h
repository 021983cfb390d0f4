#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <span>
#include <utility>

#include "holostat/holistic_tracker.h"

namespace holostat::vision {

// The stages of a frame, in pipeline order; the models first.
enum class Stage : std::size_t {
  kPoseDetection = 0,
  kPoseLandmark,
  kHandRecrop,
  kHandLandmark,
  kFaceDetection,
  kFaceLandmark,
  kCrop,    // all resampling of pixels into tensors
  kDecode,  // what is left of the frame: everything between crops and models
};
inline constexpr std::size_t kStageCount = 8;

// Adds up where the time of one frame goes. Read clock, no I/O, no heap call.
class StageClock {
 public:
  StageClock();

  void BeginFrame();
  void EndFrame();  // gives kDecode the time of the frame that nobody else took

  // Runs `work` and books its time on `stage`.
  template <class Work>
  decltype(auto) Measure(Stage stage, Work&& work) {
    const Booking booking(times_[static_cast<std::size_t>(stage)].total);
    return std::forward<Work>(work)();
  }

  std::span<const StageTime> times() const { return times_; }

 private:
  using Clock = std::chrono::steady_clock;

  class Booking {
   public:
    explicit Booking(std::chrono::nanoseconds& total) : total_(total), start_(Clock::now()) {}
    ~Booking() { total_ += Clock::now() - start_; }
    Booking(const Booking&) = delete;
    Booking& operator=(const Booking&) = delete;

   private:
    std::chrono::nanoseconds& total_;
    Clock::time_point start_;
  };

  std::array<StageTime, kStageCount> times_;
  Clock::time_point frame_start_;
};

}  // namespace holostat::vision
