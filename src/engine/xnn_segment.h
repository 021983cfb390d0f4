#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "base/result.h"
#include "engine/graph.h"
#include "engine/xnn_memory.h"

struct xnn_runtime;
struct xnn_subgraph;

namespace holostat::engine {

// Bytes that XNNPACK may read behind any buffer given to it.
extern const std::size_t kXnnExtraBytes;

// Prepares XNNPACK for this process; further calls do nothing. Thread-safe. Errors: kUnsupported
// when the processor lacks what XNNPACK needs.
Result<void> InitializeXnnpack();

// Nodes that run as one XNNPACK runtime, on the thread that calls Run and no other. Borrows the
// memory of the tensors it shares, and of constant operands of ADD and MUL; all other constants are
// packed into memory of its own during Create.
class XnnSegment {
 public:
  // `places[id]` is where a tensor that is shared stands, nullptr for one that only the segment
  // sees. What only it sees stands in `workspace`, which must outlive it, or in memory of its own
  // when that is null or too small. Errors: kUnsupported when XNNPACK does not take a node,
  // kOverloaded when it gets no memory, kInternal.
  static Result<XnnSegment> Create(const Graph& graph, std::span<const std::size_t> nodes,
                                   std::span<float* const> places, Workspace* workspace);

  Result<void> Run() const;

  // Where its memory is; null when it is just on the heap.
  const XnnMemory* memory() const { return runtime_.get_deleter().memory.get(); }

 private:
  struct Delete {
    std::unique_ptr<XnnMemory> memory;  // of the runtime, which must be gone before it
    void operator()(xnn_runtime* runtime) const;
  };
  using Runtime = std::unique_ptr<xnn_runtime, Delete>;
  static Result<Runtime> CreateRuntime(xnn_subgraph* subgraph, std::unique_ptr<XnnMemory> memory);
  explicit XnnSegment(Runtime runtime) : runtime_(std::move(runtime)) {}

  Runtime runtime_;
};

}  // namespace holostat::engine
