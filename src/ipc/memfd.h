#pragma once

#include <cstddef>

#include "base/result.h"
#include "base/unique_fd.h"

namespace holostat::ipc {

// What slots, answer areas and rings are made of: memory with a descriptor and no name in any file
// system, so it is gone when the last process that holds it is.

// Can be sealed; close-on-exec; never executable where the kernel knows how. `name` is what
// /proc/PID/maps and /proc/PID/fd show of it, "memfd:<name>". Takes each page when it is first
// touched, by reading too. Not with fallocate: that takes them all and, where there are not enough,
// has the kernel kill processes until there are, rather than fail. Error: kOverloaded.
Result<UniqueFd> CreateMemfd(const char* name, std::size_t bytes);

// `seals` are F_SEAL_... of fcntl(2). Error: kInternal.
Result<void> AddSeals(int fd, int seals);

// The size of a memfd with at least these seals. With F_SEAL_SHRINK among them so many bytes can be
// read without fear of SIGBUS ever after. Error: kCorruptData for any other descriptor.
Result<std::size_t> SealedSize(int fd, int seals);

}  // namespace holostat::ipc
