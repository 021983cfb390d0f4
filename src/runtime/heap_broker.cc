#include "runtime/heap_broker.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "runtime/heap_snapshot.h"

namespace holostat::runtime {
namespace {

constexpr off_t kMaxDumpBytes = 64 << 20;

ipc::HeapCommand::Action ToMessage(HeapRequest::Action action) {
  switch (action) {
    case HeapRequest::Action::kStart:
      return ipc::HeapCommand::Action::kStart;
    case HeapRequest::Action::kStop:
      return ipc::HeapCommand::Action::kStop;
    case HeapRequest::Action::kDump:
      break;
  }
  return ipc::HeapCommand::Action::kDump;
}

Result<std::string> ReadDump(int fd) {
  struct stat info {};
  if (::fstat(fd, &info) != 0 || info.st_size > kMaxDumpBytes)
    return Fail(ErrorCode::kLimitExceeded, "the heap dump is too large");
  std::string text(static_cast<std::size_t>(info.st_size), '\0');
  std::size_t read = 0;
  while (read < text.size()) {
    const ssize_t got =
        ::pread(fd, text.data() + read, text.size() - read, static_cast<off_t>(read));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Fail(ErrorCode::kUnavailable, "the heap dump cannot be read");
    read += static_cast<std::size_t>(got);
  }
  return text;
}

}  // namespace

void HeapBroker::Ask(const Target& target, const HeapRequest& request, Done done) {
  if (pending_.size() >= kMaxPending) {
    done(Fail(ErrorCode::kOverloaded, "too many heap requests are on the way"));
    return;
  }
  Pending pending{target.pid, target.name, UniqueFd(), std::move(done), {}};
  std::vector<int> fds;
  if (request.action == HeapRequest::Action::kDump) {
    pending.dump.reset(::memfd_create("holostat-heap", MFD_CLOEXEC));
    if (!pending.dump) {
      pending.done(Fail(ErrorCode::kOverloaded, std::strerror(errno)));
      return;
    }
    fds.push_back(pending.dump.get());
  }
  const std::uint64_t id = next_command_++;
  const auto sent =
      target.send(ipc::HeapCommand{id, ToMessage(request.action), request.sample_log2}, fds);
  if (!sent) {
    pending.done(tl::unexpected(sent.error()));
    return;
  }
  pending.timeout = loop_.After(kPatience, [this, id] {
    Finish(id, Fail(ErrorCode::kTimeout, "the process did not answer: it may be at work"));
  });
  pending_.emplace(id, std::move(pending));
}

void HeapBroker::OnHeapDone(std::int64_t pid, const ipc::HeapDone& done) {
  const auto found = pending_.find(done.command_id);
  if (found == pending_.end() || found->second.pid != pid) return;
  if (done.error != 0) {
    Finish(done.command_id, Fail(static_cast<ErrorCode>(done.error), done.text));
    return;
  }
  const Pending& pending = found->second;
  if (!pending.dump) {
    Finish(done.command_id, std::string());
    return;
  }
  const auto make = [&]() -> Result<std::string> {
    const std::string dump = HOLO_TRY(ReadDump(pending.dump.get()));
    return FormatHeapSnapshot(HOLO_TRY(MakeHeapSnapshot(pending.pid, pending.name, dump)));
  };
  Finish(done.command_id, make());
}

void HeapBroker::OnGone(std::int64_t pid) {
  std::vector<std::uint64_t> ids;
  for (const auto& [id, pending] : pending_) {
    if (pending.pid == pid) ids.push_back(id);
  }
  for (const std::uint64_t id : ids)
    Finish(id, Fail(ErrorCode::kUnavailable, "the process has ended"));
}

void HeapBroker::Finish(std::uint64_t command_id, Result<std::string> answer) {
  auto node = pending_.extract(command_id);
  if (!node.empty()) node.mapped().done(std::move(answer));
}

}  // namespace holostat::runtime
