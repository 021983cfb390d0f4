#pragma once

#include <cstdint>

// Test support: an `operator new` that fails when told to. Link failing_new.cc into the test.
namespace holostat::vision {

// Calls of `operator new` so far.
std::uint64_t NewCalls();

// Makes one call throw std::bad_alloc, after `count` more that work.
void FailNewAfter(std::uint64_t count);

}  // namespace holostat::vision
