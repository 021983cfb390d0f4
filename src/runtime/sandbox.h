#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/result.h"

namespace holostat::runtime {

struct SandboxLimits {
  std::uint64_t memory_bytes = 512u << 20;  // address space beyond what it has when it enters
  std::uint32_t fds = 64;
};

// What a worker may still do once it has its models, its channel and its answer area: compute,
// allocate, talk on descriptors that it has. It can open no file, make no socket, process or
// thread, signal nobody but itself, gain no privilege; its memory and descriptors are limited.
//
// One exception: open("/proc/self/fd/N") gives a duplicate of descriptor N, so that the allocator
// can write a heap profile to a descriptor that the supervisor sent.
class Sandbox {
 public:
  // Builds the system call filter. For the zygote, once: entering is then a matter of
  // microseconds. Error: kUnsupported where the kernel has no seccomp filters.
  static Result<std::unique_ptr<Sandbox>> Prepare(const SandboxLimits& limits);
  virtual ~Sandbox() = default;

  // For a process with one thread; cannot be undone. Error: kUnavailable when any part is refused:
  // the process must not go on then. Under a sanitizer the memory limit is left out (it maps
  // terabytes).
  virtual Result<void> Enter() const = 0;
};

}  // namespace holostat::runtime
