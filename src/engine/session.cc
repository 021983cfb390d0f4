#include "engine/session.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>
#include <variant>

#include "base/check.h"
#include "base/heap_control.h"
#include "base/mapping.h"
#include "engine/constant_pages.h"
#include "engine/memory_plan.h"
#include "engine/native_segment.h"
#include "engine/partition.h"
#include "engine/passes.h"
#include "engine/tflite_reader.h"
#include "engine/xnn_segment.h"

namespace holostat::engine {
namespace {

// An optimised graph of `file` that computes the wanted outputs.
Result<Graph> Load(std::span<const std::uint8_t> file, std::vector<std::size_t> wanted) {
  Graph graph = HOLO_TRY(ReadTflite(file));
  if (wanted.empty()) {
    wanted.resize(graph.outputs.size());
    std::iota(wanted.begin(), wanted.end(), std::size_t{0});
  }
  HOLO_TRY(Optimize(graph, wanted));
  return graph;
}

bool ReadsConstantsWhenRun(OpType op) { return op == OpType::kAdd || op == OpType::kMul; }

// XNNPACK packs weights into memory of its own, but reads the constants of elementwise operators
// where they stand. Copies those into `pages`, so that the session needs neither file nor graph.
Result<void> OwnElementwiseConstants(Graph& graph, ConstantPages& pages) {
  for (const Node& node : graph.nodes) {
    if (!ReadsConstantsWhenRun(node.op)) continue;
    for (const TensorId id : node.inputs) {
      Tensor& tensor = graph.tensors[id];
      if (!tensor.is_constant() || pages.Contains(tensor.data.data())) continue;
      std::byte* place = pages.Allocate(tensor.data.size() + kXnnExtraBytes);
      if (place == nullptr) return Fail(ErrorCode::kOverloaded, "no memory for constants");
      std::memcpy(place, tensor.data.data(), tensor.data.size());
      tensor.data = {reinterpret_cast<const std::uint8_t*>(place), tensor.data.size()};
      tensor.owned.reset();
    }
  }
  return pages.Seal();
}

}  // namespace

class Session::Impl {
 public:
  // A place a caller reads or writes. No data for an output that is not computed.
  struct Port {
    Shape shape;
    std::span<float> data;
  };

  static Result<std::unique_ptr<Impl>> Create(Graph graph, std::shared_ptr<Workspace> workspace);

  Result<void> Run();

  const Port& input(std::size_t index) const { return At(inputs_, index); }
  const Port& output(std::size_t index) const { return At(outputs_, index); }
  std::size_t input_count() const { return inputs_.size(); }
  std::size_t output_count() const { return outputs_.size(); }
  std::size_t arena_bytes() const { return arena_.size(); }
  void TouchMemory() { arena_.Populate(arena_.size()); }

  // Of what XNNPACK has, as far as it is in our hands.
  template <class F>
  void ForEachXnnMemory(F&& visit) const;
  const ConstantPages& constants() const { return constants_; }

 private:
  using Step = std::variant<XnnSegment, NativeSegment>;

  static const Port& At(const std::vector<Port>& ports, std::size_t index) {
    HOLO_CHECK(index < ports.size());
    return ports[index];
  }

  // Makes room for what `plan` plans and says where each tensor stands, nullptr for none.
  Result<std::vector<float*>> Place(const MemoryPlan& plan, std::size_t tensor_count);
  Result<void> AddSteps(const Graph& graph, const std::vector<Segment>& segments,
                        std::span<float* const> places);

