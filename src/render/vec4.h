#pragma once

namespace holostat::render {

// Four numbers that are added and multiplied at once, on any processor that GCC or Clang knows.
using Vec4 = float __attribute__((vector_size(16)));

}  // namespace holostat::render
