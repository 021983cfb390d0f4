#include "runtime/heap_requests.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>

#include "base/heap_control.h"
#include "base/mapping.h"
#include "base/unique_fd.h"
#include "runtime/heap_snapshot.h"

namespace holostat::runtime {
namespace {

constexpr std::string_view kPrefix = "heap ";

// The words of a line, taken off its front.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}

  bool Take(std::string_view word) {
    if (Peek() != word) return false;
    Next();
    return true;
  }

  std::optional<std::uint32_t> Number() {
    const std::string_view word = Peek();
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (word.empty() || error != std::errc() || end != word.data() + word.size())
      return std::nullopt;
    Next();
    return value;
  }

  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view Peek() const { return rest_.substr(0, rest_.find(' ')); }
  void Next() {
    const std::size_t space = rest_.find(' ');
    rest_ = space == std::string_view::npos ? std::string_view() : rest_.substr(space + 1);
  }

  std::string_view rest_;
};

std::optional<HeapRequest> ReadAction(Words& words) {
  if (words.Take("stop")) return HeapRequest{.action = HeapRequest::Action::kStop};
  if (words.Take("dump")) return HeapRequest{.action = HeapRequest::Action::kDump};
  if (!words.Take("start")) return std::nullopt;
  const auto log2 = words.Number();
  if (!log2 || *log2 < 10 || *log2 > 30) return std::nullopt;
  return HeapRequest{.action = HeapRequest::Action::kStart,
                     .sample_log2 = static_cast<std::uint8_t>(*log2)};
}

bool ReadTarget(Words& words, HeapRequest& request) {
  if (words.Take("zygote")) {
    request.target = HeapRequest::Target::kZygote;
  } else if (words.Take("worker")) {
    const auto id = words.Number();
    if (!id) return false;
    request.target = HeapRequest::Target::kWorker;
    request.worker_id = *id;
  }
  return words.at_end();
}

Result<std::string> DumpOwn(std::string_view process) {
  const UniqueFd file(::memfd_create("heap dump", MFD_CLOEXEC));
  if (!file)
    return Fail(ErrorCode::kOverloaded,
                fmt::format("no memory for a heap dump: {}", std::strerror(errno)));
  HOLO_TRY(DumpHeapSamples(file.get()));
  struct stat status {};
  ::fstat(file.get(), &status);
  if (status.st_size <= 0) return Fail(ErrorCode::kInternal, "the heap dump is empty");
  const auto mapping = HOLO_TRY(Mapping::OfFile(
      file.get(), static_cast<std::size_t>(status.st_size), Mapping::Access::kRead));
  const auto bytes = mapping.bytes();
  const std::string_view dump(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return FormatHeapSnapshot(HOLO_TRY(MakeHeapSnapshot(::getpid(), process, dump)));
}

}  // namespace

bool IsHeapRequest(std::string_view line) { return line.starts_with(kPrefix); }

std::string ToLine(const HeapRequest& request) {
  std::string line(kPrefix);
  switch (request.action) {
    case HeapRequest::Action::kStart:
      line += fmt::format("start {}", request.sample_log2);
      break;
    case HeapRequest::Action::kStop:
      line += "stop";
      break;
    case HeapRequest::Action::kDump:
      line += "dump";
      break;
  }
  if (request.target == HeapRequest::Target::kZygote) line += " zygote";
  if (request.target == HeapRequest::Target::kWorker)
    line += fmt::format(" worker {}", request.worker_id);
  return line;
}

Result<HeapRequest> ParseHeapRequest(std::string_view line) {
  if (IsHeapRequest(line) && !line.ends_with(' ')) {
    Words words(line.substr(kPrefix.size()));
    auto request = ReadAction(words);
    if (request && ReadTarget(words, *request)) return *request;
  }
  return Fail(ErrorCode::kInvalidArgument,
              "expected: heap start LOG2 (10 to 30), heap stop or heap dump, then nothing, worker "
              "N or zygote");
}

Result<std::string> HandleOwnHeapRequest(std::string_view line, std::string_view process) {
  const HeapRequest request = HOLO_TRY(ParseHeapRequest(line));
  if (request.target != HeapRequest::Target::kOwn)
    return Fail(ErrorCode::kInvalidArgument, "this process has no workers and no zygote");
  switch (request.action) {
    case HeapRequest::Action::kStart:
      HOLO_TRY(StartHeapSampling(request.sample_log2));
      return "";
    case HeapRequest::Action::kStop:
      HOLO_TRY(StopHeapSampling());
      return "";
    case HeapRequest::Action::kDump:
      break;
  }
  return DumpOwn(process);
}

}  // namespace holostat::runtime
