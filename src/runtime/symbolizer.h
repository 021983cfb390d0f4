#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace holostat::runtime {

// One function on a call stack. Where nothing is known, texts are empty and the line is 0.
struct CodeFrame {
  std::string function{};  // ShortFunctionName
  std::string file{};      // as the compiler saw it
  int line = 0;
  std::string module{};  // the program or library, its whole path
  bool inlined = false;  // into the next frame
};

// Names the code at addresses of a process, from the text of its /proc/PID/maps and the debugging
// information of the files named there (libdw). The process need not exist any more; its files do:
// where one has been replaced since, names would be wrong, so it has none.
//
// Costs tens of MB: for processes that end soon (runtime/heap_report_process.h). Bound to one
// thread.
class Symbolizer {
 public:
  // Errors: kCorruptData (no mappings), kInternal (libdw).
  static Result<std::unique_ptr<Symbolizer>> Create(std::string_view maps);
  virtual ~Symbolizer() = default;

  // The call that returns to `address`: what was inlined there first, one frame at least.
  virtual std::vector<CodeFrame> Resolve(std::uint64_t address) = 0;
};

}  // namespace holostat::runtime
