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

// Adds up where the time of one frame goes. No I/O, no heap call.
class StageClock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Now = Time (*)();  // never goes back

  explicit StageClock(Now now = &std::chrono::steady_clock::now);

  void BeginFrame();
  void EndFrame();  // gives kDecode the time of the frame that nobody else took

  // Runs `work` and books its time on `stage`.
  template <class Work>
  decltype(auto) Measure(Stage stage, Work&& work) {
    const Booking booking(times_[static_cast<std::size_t>(stage)].total, now_);
    return std::forward<Work>(work)();
  }

  std::span<const StageTime> times() const { return times_; }

 private:
  class Booking {
   public:
    Booking(std::chrono::nanoseconds& total, Now now) : total_(total), now_(now), start_(now()) {}
    ~Booking() { total_ += now_() - start_; }
    Booking(const Booking&) = delete;
    Booking& operator=(const Booking&) = delete;

   private:
    std::chrono::nanoseconds& total_;
    Now now_;
    Time start_;
  };

  Now now_;
  std::array<StageTime, kStageCount> times_;
  Time frame_start_;
};

}  // namespace holostat::vision
