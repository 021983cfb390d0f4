#pragma once

#include "runtime/fault_hook.h"

namespace holostat::runtime {

// Does to its own process what the name says. A fault is "name" or "name:argument", several are
// joined by
// ',', and a '!' before all of them makes the request fail so on every attempt:
//
//   crash          a segmentation fault
//   abort          std::abort
//   exit:3         _exit
//   hang           sleep for ever
//   spin           compute for ever
//   slow:20ms      before the job
//   leak:1MB       lose that much memory, touched
//   fdleak:2       lose that many descriptors
//   grow:64MB      take memory until the kernel or a limit says no
//   garbage        scribble over the answer
//   nonsense       answer what was not asked
//   die-answering  write half an answer, then crash
//   die-answered   answer, then crash
//
// and for a start: slow:500ms, crash, exit:3, hang.
class Faults final : public FaultHook {
 public:
  void AtStart(std::string_view fault) override;
  void BeforeJob(std::string_view fault) override;
  void BeforeAnswer(std::string_view fault, std::span<std::byte> answer,
                    ipc::JobDone& done) override;
  void AfterAnswer(std::string_view fault) override;
};

}  // namespace holostat::runtime
