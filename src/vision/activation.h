#pragma once

#include <cmath>

namespace holostat::vision {

inline float Sigmoid(float logit) { return 1.0f / (1.0f + std::exp(-logit)); }

}  // namespace holostat::vision
