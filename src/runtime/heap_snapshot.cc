#include "runtime/heap_snapshot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <optional>

#include "base/unique_fd.h"

namespace holostat::runtime {
namespace {

constexpr std::string_view kFirstLine = "holostat-heap/1";
constexpr std::string_view kMappings = "\nMAPPED_LIBRARIES:\n";
constexpr std::size_t kMaxBytes = std::size_t{64} << 20;
constexpr std::size_t kMaxMapsBytes = std::size_t{4} << 20;
constexpr std::size_t kMaxProcessName = 200;

// /proc has no size of its files, so ReadFile cannot be used.
Result<std::string> ReadMaps(std::int64_t pid) {
  const std::string path = fmt::format("/proc/{}/maps", pid);
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  std::array<char, 16384> chunk;
  for (ssize_t count = 0; file && text.size() < kMaxMapsBytes;) {
    do count = ::read(file.get(), chunk.data(), chunk.size());
    while (count < 0 && errno == EINTR);
    if (count < 0) break;
    if (count == 0 && !text.empty()) return text;
    if (count == 0) errno = ESRCH;  // a zombie has an empty file
    if (count == 0) break;
    text.append(chunk.data(), static_cast<std::size_t>(count));
  }
  return Fail(ErrorCode::kUnavailable,
              fmt::format("cannot read {}: {}", path, std::strerror(errno)));
}

// Names of functions are in files only: anonymous memory, most of the lines, is left out.
std::string OnlyFiles(std::string_view maps) {
  std::string kept;
  while (!maps.empty()) {
    const std::size_t length = std::min(maps.find('\n'), maps.size() - 1) + 1;
    const std::string_view line = maps.substr(0, length);
    if (line.find('/') != std::string_view::npos) kept += line;
    maps.remove_prefix(length);
  }
  return kept;
}

// One line at most, and printable, whatever it was called.
std::string AsLine(std::string_view text) {
  std::string line(text.substr(0, kMaxProcessName));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, '?');
  return line;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  std::optional<std::string_view> Line(std::string_view key) {
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos || !rest_.starts_with(key)) return std::nullopt;
    const std::string_view value = rest_.substr(key.size(), end - key.size());
    rest_.remove_prefix(end + 1);
    return value;
  }

  std::optional<std::int64_t> Number(std::string_view key) {
    const auto text = Line(key);
    std::int64_t value = 0;
    if (!text) return std::nullopt;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (error != std::errc() || end != text->data() + text->size() || value < 0)
      return std::nullopt;
    return value;
  }

  std::optional<std::string_view> Block(std::string_view key) {
    const auto length = Number(key);
    if (!length || static_cast<std::uint64_t>(*length) > rest_.size()) return std::nullopt;
    const std::string_view block = rest_.substr(0, static_cast<std::size_t>(*length));
    rest_.remove_prefix(block.size());
    return block;
  }

  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

std::optional<HeapSnapshot> Read(Reader in) {
  const auto first = in.Line(kFirstLine);
  const auto pid = in.Number("pid ");
  const auto process = in.Line("process ");
  const auto taken = in.Number("taken ");
  const auto maps = in.Block("maps ");
  const auto profile = in.Block("profile ");
  if (!first || !first->empty() || !pid || !process || !taken || !maps || !profile) return {};
  if (!in.at_end() || process->size() > kMaxProcessName || maps->size() > kMaxMapsBytes ||
      AsLine(*process) != *process)
    return std::nullopt;
  return HeapSnapshot{.pid = *pid,
                      .process = std::string(*process),
                      .taken_ms = *taken,
                      .maps = std::string(*maps),
                      .profile = std::string(*profile)};
}

std::int64_t NowMilliseconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace

Result<HeapSnapshot> MakeHeapSnapshot(std::int64_t pid, std::string_view process,
                                      std::string_view dump) {
  HeapSnapshot snapshot{.pid = pid,
                        .process = AsLine(process),
                        .taken_ms = NowMilliseconds(),
                        .maps = {},
                        .profile = std::string(dump)};
  const std::size_t end = dump.find(kMappings);
  if (end != std::string_view::npos) snapshot.profile.resize(end);
  snapshot.maps = end != std::string_view::npos ? OnlyFiles(dump.substr(end + kMappings.size()))
                                                : OnlyFiles(HOLO_TRY(ReadMaps(pid)));
  return snapshot;
}

std::string FormatHeapSnapshot(const HeapSnapshot& snapshot) {
  return fmt::format("{}\npid {}\nprocess {}\ntaken {}\nmaps {}\n{}profile {}\n{}", kFirstLine,
                     snapshot.pid, AsLine(snapshot.process), snapshot.taken_ms,
                     snapshot.maps.size(), snapshot.maps, snapshot.profile.size(),
                     snapshot.profile);
}

Result<HeapSnapshot> ParseHeapSnapshot(std::string_view text) {
  if (text.size() > kMaxBytes)
    return Fail(ErrorCode::kLimitExceeded,
                fmt::format("a heap snapshot of {} bytes: more than {}", text.size(), kMaxBytes));
  if (const std::size_t end = text.find(kMappings);
      text.starts_with("heap_v2/") && end != std::string_view::npos) {
    return HeapSnapshot{.pid = 0,
                        .process = "a process",
                        .taken_ms = 0,
                        .maps = OnlyFiles(text.substr(end + kMappings.size())),
                        .profile = std::string(text.substr(0, end))};
  }
  auto snapshot = Read(Reader(text));
  if (!snapshot) return Fail(ErrorCode::kCorruptData, "this is no heap snapshot of holostat");
  return *std::move(snapshot);
}

}  // namespace holostat::runtime
