#include "render/face_swap_session.h"

#include <algorithm>

#include "render/label.h"
#include "render/mosaic.h"

namespace holostat::render {

void FaceSwapSession::Reset() {
  swapper_.Reset();
  steadier_.Reset();
  seen_.reset();
}

FaceSwapSession::Outcome FaceSwapSession::Draw(const FaceTexture& texture, const Person* person,
                                               std::chrono::microseconds timestamp, Image& image) {
  if (person == nullptr || !person->face || person->face->count < kFaceMeshCount)
    return DrawLost(texture, timestamp, image);
  if (seen_ && timestamp - *seen_ > options_.hold + options_.fade) Reset();  // another scene
  last_ = *person;
  if (options_.steady) steadier_.Apply(timestamp, image.width(), image.height(), *last_.face);
  if (!swapper_.Draw(texture, last_, timestamp, 1, image))
    return DrawLost(texture, timestamp, image);
  seen_ = timestamp;
  last_.left_hand.reset();
  last_.right_hand.reset();
  return Outcome::kSwapped;
}

FaceSwapSession::Outcome FaceSwapSession::DrawLost(const FaceTexture& texture,
                                                   std::chrono::microseconds timestamp,
                                                   Image& image) {
  const bool may_show_live =
      options_.on_loss == OnLoss::kHold || options_.on_loss == OnLoss::kPassthrough;
  if (seen_ && options_.on_loss != OnLoss::kPassthrough && timestamp >= *seen_) {
    const auto lost = timestamp - *seen_;
    // Where the live face may not be seen, nothing fades to it.
    const auto until =
        options_.hold + (may_show_live ? options_.fade : std::chrono::milliseconds(0));
    if (lost <= until) {
      const float past = std::chrono::duration<float>(lost - options_.hold) /
                         std::chrono::duration<float>(options_.fade);
      const float opacity = lost <= options_.hold ? 1 : std::clamp(1 - past, 0.0f, 1.0f);
      swapper_.Draw(texture, last_, timestamp, opacity, image);
      return Outcome::kHeld;
    }
  }
  if (may_show_live) return Outcome::kLive;
  Hide(image);
  return Outcome::kHidden;
}

void FaceSwapSession::Hide(Image& image) const {
  if (options_.on_loss == OnLoss::kBlur) return DrawMosaic(image);
  constexpr std::uint8_t kGround = 40;
  for (int y = 0; y < image.height(); ++y)
    std::fill(image.row(y), image.row(y) + image.stride_bytes(), kGround);
  DrawLabel("ONE MOMENT PLEASE", {.corner = LabelCorner::kTopLeft, .height = 0.06}, image);
}

}  // namespace holostat::render
