#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "holostat/api.h"
#include "holostat/frame_result.h"
#include "holostat/image.h"
#include "holostat/result.h"

namespace holostat {

// Which pose landmark model: lite is fastest, heavy most accurate.
enum class Complexity { kLite = 1, kFull, kHeavy };

// How the pixels of a region become the input of a model.
enum class Sampling {
  // Exact positions between pixel centres, nothing rounded: as MediaPipe does on a graphics card
  // and in a browser.
  kPixelCentres = 1,
  // As MediaPipe does on a CPU: positions without half a pixel, rounded to 1/32, values to 8 bits.
  // Only of use to compare with it (docs/parity.md).
  kOpenCv,
};

// What the pictures given to a tracker are to each other.
enum class Frames {
  kStill = 1,  // nothing: each is independent of those before it
  kVideo,      // frames of one video or live stream, in order
};

// As many people as a tracker finds at most (docs/people.md says why).
inline constexpr int kMaxPeople = 8;

// Time spent in one stage of the last Process call.
struct StageTime {
  std::string_view name;              // static storage: "pose_detection", "crop", ...
  std::chrono::nanoseconds total{0};  // 0 when the stage did not run
  bool is_model = false;              // inference only, no pixels moved
};

// Finds the body, hands and face of each person in a picture: the pipeline of MediaPipe Holistic
// (docs/pipeline.md), on models loaded once, for one person or several (docs/people.md).
//
// With Frames::kVideo people are followed from frame to frame (docs/tracking.md): the models look
// where body, hands and face were, the body detector runs only when there are fewer people to
// follow than asked for, and the body is made steady over time.
//
// Process makes no heap call, unless to report an error. Not thread-safe: one tracker a thread.
// Trackers share nothing and may run in parallel.
class HOLO_API HolisticTracker {
 public:
  struct Options {
    std::filesystem::path models_dir{};  // where the .tflite files lie (`holostat models`)
    Complexity complexity = Complexity::kFull;
    bool refine_face = true;    // 478 face points by the attention model, else 468
    bool segmentation = false;  // also give the body mask
    // How many people to track at most, 1..kMaxPeople. Time and memory grow with those found. With
    // one, the result is that of MediaPipe.
    int people = 1;
    Sampling sampling = Sampling::kPixelCentres;
    float min_detection_confidence = 0.5f;  // a pose detection scoring less is no person
    float min_tracking_confidence = 0.5f;   // pose landmarks not above this are no person
    Frames frames = Frames::kStill;
    // Of videos: make the body's landmarks, or its mask, steady over time. Hands and face never
    // are.
    bool smooth_landmarks = true;
    bool smooth_segmentation = true;
  };

  // Loads and prepares the models that `options` needs. Errors: kInvalidArgument for options out of
  // range; for a model file kNotFound, kUnavailable (cannot be read) or kCorruptData (not the file
  // we know); kUnsupported when the inference library cannot work on this processor; kOverloaded
  // when memory is short; kInternal. Throws nothing.
  static Result<std::unique_ptr<HolisticTracker>> Create(const Options& options);

  virtual ~HolisticTracker() = default;
  HolisticTracker(const HolisticTracker&) = delete;
  HolisticTracker& operator=(const HolisticTracker&) = delete;

  // Finds who is in `image`, which is only read during the call. `timestamp` is passed through; in
  // a video it says how much time has passed since the frame before (from any start, negative too).
  // A frame that is not later than the one before, or later by more than 10 s, is tracked as a
  // still picture and changes nothing for the next one; time goes on from there when the next one
  // follows it. Another size of picture begins the video anew.
  // Nobody in the picture is an empty result, not an error. Errors: kInvalidArgument for an empty
  // image, a side over 65535 pixels or a stride below 3 * width; kInternal from the engine.
  virtual Result<FrameResult> Process(const ImageView& image,
                                      std::chrono::microseconds timestamp) = 0;

  // Forgets all frames: the next one begins a video. Nothing to do for still pictures.
  virtual void Reset() = 0;

  // Where the time of the last Process call went, in pipeline order. Valid until the next call.
  virtual std::span<const StageTime> last_stage_times() const = 0;

 protected:
  HolisticTracker() = default;
};

}  // namespace holostat
