#include "vision/region_model.h"

#include <fmt/format.h>

#include <utility>

namespace holostat::vision {
namespace {

constexpr std::size_t kChannels = 3;

// The files are pinned by hash, so this only fails when spec or engine are wrong; then the decoders
// must not read out of bounds.
Result<void> CheckShapes(const RegionModelSpec& spec, engine::Session& session) {
  const auto side = static_cast<std::size_t>(spec.input_size);
  if (session.input_count() != 1 || session.input(0).size() != side * side * kChannels) {
    return Fail(ErrorCode::kInternal, "unexpected input shape");
  }
  for (std::size_t i = 0; i < spec.outputs.size(); ++i) {
    const std::size_t index = spec.outputs[i];
    if (index >= session.output_count() || session.output(index).size() != spec.sizes[i]) {
      return Fail(ErrorCode::kInternal, fmt::format("unexpected shape of output {}", index));
    }
  }
  return {};
}

// The bytes of the file are given back before anything else is loaded.
Result<std::unique_ptr<engine::Session>> LoadSession(const ModelSource& source,
                                                     const RegionModelSpec& spec) {
  const std::vector<std::uint8_t> file = HOLO_TRY(ReadModel(source.dir, spec.model));
  return HOLO_TRY_CONTEXT(
      engine::Session::Create(
          file, engine::Session::Options{.outputs = spec.outputs, .workspace = source.workspace}),
      GetModelInfo(spec.model).name);
}

}  // namespace

Result<RegionModel> RegionModel::Create(const ModelSource& source, RegionModelSpec spec) {
  const std::string_view name = GetModelInfo(spec.model).name;
  auto session = HOLO_TRY(LoadSession(source, spec));
  HOLO_TRY_CONTEXT(CheckShapes(spec, *session), name);
  // The engine allocates in its first run. Do it now: a model that no frame needed so far, such as
  // that of the hands, would else allocate in the middle of a stream.
  HOLO_TRY_CONTEXT(session->Run(), name);
  return RegionModel(std::move(spec), std::move(session));
}

Result<RegionModel::Crop> RegionModel::Run(const ImageView& image, PixelRegion region,
                                           StageClock& clock) {
  const int side = spec_.input_size;
  Crop crop{region, {}};
  if (spec_.keep_aspect) crop.padding = PadToAspect(crop.padded, side, side);
  const media::TensorTarget target{session_->input(0), side, side, spec_.low, spec_.high};
  clock.Measure(Stage::kCrop,
                [&] { SampleRegion(image, crop.padded, spec_.sampling, spec_.border, target); });
  HOLO_TRY_CONTEXT(clock.Measure(spec_.stage, [&] { return session_->Run(); }),
                   GetModelInfo(spec_.model).name);
  return crop;
}

}  // namespace holostat::vision
