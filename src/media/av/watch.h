#pragma once

#include <atomic>
#include <chrono>
#include <string_view>

#include "base/result.h"

namespace holostat::media::av {

// Until when a reader waits for its source. Bound to the reader's thread but for Interrupt.
class Watch {
 public:
  // `interrupted` may be null, and outlives this.
  explicit Watch(const std::atomic<bool>* interrupted) : asked_to_end_(interrupted) {}
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void Start(std::chrono::milliseconds patience) {
    patience_ = patience;
    deadline_ = std::chrono::steady_clock::now() + patience;
  }
  // From any thread or a signal handler; for good.
  void Interrupt() noexcept { interrupted_.store(true, std::memory_order_relaxed); }

  bool is_over() const { return is_interrupted() || std::chrono::steady_clock::now() >= deadline_; }

  // Why it is over. REQUIRES: is_over.
  Error ToError(std::string_view what) const;

  // The interrupt callback of FFmpeg, which asks it a few times a second wherever it waits.
  static int IsOver(void* watch) { return static_cast<const Watch*>(watch)->is_over() ? 1 : 0; }

 private:
  bool is_interrupted() const {
    return interrupted_.load(std::memory_order_relaxed) ||
           (asked_to_end_ != nullptr && asked_to_end_->load(std::memory_order_relaxed));
  }

  static_assert(std::atomic<bool>::is_always_lock_free, "written by a signal handler");
  // Says nothing about other data, so no ordering is needed.
  std::atomic<bool> interrupted_{false};
  const std::atomic<bool>* asked_to_end_;
  std::chrono::milliseconds patience_{0};
  std::chrono::steady_clock::time_point deadline_{};
};

}  // namespace holostat::media::av
