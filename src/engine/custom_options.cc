#include "engine/custom_options.h"

#include "engine/flex_map.h"

namespace holostat::engine {

Result<LandmarksToMatrixAttributes> ReadLandmarksToMatrixOptions(
    std::span<const std::uint8_t> options) {
  const FlexMap map = HOLO_TRY(FlexMap::Parse(options));
  LandmarksToMatrixAttributes attributes;
  attributes.left_rotation_index = HOLO_TRY(map.Int("left_rotation_idx"));
  attributes.right_rotation_index = HOLO_TRY(map.Int("right_rotation_idx"));
  attributes.target_rotation_radians = HOLO_TRY(map.Float("target_rotation_radians"));
  attributes.output_height = HOLO_TRY(map.Int("output_height"));
  attributes.output_width = HOLO_TRY(map.Int("output_width"));
  attributes.scale_x = HOLO_TRY(map.Float("scale_x"));
  attributes.scale_y = HOLO_TRY(map.Float("scale_y"));
  attributes.subset = HOLO_TRY(map.IntList("subset_idxs"));
  return attributes;
}

Result<TransformBilinearAttributes> ReadTransformBilinearOptions(
    std::span<const std::uint8_t> options) {
  const FlexMap map = HOLO_TRY(FlexMap::Parse(options));
  TransformBilinearAttributes attributes;
  attributes.output_height = HOLO_TRY(map.Int("output_height"));
  attributes.output_width = HOLO_TRY(map.Int("output_width"));
  return attributes;
}

}  // namespace holostat::engine
