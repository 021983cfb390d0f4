// Any bytes through ParseHeapProfile and ParseHeapSnapshot: a worker that has gone wrong may write
// anything as its heap profile.
#include <cstddef>
#include <cstdint>

#include "runtime/heap_profile_exercise.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  holostat::runtime::ExerciseHeapProfile({reinterpret_cast<const char*>(data), size});
  return 0;
}
