#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "engine/graph.h"
#include "engine/workspace.h"

namespace holostat::engine {

// A model ready to run: weights packed, every buffer planned and allocated.
//
// Bound to one thread at a time; sessions are independent of each other, unless they share a
// workspace. A session may be created
// before fork and run after it, in the parent and the child alike (it has no threads).
class Session {
 public:
  struct Options {
    // Which outputs of the model (positions in its file order) are needed; the rest is not
    // computed. Empty: all.
    std::vector<std::size_t> outputs{};
    // Shared with the other sessions that are given it, all bound to one thread together; what is
    // written to the inputs of one is lost when another is run or given its own. Null, or where the
    // model does not fit into it: the session has one of its own.
    std::shared_ptr<Workspace> workspace{};
  };

  // `model_file` is only read during the call. Errors: those of ReadTflite, kInvalidArgument for an
  // output that does not exist, kUnsupported for a node XNNPACK does not take, kOverloaded when it
  // gets no memory, kInternal. Throws std::bad_alloc where we get none.
  static Result<std::unique_ptr<Session>> Create(std::span<const std::uint8_t> model_file,
                                                 const Options& options);

  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // REQUIRES, of every index below: less than the count.
  std::size_t input_count() const;
  std::size_t output_count() const;  // of the model, wanted or not
  const Shape& input_shape(std::size_t index) const;
  const Shape& output_shape(std::size_t index) const;

  // Where to write input `index` before Run, and where output `index` stands after it. The places
  // never move. The contents of an input are undefined after Run. An output that was not asked for
  // is an empty span.
  std::span<float> input(std::size_t index);
  std::span<const float> output(std::size_t index) const;

  // Executes the model. No heap call after the first Run. Errors: kInternal from XNNPACK.
  Result<void> Run();

  // Takes now the pages of those buffers that runs will write, instead of one by one; the workspace
  // has such a call of its own. Best effort.
  void TouchMemory();

  // Bytes of the buffers planned by us, as far as they are not in Options::workspace (XNNPACK's
  // packed weights and workspace are its own).
  std::size_t arena_bytes() const;

  // Bytes that XNNPACK's workspace needs, and of those the ones that are in Options::workspace.
  std::size_t workspace_bytes() const;
  std::size_t shared_workspace_bytes() const;

  // Where the large constants stand: packed weights and tables, in pages that cannot be written.
  // Empty where the engine has no say in it: somebody else initialised XNNPACK before.
  std::vector<std::span<const std::byte>> constant_pages() const;

 private:
  class Impl;
  explicit Session(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace holostat::engine
