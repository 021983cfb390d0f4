#include "app/demo_picture.h"

// The assembler puts the file into the read-only data; a C++20 compiler has no way of its own.
__asm__(
    ".pushsection .rodata\n"
    ".balign 16\n"
    "holostat_demo_begin:\n"
    ".incbin \"" HOLOSTAT_DEMO_PICTURE
    "\"\n"
    "holostat_demo_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" {
[[gnu::visibility("hidden")]] extern const std::uint8_t holostat_demo_begin[];
[[gnu::visibility("hidden")]] extern const std::uint8_t holostat_demo_end[];
}

namespace holostat::app {

std::span<const std::uint8_t> DemoPicture() { return {holostat_demo_begin, holostat_demo_end}; }

}  // namespace holostat::app
