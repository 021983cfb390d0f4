#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace holostat::ipc {

// A 64-bit hash that notices bytes written by accident; no defence against intent. Eight bytes at a
// time, so that an answer of 60 KB costs microseconds.
std::uint64_t Hash64(std::span<const std::byte> bytes);

}  // namespace holostat::ipc
