#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <string>

#include "base/result.h"
#include "base/unique_fd.h"
#include "runtime/heap_snapshot.h"

namespace holostat::runtime {

// A process that makes a heap report (heap_report.h): `holostat heap`, run anew. Reading debugging
// information takes tens of MB, which then end with it, and a second or two.
struct HeapReportProcess {
  pid_t pid = -1;   // to be reaped by the caller; exits with 0 when the report is whole
  UniqueFd output;  // its report, until the end of the stream; non-blocking
};

struct HeapReportOrder {
  enum class Form { kText = 1, kJson };
  const HeapSnapshot* before = nullptr;  // none: what `after` holds
  const HeapSnapshot* after = nullptr;   // both: for the call
  std::size_t count = 5;                 // sites
  Form form = Form::kText;
  std::string program = "/proc/self/exe";
};

// Starts one; takes no lock and forks no threads (posix_spawn), so that a process with threads may
// call it. The new process has no descriptors but its own. Errors: kOverloaded (no memory, no
// descriptor, no process), kUnavailable (the program cannot be run).
Result<HeapReportProcess> StartHeapReport(const HeapReportOrder& order);

// Waits for the report and reaps the process; one that is late is killed. For callers without an
// event loop. Errors: kTimeout, kUnavailable (it failed, or wrote over 4 MB).
Result<std::string> FinishHeapReport(HeapReportProcess process, std::chrono::milliseconds timeout);

}  // namespace holostat::runtime
