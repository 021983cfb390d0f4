#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "engine/session.h"
#include "holostat/image.h"
#include "media/tensor_target.h"
#include "vision/crop.h"
#include "vision/model_source.h"
#include "vision/model_store.h"
#include "vision/stage_clock.h"

namespace holostat::vision {

// How a model wants its picture, and what it gives.
struct RegionModelSpec {
  ModelId model;
  Stage stage;              // on which its inference time is booked
  int input_size = 0;       // side of its square input, pixels
  float low = 0, high = 1;  // what 0 and 255 become
  media::Border border = media::Border::kReplicate;
  Sampling sampling = Sampling::kPixelCentres;
  bool keep_aspect = true;           // letterbox instead of stretching
  std::vector<std::size_t> outputs;  // those needed, by position in the model file
  std::vector<std::size_t> sizes;    // values in each of them
};

// A model and the way of pixels into it: region of a picture -> crop -> inference.
// Bound to one thread at a time.
class RegionModel {
 public:
  // What the model saw in its last run: the region with its letterbox bands.
  struct Crop {
    PixelRegion padded;
    Padding padding;
  };

  // Errors: those of ReadModel and Session::Create, kInternal when the model is not as specified.
  static Result<RegionModel> Create(const ModelSource& source, RegionModelSpec spec);

  // Crops and infers. No heap call. Errors: kInternal from the engine.
  Result<Crop> Run(const ImageView& image, PixelRegion region, StageClock& clock);

  // Takes now the pages that runs will write. Best effort.
  void TouchMemory() { session_->TouchMemory(); }

  // Output by its position in the model file; valid until the next Run.
  std::span<const float> output(std::size_t index) const { return session_->output(index); }

 private:
  RegionModel(RegionModelSpec spec, std::unique_ptr<engine::Session> session)
      : spec_(std::move(spec)), session_(std::move(session)) {}

  RegionModelSpec spec_;
  std::unique_ptr<engine::Session> session_;
};

}  // namespace holostat::vision
