#pragma once

#include <string_view>

namespace holostat::runtime {

// Puts any bytes through the readers of profiles and snapshots, and aborts where they break a
// promise of their headers. For the fuzzer and for the test that replays its corpus.
void ExerciseHeapProfile(std::string_view bytes);

}  // namespace holostat::runtime
