#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "base/result.h"
#include "engine/graph.h"

struct xnn_runtime;

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
  // sees. Errors: kUnsupported when XNNPACK does not take a node, kOverloaded when it
  // gets no memory, kInternal.
  static Result<XnnSegment> Create(const Graph& graph, std::span<const std::size_t> nodes,
                                   std::span<float* const> places);

  Result<void> Run() const;

 private:
  struct Delete {
    void operator()(xnn_runtime* runtime) const;
  };
  using Runtime = std::unique_ptr<xnn_runtime, Delete>;
  explicit XnnSegment(Runtime runtime) : runtime_(std::move(runtime)) {}

  Runtime runtime_;
};

}  // namespace holostat::engine
