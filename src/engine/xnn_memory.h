#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/mapping.h"
#include "engine/constant_pages.h"
#include "engine/workspace.h"

struct xnn_allocator;

namespace holostat::engine {

// What to initialise XNNPACK with: malloc and free, but for what a thread allocates, or gives back,
// while it uses an XnnMemory.
const xnn_allocator& XnnAllocator();

// Where one XNNPACK runtime keeps its blocks: large ones that it writes only while it is created
// and set up (packed weights, indirection tables) in ConstantPages, the workspace in one that it
// shares, or in pages of its own; all else on the heap (docs/adr/0004-one-workspace.md).
//
// XNNPACK has one allocator for the whole process and does not say what a block is for. So the
// calling thread says for whom it calls (Use), and the workspace is told by the order of calls,
// which is a guess: IsRight proves it or not. When somebody else has initialised XNNPACK, with
// another allocator, nothing comes here, all of this is empty, and that is right.
class XnnMemory {
 public:
  // `shared` may be null, and otherwise must outlive the runtime.
  explicit XnnMemory(Workspace* shared) : shared_(shared) {}

  XnnMemory(const XnnMemory&) = delete;
  XnnMemory& operator=(const XnnMemory&) = delete;

  // While it lives, what XNNPACK allocates and gives back on this thread is taken for `memory`'s;
  // plainly the heap's when that is null. REQUIRES: a block is given back in the same use of memory
  // that it was allocated in.
  class Use {
   public:
    explicit Use(XnnMemory* memory);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    XnnMemory* const previous_;
  };

  // Whether what was taken for the workspace is it, and nothing else is; to be asked when the
  // runtime is created and not yet set up. If not, the runtime must not be run.
  bool IsRight() const;

  // To be called when the runtime is set up. Errors: kOverloaded.
  Result<void> Seal() { return constants_.Seal(); }

  bool shares_workspace() const { return workspace_ != nullptr && own_workspace_.size() == 0; }
  std::size_t workspace_bytes() const { return workspace_bytes_; }
  const ConstantPages& constants() const { return constants_; }

  // For the allocator.
  void* Allocate(std::size_t bytes);
  void* AllocateAligned(std::size_t alignment, std::size_t bytes);
  void* Reallocate(void* block, std::size_t bytes);
  bool Owns(const void* block) const;

 private:
  void* LendWorkspace(std::size_t bytes);

  Workspace* const shared_;  // not owned
  Mapping own_workspace_;
  std::byte* workspace_ = nullptr;
  std::size_t workspace_bytes_ = 0;
  ConstantPages constants_;
  std::vector<std::span<const std::byte>> aligned_constants_;

  // What was allocated so far.
  bool has_aligned_ = false;
  bool is_plain_since_aligned_ = false;
  std::size_t aligned_since_workspace_ = 0;
};

}  // namespace holostat::engine
