#include "runtime/governor.h"

namespace holostat::runtime {

std::string_view MemoryLevelName(MemoryLevel level) {
  switch (level) {
    case MemoryLevel::kNormal:
      return "normal";
    case MemoryLevel::kTrim:
      return "trim";
    case MemoryLevel::kUnload:
      return "unload";
    case MemoryLevel::kLighter:
      return "lighter";
    case MemoryLevel::kRecycle:
      return "recycle";
    case MemoryLevel::kRefuse:
      return "refuse";
    case MemoryLevel::kRestart:
      return "restart";
  }
  return "unknown";
}

}  // namespace holostat::runtime
