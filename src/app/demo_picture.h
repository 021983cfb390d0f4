#pragma once

#include <cstdint>
#include <span>

namespace holostat::app {

// assets/demo/upper-hands-up.jpg, built into the program: a picture of a person is at hand
// wherever the program runs.
std::span<const std::uint8_t> DemoPicture();

}  // namespace holostat::app
