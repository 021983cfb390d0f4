#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"

namespace holostat {

// What the allocator of this process can tell and do. The program links jemalloc; in a library
// user's process, or under a sanitizer, there is another allocator and most of this is "cannot".

// Gives free pages back to the system.
void ReleaseFreeHeap();

// Bytes in use by the application; 0 where the allocator cannot tell. Costs tens of microseconds.
std::uint64_t HeapInUseBytes();

// Heap sampling, switched while the process runs. Sampled are allocations made while it is on; a
// sample lives until the block is freed. Errors of all: kUnsupported without jemalloc's profiler.
//
// A sample each 2^sample_log2 allocated bytes on average (10..30; forgets earlier samples).
Result<void> StartHeapSampling(unsigned sample_log2);
Result<void> StopHeapSampling();
// Writes the living samples to `fd` in jemalloc's text form ("heap_v2/..."; addresses, no names).
// Works in a sandboxed worker, too (runtime/sandbox.h): opens nothing, and tries once, in vain
// there, to open /proc/PID/maps. REQUIRES: `fd` at the start of an empty file, or a pipe or socket.
// Error: kUnavailable (cannot be written).
Result<void> DumpHeapSamples(int fd);

}  // namespace holostat
