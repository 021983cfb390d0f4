#include "engine/xnn_segment.h"

#include <fmt/format.h>
#include <xnnpack.h>

#include <vector>

#include "engine/xnn_lowering.h"

namespace holostat::engine {

const std::size_t kXnnExtraBytes = XNN_EXTRA_BYTES;

namespace {

const char* StatusName(xnn_status status) {
  switch (status) {
    case xnn_status_success:
      return "success";
    case xnn_status_uninitialized:
      return "uninitialized";
    case xnn_status_invalid_parameter:
      return "invalid parameter";
    case xnn_status_invalid_state:
      return "invalid state";
    case xnn_status_unsupported_parameter:
      return "unsupported parameter";
    case xnn_status_unsupported_hardware:
      return "unsupported hardware";
    case xnn_status_out_of_memory:
      return "out of memory";
  }
  return "unknown status";
}

ErrorCode CodeOf(xnn_status status) {
  switch (status) {
    case xnn_status_invalid_parameter:  // of a node: our own calls are always the same
    case xnn_status_unsupported_parameter:
    case xnn_status_unsupported_hardware:
      return ErrorCode::kUnsupported;
    case xnn_status_out_of_memory:
      return ErrorCode::kOverloaded;
    default:
      return ErrorCode::kInternal;
  }
}

Result<void> Check(xnn_status status, std::string_view what) {
  if (status == xnn_status_success) [[likely]]
    return {};
  return Fail(CodeOf(status), fmt::format("XNNPACK: {}: {}", what, StatusName(status)));
}

struct DeleteSubgraph {
  void operator()(xnn_subgraph* subgraph) const { xnn_delete_subgraph(subgraph); }
};
using Subgraph = std::unique_ptr<xnn_subgraph, DeleteSubgraph>;

// Builds the XNNPACK form of some nodes of a graph.
class SubgraphBuilder {
 public:
  SubgraphBuilder(const Graph& graph, std::span<float* const> places)
      : graph_(graph), places_(places), values_(graph.tensors.size(), XNN_INVALID_VALUE_ID) {}

  Result<void> Build(std::span<const std::size_t> nodes);

  xnn_subgraph_t subgraph() const { return subgraph_.get(); }
  std::span<const xnn_external_value> externals() const { return externals_; }

 private:
  void FindExternals(std::span<const std::size_t> nodes);
  Result<void> DefineTensor(TensorId id, Shape shape, std::uint32_t external_id,
                            std::uint32_t flags);
  Result<void> DefineOperands(const Node& node);

