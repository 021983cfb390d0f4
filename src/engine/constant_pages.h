#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/mapping.h"

namespace holostat::engine {

// Memory for what is written while a session is created and only read when it runs. Pages of its
// own, so that a forked process keeps sharing them; and read-only once sealed, so that a write that
// would break this does not go unseen.
class ConstantPages {
 public:
  // On a 64-byte boundary, with as much readable behind it. nullptr when there is no memory.
  // Nothing is given back before the whole is.
  std::byte* Allocate(std::size_t bytes);

  bool Contains(const void* address) const { return BytesUpToEnd(address) != 0; }
  // From `address` to the end of the chunk of pages it lies in; 0 when it lies in none.
  std::size_t BytesUpToEnd(const void* address) const;

  // Makes read-only what was allocated so far, and gives back the pages that were not.
  Result<void> Seal();

  std::span<const Mapping> chunks() const { return chunks_; }

 private:
  bool AddChunk(std::size_t bytes);

  std::vector<Mapping> chunks_;
  std::size_t used_ = 0;   // of the last chunk
  std::size_t total_ = 0;  // of all chunks
};

}  // namespace holostat::engine
