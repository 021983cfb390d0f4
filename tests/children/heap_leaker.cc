// A process with a door that leaks, or does not, until its standard input ends: "leak" and "give"
// say which. For tests/system/heap_command_test.py.
#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "runtime/heap_door.h"

namespace {

constexpr int kBlocks = 64;

[[gnu::noinline]] void LeakHere() {
  for (int i = 0; i < kBlocks; ++i) {
    void* volatile block = std::malloc(4096);  // the leak
    static_cast<void>(block);
  }
}

[[gnu::noinline]] void GiveBackHere() {
  for (int i = 0; i < kBlocks; ++i) {
    void* volatile block = std::malloc(4096);
    std::free(block);
  }
}

}  // namespace

int main() {
  const auto door = holostat::runtime::HeapDoor::Open("leaker");
  if (!door) return 1;
  std::puts("ready");
  std::fflush(stdout);
  void (*work)() = GiveBackHere;
  for (;;) {
    pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    char line[16];
    if (::poll(&input, 1, 1) > 0) {
      const ssize_t count = ::read(STDIN_FILENO, line, sizeof(line));
      if (count <= 0) return 0;
      const std::string_view word(line, static_cast<std::size_t>(count));
      work = word.starts_with("leak") ? LeakHere : GiveBackHere;
    }
    work();
  }
}
