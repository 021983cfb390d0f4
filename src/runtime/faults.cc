#include "runtime/faults.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace holostat::runtime {
namespace {

// The argument as bytes, milliseconds or a plain count.
std::uint64_t Number(std::string_view text) {
  std::uint64_t value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value).ptr;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (unit == "KB") return value << 10;
  if (unit == "MB") return value << 20;
  if (unit == "s") return value * 1000;
  return value;
}

// Calls `act(name, argument)` for each fault of the list.
template <class Act>
void ForEach(std::string_view faults, Act&& act) {
  if (faults.starts_with('!')) faults.remove_prefix(1);
  while (!faults.empty()) {
    const std::string_view one = faults.substr(0, faults.find(','));
    faults.remove_prefix(std::min(one.size() + 1, faults.size()));
    const std::size_t colon = std::min(one.find(':'), one.size());
    act(one.substr(0, colon), one.substr(std::min(colon + 1, one.size())));
  }
}

// Where a leaked block is remembered, so that no compiler sees that nobody wants it.
void* volatile last_leak = nullptr;

__attribute__((noinline)) void LeakMemory(std::uint64_t bytes) {
  void* block = std::malloc(bytes);
  if (block != nullptr) std::memset(block, 0x5a, bytes);
  last_leak = block;
}

void LeakDescriptors(std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    if (::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0) < 0) return;
  }
}

[[noreturn]] void Crash() {
  ::signal(SIGSEGV, SIG_DFL);  // a sanitizer's report would take seconds
  ::raise(SIGSEGV);
  ::abort();
}

void Sleep(std::uint64_t milliseconds) { ::usleep(static_cast<useconds_t>(milliseconds * 1000)); }

[[noreturn]] void SpinForEver() {
  for (volatile std::uint64_t turns = 0;;) turns = turns + 1;
}

[[noreturn]] void GrowUntilRefused(std::uint64_t step) {
  for (;;) {
    void* block = std::malloc(step);
    if (block == nullptr) ::raise(SIGKILL);  // as the kernel would have done without our limit
    std::memset(block, 1, step);
    last_leak = block;
  }
}

void Do(std::string_view name, std::string_view argument) {
  if (name == "crash") Crash();
  if (name == "abort") std::abort();
  if (name == "exit") ::_exit(static_cast<int>(Number(argument)));
  if (name == "hang") {
    for (;;) ::pause();
  }
  if (name == "spin") SpinForEver();
  if (name == "slow") Sleep(Number(argument));
  if (name == "leak") LeakMemory(Number(argument));
  if (name == "fdleak") LeakDescriptors(Number(argument));
  if (name == "grow") GrowUntilRefused(std::max<std::uint64_t>(Number(argument), 1 << 20));
}

}  // namespace

void Faults::AtStart(std::string_view fault) { ForEach(fault, &Do); }

void Faults::BeforeJob(std::string_view fault) { ForEach(fault, &Do); }

void Faults::BeforeAnswer(std::string_view fault, std::span<std::byte> answer, ipc::JobDone& done) {
  ForEach(fault, [&](std::string_view name, std::string_view) {
    const auto written = answer.first(std::min<std::size_t>(done.answer_bytes, answer.size()));
    if (name == "garbage") std::ranges::fill(written.subspan(written.size() / 3), std::byte{0x5a});
    if (name == "nonsense") done.attempt += 7;
    if (name == "die-answering") {
      std::ranges::fill(written.subspan(written.size() / 2), std::byte{0});
      Crash();
    }
  });
}

void Faults::AfterAnswer(std::string_view fault) {
  ForEach(fault, [](std::string_view name, std::string_view) {
    if (name == "die-answered") Crash();
  });
}

}  // namespace holostat::runtime
