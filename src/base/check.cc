#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace holostat::internal {

void CheckFailed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "holostat: %s:%d: check failed: %s\n", file, line, condition);
  std::abort();
}

}  // namespace holostat::internal
