#include "runtime/zygote_process.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace holostat::runtime {

Result<std::unique_ptr<ZygoteProcess>> ZygoteProcess::Start(EventLoop& loop,
                                                            const ZygoteCommand& command,
                                                            std::uint32_t models,
                                                            Callbacks callbacks) {
  std::unique_ptr<ZygoteProcess> zygote(new ZygoteProcess(loop, models, std::move(callbacks)));
  auto [ours, theirs] = HOLO_TRY(ipc::Channel::CreatePair());
  std::vector<std::string> arguments = command.arguments;
  arguments.insert(arguments.end(), {"--supervisor", fmt::to_string(::getpid()), "--models-mask",
                                     fmt::to_string(models)});
  zygote->started_ = loop.Now();
  zygote->channel_ = std::move(ours);
  zygote->process_ = HOLO_TRY_CONTEXT(
      ChildProcess::Spawn({command.program, std::move(arguments), theirs.fd()}), "zygote");
  zygote->pid_ = zygote->process_.pid();
  ZygoteProcess& self = *zygote;
  zygote->channel_watch_ = HOLO_TRY(
      loop.Watch(self.channel_.fd(), EPOLLIN, [&self](std::uint32_t) { self.OnReadable(); }));
  zygote->process_watch_ = HOLO_TRY(
      loop.Watch(self.process_.pidfd(), EPOLLIN, [&self](std::uint32_t) { self.OnEnd(); }));
  return zygote;
}

Result<void> ZygoteProcess::Fork(const ipc::ForkWorker& order, int channel_fd, int area_fd) {
  return Send(order, std::array{channel_fd, area_fd});
}

Result<void> ZygoteProcess::Send(const ipc::Message& message, std::span<const int> fds) {
  return channel_.Send(message, fds);
}

void ZygoteProcess::OnReadable() {
  auto received = channel_.Receive();
  if (!received) {  // gone, or it talks nonsense: in both cases its end follows
    channel_watch_.reset();
    Kill();
  } else if (*received) {
    Serve((*received)->message);
  }
}

void ZygoteProcess::Serve(const ipc::Message& message) {
  if (const auto* ready = std::get_if<ipc::ZygoteReady>(&message)) {
    if (std::exchange(ready_, true)) return Kill();  // a second time is nonsense
    models_ = ready->models;
    heap_bytes_ = ready->heap_bytes;
    callbacks_.ready(*this, *ready);
  } else if (const auto* forked = std::get_if<ipc::WorkerForked>(&message)) {
    callbacks_.forked(*forked);
  } else if (const auto* done = std::get_if<ipc::HeapDone>(&message)) {
    callbacks_.heap_done(*this, *done);
  }
}

void ZygoteProcess::OnEnd() {
  // What it said before it died comes first: it may have forked a worker.
  for (auto last = channel_.Receive(); last && *last; last = channel_.Receive()) {
    Serve((*last)->message);
  }
  const auto status = process_.TryReap();
  if (!status) return;
  channel_watch_.reset();
  process_watch_.reset();
  const auto ended = callbacks_.ended;  // may destroy this
  ended(*this, *status);
}

}  // namespace holostat::runtime
