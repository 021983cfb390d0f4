#include "app/door.h"

#include <utility>

namespace holostat::app {

std::unique_ptr<runtime::HeapDoor> OpenDoor(std::string role) {
  auto door = runtime::HeapDoor::Open(std::move(role));
  return door ? *std::move(door) : nullptr;
}

}  // namespace holostat::app
