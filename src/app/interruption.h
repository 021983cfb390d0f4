#pragma once

#include <atomic>

namespace holostat::app {

// Set by Ctrl-C and SIGTERM once HandleInterruption was called: what is at hand is finished, then
// nothing more is begun.
extern std::atomic<bool> interrupted;

// The first signal sets `interrupted` and wakes a blocked read; a second one ends the program at
// once. A signal ignored by who started us (nohup) stays ignored. A limit on file size becomes an
// error of write.
void HandleInterruption();

}  // namespace holostat::app
