#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "base/result.h"

namespace holostat::server {

// Takes a body in chunks apart. Thread-compatible.
class ChunkedBody {
 public:
  // Where the bytes of the body go; an error ends the body with it.
  using Sink = std::function<Result<void>(std::span<const std::byte>)>;

  explicit ChunkedBody(Sink sink);
  ~ChunkedBody();
  ChunkedBody(const ChunkedBody&) = delete;
  ChunkedBody& operator=(const ChunkedBody&) = delete;

  // Reads from the start of `bytes`; gives how many it has used up. What is left belongs to a line
  // that is not complete (come again with more behind it) or, when done, to the next request.
  // Errors: kInvalidArgument (malformed), those of the sink.
  Result<std::size_t> Put(std::span<const std::byte> bytes);
  bool done() const;

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace holostat::server
