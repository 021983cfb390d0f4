#include "vision/ssd_detector.h"

#include <utility>

#include "vision/detection_decoder.h"

namespace holostat::vision {

Result<SsdDetector> SsdDetector::Create(const ModelSource& source, SsdSpec spec) {
  std::vector<Point> anchors = MakeAnchors(spec.model.input_size, spec.layers);
  spec.model.outputs = {0, 1};
  spec.model.sizes = {anchors.size() * (kBoxValues + 2 * spec.keypoint_count), anchors.size()};
  RegionModel model = HOLO_TRY(RegionModel::Create(source, spec.model));
  return SsdDetector(spec, std::move(anchors), std::move(model));
}

SsdDetector::SsdDetector(const SsdSpec& spec, std::vector<Point> anchors, RegionModel model)
    : input_size_(spec.model.input_size),
      keypoint_count_(spec.keypoint_count),
      min_score_(spec.min_score),
      anchors_(std::move(anchors)),
      model_(std::move(model)),
      nms_(anchors_.size()),
      candidates_(anchors_.size()),
      kept_(kMaxDetections) {}

Result<SsdDetector::Output> SsdDetector::Run(const ImageView& image, const PixelRegion& region,
                                             StageClock& clock) {
  const RegionModel::Crop crop = HOLO_TRY(model_.Run(image, region, clock));
  return Output{Decode(min_score_), crop};
}

std::span<const Detection> SsdDetector::Decode(float min_score) {
  const RawDetections raw{model_.output(0), model_.output(1), keypoint_count_, input_size_};
  const std::size_t found = DecodeDetections(raw, anchors_, min_score, candidates_);
  const std::size_t kept = nms_.Run(std::span(candidates_).first(found), kept_);
  return std::span(kept_).first(kept);
}

}  // namespace holostat::vision
