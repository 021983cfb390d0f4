#include "runtime/alarm_reporter.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace holostat::runtime {

void AlarmReporter::Report(HeapSnapshot snapshot, Done done) {
  if (waiting_.size() >= kMaxWaiting) {
    done("no report: too many alarms at a time\n");
    return;
  }
  waiting_.push_back({std::move(snapshot), std::move(done)});
  if (!current_) StartNext();
}

void AlarmReporter::StartNext() {
  if (waiting_.empty()) return;
  current_ = std::move(waiting_.front());
  waiting_.pop_front();
  auto started =
      StartHeapReport({.before = nullptr, .after = &current_->snapshot, .program = program_});
  if (!started) return Finish("no report: " + started.error().message + "\n");
  auto process = ChildProcess::Adopt(started->pid);
  if (!process) {  // no descriptor left: it must not go on unowned
    ::kill(started->pid, SIGKILL);
    ::waitpid(started->pid, nullptr, 0);
    return Finish("no report: " + process.error().message + "\n");
  }
  process_ = *std::move(process);
  output_ = std::move(started->output);
  auto watch = loop_.Watch(output_.get(), EPOLLIN, [this](std::uint32_t) { OnReadable(); });
  if (!watch) return Finish("no report: " + watch.error().message + "\n");
  watch_ = *std::move(watch);
  timeout_ = loop_.After(kPatience, [this] { Finish("no report: it took too long\n"); });
}

void AlarmReporter::OnReadable() {
  std::array<char, 4096> buffer;
  const ssize_t got = ::read(output_.get(), buffer.data(), buffer.size());
  if (got < 0) {
    if (errno != EAGAIN && errno != EINTR) Finish("no report: it cannot be read\n");
    return;
  }
  text_.append(buffer.data(), static_cast<std::size_t>(got));
  if (got == 0 || text_.size() > kMaxReportBytes) Finish(std::exchange(text_, {}));
}

void AlarmReporter::Finish(std::string report) {
  watch_.reset();
  timeout_.reset();
  output_.reset();
  process_.KillAndReap();  // it has written all that is used
  text_.clear();
  Order order = *std::exchange(current_, std::nullopt);
  if (report.empty()) report = "no report: the process that makes it failed\n";
  order.done(std::move(report));
  if (!current_) StartNext();  // it may have ordered another one
}

}  // namespace holostat::runtime
