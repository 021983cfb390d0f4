// Any bytes as a model file: read, optimise, and where the model is small also run it, against the
// reference interpreter.
#include <cstddef>
#include <cstdint>

#include "engine/reference_exercise.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  holostat::engine::ExerciseModelFile({data, size});
  return 0;
}