  const Graph& graph_;
  const std::span<float* const> places_;
  Subgraph subgraph_;
  std::vector<TensorId> external_tensors_;
  std::vector<std::uint32_t> external_flags_;
  std::vector<xnn_external_value> externals_;
  std::vector<std::uint32_t> values_;  // by tensor
};

// Tensors that are shared with other segments: those the nodes write are XNNPACK's outputs, also
// when other nodes of the same segment read them, all others its inputs.
void SubgraphBuilder::FindExternals(std::span<const std::size_t> nodes) {
  std::vector<bool> is_seen(graph_.tensors.size(), false);
  const auto add = [&](TensorId id, std::uint32_t flag) {
    if (id == kNoTensor || places_[id] == nullptr || is_seen[id]) return;
    is_seen[id] = true;
    external_tensors_.push_back(id);
    external_flags_.push_back(flag);
  };
  for (const std::size_t index : nodes) {
    for (const TensorId id : graph_.nodes[index].outputs) add(id, XNN_VALUE_FLAG_EXTERNAL_OUTPUT);
  }
  for (const std::size_t index : nodes) {
    for (const TensorId id : graph_.nodes[index].inputs) add(id, XNN_VALUE_FLAG_EXTERNAL_INPUT);
  }
}

Result<void> SubgraphBuilder::Build(std::span<const std::size_t> nodes) {
  FindExternals(nodes);
  xnn_subgraph_t subgraph = nullptr;
  const auto count = static_cast<std::uint32_t>(external_tensors_.size());
  HOLO_TRY(Check(xnn_create_subgraph(count, 0, &subgraph), "create subgraph"));
  subgraph_.reset(subgraph);

  for (std::uint32_t i = 0; i < count; ++i) {
    const TensorId id = external_tensors_[i];
    HOLO_TRY(DefineTensor(id, graph_.tensors[id].shape, i, external_flags_[i]));
    externals_.push_back({i, places_[id]});
  }
  for (const std::size_t index : nodes) {
    const Node& node = graph_.nodes[index];
    HOLO_TRY(DefineOperands(node));
    HOLO_TRY_CONTEXT(Check(DefineNode(subgraph, graph_, node, values_), OpName(node.op)),
                     fmt::format("node {}", index));
  }
  return {};
}

Result<void> SubgraphBuilder::DefineOperands(const Node& node) {
  for (const auto& ids : {node.inputs, node.outputs}) {
    for (const TensorId id : ids) {
      if (id == kNoTensor || values_[id] != XNN_INVALID_VALUE_ID) continue;
      const bool is_slope = node.op == OpType::kPrelu && id == node.inputs[1];
      // XNNPACK takes slopes in one dimension only; files have [1, 1, channels].
      const Shape& shape = graph_.tensors[id].shape;
      HOLO_TRY(DefineTensor(id, is_slope ? Shape{shape.back()} : shape, XNN_INVALID_VALUE_ID, 0));
    }
  }
  return {};
}

Result<void> SubgraphBuilder::DefineTensor(TensorId id, Shape shape, std::uint32_t external_id,
                                           std::uint32_t flags) {
  const std::vector<std::size_t> sizes(shape.begin(), shape.end());
  const Tensor& tensor = graph_.tensors[id];
  const void* data = tensor.is_constant() ? tensor.data.data() : nullptr;
  return Check(xnn_define_tensor_value(subgraph_.get(), xnn_datatype_fp32, sizes.size(),
                                       sizes.data(), data, external_id, flags, &values_[id]),
               "define tensor");
}

}  // namespace

Result<void> InitializeXnnpack() { return Check(xnn_initialize(&XnnAllocator()), "start"); }

Result<XnnSegment::Runtime> XnnSegment::CreateRuntime(xnn_subgraph* subgraph,
                                                      std::unique_ptr<XnnMemory> memory) {
  const XnnMemory::Use use(memory.get());
  xnn_runtime_t raw = nullptr;
  // Null is no thread pool: the runtime has no threads and so survives a fork.
  HOLO_TRY(Check(xnn_create_runtime_v2(subgraph, nullptr, 0, &raw), "create runtime"));
  // It also calls it success when there is no memory for its workspace, but gives no runtime then.
  if (raw == nullptr) return Fail(ErrorCode::kOverloaded, "XNNPACK: create runtime: no workspace");
  return Runtime(raw, Delete{std::move(memory)});
}

Result<XnnSegment> XnnSegment::Create(const Graph& graph, std::span<const std::size_t> nodes,
                                      std::span<float* const> places, Workspace* workspace) {
  SubgraphBuilder builder(graph, places);
  HOLO_TRY(builder.Build(nodes));
  Runtime runtime =
      HOLO_TRY(CreateRuntime(builder.subgraph(), std::make_unique<XnnMemory>(workspace)));
  if (!runtime.get_deleter().memory->IsRight()) {
    runtime.reset();
    runtime = HOLO_TRY(CreateRuntime(builder.subgraph(), nullptr));
  }

  XnnMemory* memory = runtime.get_deleter().memory.get();
  const XnnMemory::Use use(memory);
  const auto externals = builder.externals();
  HOLO_TRY(Check(xnn_setup_runtime(runtime.get(), externals.size(), externals.data()),
                 "set up runtime"));
  if (memory != nullptr) HOLO_TRY(memory->Seal());
  return XnnSegment(std::move(runtime));
}

Result<void> XnnSegment::Run() const {
  const XnnMemory::Use use(runtime_.get_deleter().memory.get());
  return Check(xnn_invoke_runtime(runtime_.get()), "run");
}

void XnnSegment::Delete::operator()(xnn_runtime* runtime) const {
  const XnnMemory::Use use(memory.get());
  xnn_delete_runtime(runtime);
}

}  // namespace holostat::engine
