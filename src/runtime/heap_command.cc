#include "runtime/heap_command.h"

#include "base/heap_control.h"

namespace holostat::runtime {
namespace {

Result<void> Run(const ipc::HeapCommand& command, int fd) {
  switch (command.action) {
    case ipc::HeapCommand::Action::kStart:
      return StartHeapSampling(command.sample_log2);
    case ipc::HeapCommand::Action::kStop:
      return StopHeapSampling();
    case ipc::HeapCommand::Action::kDump:
      return DumpHeapSamples(fd);
  }
  return Fail(ErrorCode::kInvalidArgument, "unknown heap command");
}

}  // namespace

ipc::HeapDone RunHeapCommand(const ipc::HeapCommand& command, int fd) {
  const auto done = Run(command, fd);
  if (done) return {.command_id = command.command_id, .error = 0, .text = {}};
  return {.command_id = command.command_id,
          .error = static_cast<std::uint8_t>(done.error().code),
          .text = done.error().message};
}

}  // namespace holostat::runtime
