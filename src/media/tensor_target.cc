#include "media/tensor_target.h"

#include <algorithm>
#include <cstddef>

#include "base/check.h"

namespace holostat::media {

bool BeginWarp(const ImageView& source, const TensorTarget& target) {
  HOLO_CHECK(target.width >= 0 && target.height >= 0);
  HOLO_CHECK(target.values.size() ==
             static_cast<std::size_t>(target.width) * static_cast<std::size_t>(target.height) * 3);
  if (source.empty()) std::fill(target.values.begin(), target.values.end(), target.low);
  return !source.empty() && !target.values.empty();
}

}  // namespace holostat::media
