#pragma once

#include <cstdint>

namespace holostat {

// How many heap calls (malloc, calloc, realloc, memalign and friends, and free of a block) this
// process has made on any thread. Counted by interposition: link the library holostat_heap_calls
// into the executable. One relaxed atomic add a call.
std::uint64_t HeapCalls();

}  // namespace holostat
