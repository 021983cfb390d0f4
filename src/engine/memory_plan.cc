#include "engine/memory_plan.h"

#include <algorithm>

#include "engine/tensor_aliases.h"

namespace holostat::engine {
namespace {

// When a tensor matters, in segments, and whether anybody but one XNNPACK segment sees it.
struct Life {
  std::size_t first = 0, last = 0;  // after the last segment, for an output
  bool is_computed = false;         // constants and tensors of dropped nodes are not
  bool is_shared = false;
};

std::vector<Life> FindLives(const Graph& graph, std::span<const Segment> segments) {
  std::vector<Life> lives(graph.tensors.size());
  for (const TensorId id : graph.inputs) {
    lives[id] = {.first = 0, .last = 0, .is_computed = true, .is_shared = true};
  }
  for (std::size_t step = 0; step < segments.size(); ++step) {
    const bool is_native = segments[step].executor == Executor::kNative;
    for (const std::size_t index : segments[step].nodes) {
      for (const TensorId id : graph.nodes[index].inputs) {
        if (id == kNoTensor || !lives[id].is_computed) continue;
        lives[id].last = step;
        if (is_native || lives[id].first != step) lives[id].is_shared = true;
      }
      for (const TensorId id : graph.nodes[index].outputs) {
        lives[id] = {.first = step, .last = step, .is_computed = true, .is_shared = is_native};
      }
    }
  }
  for (const TensorId id : graph.outputs) {
    if (id == kNoTensor) continue;
    lives[id].last = segments.size();
    lives[id].is_shared = true;
  }
  return lives;
}

}  // namespace

MemoryPlan::MemoryPlan(const Graph& graph, std::span<const Segment> segments,
                       std::size_t extra_bytes)
    : offsets_(graph.tensors.size()) {
  const std::vector<Life> lives = FindLives(graph, segments);
  const TensorAliases aliases(graph);

  constexpr std::size_t kNoBuffer = static_cast<std::size_t>(-1);
  std::vector<BufferLife> buffers;
  std::vector<std::size_t> buffer_of(graph.tensors.size(), kNoBuffer);  // of roots
  const auto is_placed = [&](TensorId id) { return lives[id].is_computed && lives[id].is_shared; };

  for (TensorId id = 0; id < graph.tensors.size(); ++id) {
    if (!is_placed(id)) continue;
    const TensorId root = aliases.Find(id).root;
    if (buffer_of[root] == kNoBuffer) {
      buffer_of[root] = buffers.size();
      const std::size_t bytes = ElementCount(graph.tensors[root].shape) * sizeof(float);
      buffers.push_back({bytes + extra_bytes, lives[id].first, lives[id].last});
    }
    BufferLife& buffer = buffers[buffer_of[root]];
    buffer.first_step = std::min(buffer.first_step, lives[id].first);
    buffer.last_step = std::max(buffer.last_step, lives[id].last);
  }

  const std::vector<std::size_t> places = Place(buffers, segments.size());
  for (TensorId id = 0; id < graph.tensors.size(); ++id) {
    if (!is_placed(id)) continue;
    const TensorAliases::Place place = aliases.Find(id);
    offsets_[id] = places[buffer_of[place.root]] + place.offset;
  }
}

// Where each buffer begins. Those that live at step `end`, after the last segment, are kept.
std::vector<std::size_t> MemoryPlan::Place(std::span<const BufferLife> buffers, std::size_t end) {
  std::vector<BufferLife> kept, scratch;
  for (const BufferLife& it : buffers) (it.last_step == end ? kept : scratch).push_back(it);
  const ArenaPlan first = PlanArena(kept), second = PlanArena(scratch);
  kept_bytes_ = first.bytes;
  arena_bytes_ = first.bytes + second.bytes;
  std::vector<std::size_t> places;
  auto kept_place = first.offsets.begin(), scratch_place = second.offsets.begin();
  for (const BufferLife& it : buffers) {
    places.push_back(it.last_step == end ? *kept_place++ : first.bytes + *scratch_place++);
  }
  return places;
}

}  // namespace holostat::engine
