#pragma once

namespace holostat::internal {
[[noreturn]] void CheckFailed(const char* condition, const char* file, int line);
}

// A bug of ours: says so on stderr and aborts. Bytes from outside must never be able to trigger it.
#define HOLO_CHECK(condition)                                            \
  do {                                                                   \
    if (!(condition)) [[unlikely]]                                       \
      ::holostat::internal::CheckFailed(#condition, __FILE__, __LINE__); \
  } while (false)
