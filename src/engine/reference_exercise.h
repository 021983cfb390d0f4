#pragma once

#include <cstdint>
#include <span>

namespace holostat::engine {

// Reads any bytes as a model file and holds the engine to its promises: an error has a code that
// outside bytes may cause, and a message; a graph that was read survives the passes; where it is
// small, the reference interpreter executes it, a Session is made of it and runs, and both compute
// the same. A broken promise aborts. For the fuzzer and the test that replays its findings.
void ExerciseModelFile(std::span<const std::uint8_t> bytes);

}  // namespace holostat::engine
