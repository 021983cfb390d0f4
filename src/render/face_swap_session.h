#pragma once

#include <chrono>
#include <optional>

#include "holostat/frame_result.h"
#include "holostat/image.h"
#include "render/face_steadier.h"
#include "render/face_swap.h"
#include "render/face_texture.h"

namespace holostat::render {

// What is shown when the face is lost.
enum class OnLoss {
  // The drawn face stays where it was for a while, then fades to the live picture.
  kHold = 1,
  // Likewise, but then the whole picture becomes a mosaic, until the face is found again: the live
  // face is never shown. Before the face is found first, too.
  kBlur,
  // As kBlur, with an even ground and a few words in place of the mosaic.
  kCard,
  // The live picture at once.
  kPassthrough,
};

// The face of one person swapped through the frames of a video: made steady, and what is done while
// it is lost. Makes no heap call after it was made. Bound to one thread at a time.
class FaceSwapSession {
 public:
  struct Options {
    FaceSwapOptions swap{};
    OnLoss on_loss = OnLoss::kHold;
    std::chrono::milliseconds hold{400};  // a lost face stays so long
    std::chrono::milliseconds fade{200};  // and fades in this time
    bool steady = true;
  };
  enum class Outcome { kSwapped = 1, kHeld, kHidden, kLive };

  explicit FaceSwapSession(const Options& options) : options_(options), swapper_(options.swap) {}

  void Reset();
  // The next frame: `person` is whom to draw over, null if there is nobody. A person without a face
  // is a lost face.
  Outcome Draw(const FaceTexture& texture, const Person* person,
               std::chrono::microseconds timestamp, Image& image);

 private:
  Outcome DrawLost(const FaceTexture& texture, std::chrono::microseconds timestamp, Image& image);
  void Hide(Image& image) const;

  Options options_;
  FaceSwapper swapper_;
  FaceSteadier steadier_;
  std::optional<std::chrono::microseconds> seen_;  // when the face was last drawn as found
  Person last_;                                    // as it was drawn then, its hands left out
};

}  // namespace holostat::render