  std::shared_ptr<Workspace> workspace_;  // where part of the arena may be
  ConstantPages constants_;               // of elementwise operators
  Mapping arena_;
  std::vector<Step> steps_;
  std::vector<Port> inputs_, outputs_;
};

template <class F>
void Session::Impl::ForEachXnnMemory(F&& visit) const {
  for (const Step& step : steps_) {
    const auto* xnn = std::get_if<XnnSegment>(&step);
    if (xnn != nullptr && xnn->memory() != nullptr) visit(*xnn->memory());
  }
}

Result<std::unique_ptr<Session::Impl>> Session::Impl::Create(Graph graph,
                                                             std::shared_ptr<Workspace> workspace) {
  auto impl = std::make_unique<Impl>();
  HOLO_TRY(OwnElementwiseConstants(graph, impl->constants_));

  const std::vector<Segment> segments = Partition(graph);
  const MemoryPlan plan(graph, segments, kXnnExtraBytes);
  impl->workspace_ = std::move(workspace);
  const auto places = HOLO_TRY(impl->Place(plan, graph.tensors.size()));
  HOLO_TRY(impl->AddSteps(graph, segments, places));

  const auto port = [&](TensorId id) {
    const Shape& shape = graph.tensors[id].shape;
    return Port{shape, {places[id], ElementCount(shape)}};
  };
  for (const TensorId id : graph.inputs) impl->inputs_.push_back(port(id));
  for (const TensorId id : graph.outputs) {
    impl->outputs_.push_back(id == kNoTensor ? Port{} : port(id));
  }
  return impl;
}

Result<std::vector<float*>> Session::Impl::Place(const MemoryPlan& plan, std::size_t tensor_count) {
  const std::size_t kept = plan.kept_bytes(), rest = plan.arena_bytes() - kept;
  std::byte* scratch = workspace_ == nullptr ? nullptr : workspace_->LendToArena(rest);
  arena_ = HOLO_TRY(Mapping::Anonymous(kept + (scratch == nullptr ? rest : 0),
                                       Mapping::Access::kReadWrite, "holostat-arena"));
  std::byte* own = arena_.bytes().data();
  if (scratch == nullptr) scratch = own + kept;
  std::vector<float*> places(tensor_count, nullptr);
  for (TensorId id = 0; id < places.size(); ++id) {
    const auto offset = plan.offset(id);
    if (!offset) continue;
    std::byte* place = *offset < kept ? own + *offset : scratch + (*offset - kept);
    places[id] = reinterpret_cast<float*>(place);
  }
  return places;
}

Result<void> Session::Impl::AddSteps(const Graph& graph, const std::vector<Segment>& segments,
                                     std::span<float* const> places) {
  steps_.reserve(segments.size());
  for (const Segment& segment : segments) {
    if (segment.executor == Executor::kNative) {
      steps_.emplace_back(NativeSegment(graph, segment.nodes, places));
    } else {
      steps_.emplace_back(
          HOLO_TRY(XnnSegment::Create(graph, segment.nodes, places, workspace_.get())));
    }
  }
  return {};
}

Result<void> Session::Impl::Run() {
  for (const Step& step : steps_) {
    if (const auto* xnn = std::get_if<XnnSegment>(&step)) {
      HOLO_TRY(xnn->Run());
    } else {
      std::get<NativeSegment>(step).Run();
    }
  }
  return {};
}

Result<std::unique_ptr<Session>> Session::Create(std::span<const std::uint8_t> model_file,
                                                 const Options& options) {
  HOLO_TRY(InitializeXnnpack());
  Graph graph = HOLO_TRY(Load(model_file, options.outputs));
  auto impl = HOLO_TRY(Impl::Create(std::move(graph), options.workspace));
  // Unpacked weights came and went between blocks that stay. Measured: 9 of 93 MB for the tracker.
  ReleaseFreeHeap();
  return std::unique_ptr<Session>(new Session(std::move(impl)));
}

Session::Session(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Session::~Session() = default;

std::size_t Session::input_count() const { return impl_->input_count(); }
std::size_t Session::output_count() const { return impl_->output_count(); }
const Shape& Session::input_shape(std::size_t index) const { return impl_->input(index).shape; }
const Shape& Session::output_shape(std::size_t index) const { return impl_->output(index).shape; }
std::span<float> Session::input(std::size_t index) { return impl_->input(index).data; }
std::span<const float> Session::output(std::size_t index) const {
  return impl_->output(index).data;
}
Result<void> Session::Run() { return impl_->Run(); }
std::size_t Session::arena_bytes() const { return impl_->arena_bytes(); }

void Session::TouchMemory() { impl_->TouchMemory(); }

std::size_t Session::workspace_bytes() const {
  std::size_t bytes = 0;
  impl_->ForEachXnnMemory(
      [&](const XnnMemory& memory) { bytes = std::max(bytes, memory.workspace_bytes()); });
  return bytes;
}

std::size_t Session::shared_workspace_bytes() const {
  std::size_t bytes = 0;
  impl_->ForEachXnnMemory([&](const XnnMemory& memory) {
    if (memory.shares_workspace()) bytes = std::max(bytes, memory.workspace_bytes());
  });
  return bytes;
}

std::vector<std::span<const std::byte>> Session::constant_pages() const {
  std::vector<std::span<const std::byte>> pages;
  const auto add = [&](const ConstantPages& constants) {
    for (const Mapping& chunk : constants.chunks()) pages.push_back(chunk.bytes());
  };
  add(impl_->constants());
  impl_->ForEachXnnMemory([&](const XnnMemory& memory) { add(memory.constants()); });
  return pages;
}

}  // namespace holostat::engine
