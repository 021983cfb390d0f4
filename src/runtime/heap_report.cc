#include "runtime/heap_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>
#include <utility>

#include "runtime/heap_profile.h"

namespace holostat::runtime {
namespace {

// jemalloc's own frames (from symbols; inlined ones are not to be seen) and ours before it are few.
constexpr std::size_t kAllocatorDepth = 24;

bool IsOneOf(std::string_view name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool IsAllocator(std::string_view function) {
  constexpr std::array<std::string_view, 16> kNames{
      "malloc",  "calloc",  "realloc",      "memalign",     "aligned_alloc",  "posix_memalign",
      "valloc",  "pvalloc", "reallocarray", "operator new", "operator new[]", "__libc_malloc",
      "mallocx", "rallocx", "imalloc",      "imalloc_body"};
  return IsOneOf(function, kNames) || function.starts_with("je_") || function.starts_with("prof_");
}

bool IsCLibrary(std::string_view module) {
  const std::string_view file = module.substr(module.rfind('/') + 1);
  return file.starts_with("libc.so") || file.starts_with("libc-") ||
         file.starts_with("libstdc++.so");
}

bool AllocatesForItsCaller(const CodeFrame& frame) {
  constexpr std::array<std::string_view, 5> kNamespaces{
      "std::", "__gnu_cxx::", "fmt::", "tl::", "nlohmann::"};
  constexpr std::array<std::string_view, 3> kContainers{
      "src/base/aligned_buffer.h", "include/holostat/image.h", "src/engine/xnn_memory.cc"};
  const auto in = [&](std::string_view space) { return frame.function.starts_with(space); };
  const auto of = [&](std::string_view file) { return frame.file.ends_with(file); };
  return frame.function.empty() || IsCLibrary(frame.module) ||
         std::any_of(kNamespaces.begin(), kNamespaces.end(), in) ||
         std::any_of(kContainers.begin(), kContainers.end(), of);
}

// Stacks that lead to one site, while they are counted together.
struct Gathered {
  HeapReportSite site;
  double most_bytes = 0;  // of one stack
};
using SiteKey = std::tuple<std::string, std::string, int, std::string>;

class Gatherer {
 public:
  explicit Gatherer(Symbolizer& symbolizer) : symbolizer_(symbolizer) {}

  void Add(const HeapSite& site) {
    std::vector<CodeFrame> stack = Resolve(site.stack);
    const auto place = stack.begin() + static_cast<std::ptrdiff_t>(SiteOf(stack));
    stack.erase(stack.begin(), place);
    const CodeFrame& at = stack.front();
    Gathered& gathered = sites_[{at.function, at.file, at.line, at.module}];
    gathered.site.bytes += site.bytes;
    gathered.site.blocks += site.blocks;
    ++gathered.site.stacks;
    if (site.bytes <= gathered.most_bytes) return;
    gathered.most_bytes = site.bytes;
    gathered.site.stack = std::move(stack);
  }

  std::vector<HeapReportSite> MostBytesFirst() {
    std::vector<HeapReportSite> sites;
    for (auto& [key, gathered] : sites_) sites.push_back(std::move(gathered.site));
    std::stable_sort(sites.begin(), sites.end(),
                     [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
    return sites;
  }

 private:
  std::vector<CodeFrame> Resolve(std::span<const std::uint64_t> addresses) {
    std::vector<CodeFrame> stack;
    for (const std::uint64_t address : addresses) {
      auto known = frames_.find(address);
      if (known == frames_.end())
        known = frames_.emplace(address, symbolizer_.Resolve(address)).first;
      stack.insert(stack.end(), known->second.begin(), known->second.end());
    }
    // What stands behind main is the same everywhere.
    const auto main = std::find_if(stack.begin(), stack.end(),
                                   [](const CodeFrame& frame) { return frame.function == "main"; });
    if (main != stack.end()) stack.erase(main + 1, stack.end());
    return stack;
  }

  Symbolizer& symbolizer_;
  std::map<std::uint64_t, std::vector<CodeFrame>> frames_;
  std::map<SiteKey, Gathered> sites_;
};

Result<HeapProfile> Profile(const HeapSnapshot* before, const HeapSnapshot& after) {
  HeapProfile profile = HOLO_TRY(ParseHeapProfile(after.profile));
  if (before == nullptr) return profile;
  // The addresses of one process say nothing about another one.
  if (before->pid != after.pid)
    return Fail(
        ErrorCode::kInvalidArgument,
        fmt::format("the snapshots are of two processes, {} and {}", before->pid, after.pid));
  return GrownSince(HOLO_TRY(ParseHeapProfile(before->profile)), profile);
}

std::optional<double> SecondsBetween(const HeapSnapshot* before, const HeapSnapshot& after) {
  if (before == nullptr || before->taken_ms == 0 || after.taken_ms <= before->taken_ms)
    return std::nullopt;
  return static_cast<double>(after.taken_ms - before->taken_ms) / 1000;
}

// "12.4 MB"
std::string Bytes(double bytes) {
  constexpr std::array kUnits{"B", "kB", "MB", "GB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < kUnits.size(); ++unit) bytes /= 1000;
  return fmt::format("{:.{}f} {}", bytes, unit == 0 ? 0 : 1, kUnits[unit]);
}

// The last three parts of a path: "src/vision/crop.cc".
std::string ShortPath(std::string_view path) {
  std::size_t at = path.size();
  for (int part = 0; part < 3 && at != std::string_view::npos; ++part)
    at = at == 0 ? std::string_view::npos : path.rfind('/', at - 1);
  return std::string(at == std::string_view::npos ? path : path.substr(at + 1));
}

// "LeakHere (src/leak.cc:12)"
std::string Describe(const CodeFrame& frame) {
  const std::string function = frame.function.empty() ? "?" : frame.function;
  if (!frame.file.empty())
    return fmt::format("{} ({}:{})", function, ShortPath(frame.file), frame.line);
  const std::size_t name = frame.module.rfind('/') + 1;
  return fmt::format("{} ({})", function, frame.module.empty() ? "?" : frame.module.substr(name));
}

void AppendSite(std::string& text, const HeapReport& report, const HeapReportSite& site) {
  const std::string rate =
      site.bytes_per_minute ? fmt::format(", {} a minute", Bytes(*site.bytes_per_minute)) : "";
  text += fmt::format("\n{}{} in {:.0f} blocks, {:.0f} %{}{}\n", report.is_growth ? "+" : "",
                      Bytes(site.bytes), site.blocks, 100 * site.bytes / report.bytes, rate,
                      site.stacks > 1 ? fmt::format(", most of {} stacks:", site.stacks) : "");
  for (const CodeFrame& frame : site.stack) text += fmt::format("    {}\n", Describe(frame));
}

nlohmann::ordered_json ToJson(const CodeFrame& frame) {
  return {{"function", frame.function},
          {"file", frame.file},
          {"line", frame.line},
          {"module", frame.module},
          {"inlined", frame.inlined}};
}

nlohmann::ordered_json OrNull(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace

std::size_t SiteOf(std::span<const CodeFrame> stack) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < std::min(stack.size(), kAllocatorDepth); ++i) {
    if (IsAllocator(stack[i].function)) first = i + 1;
  }
  if (first == stack.size()) return 0;
  for (std::size_t i = first; i < stack.size(); ++i) {
    if (!AllocatesForItsCaller(stack[i])) return i;
  }
  return first;
}

Result<HeapReport> MakeHeapReport(const HeapSnapshot* before, const HeapSnapshot& after,
                                  std::size_t count) {
  const HeapProfile profile = HOLO_TRY(Profile(before, after));
  const auto symbolizer = HOLO_TRY(Symbolizer::Create(after.maps));
  HeapReport report{.pid = after.pid,
                    .process = after.process,
                    .sample_bytes = profile.sample_bytes,
                    .seconds = SecondsBetween(before, after),
                    .is_growth = before != nullptr};
  Gatherer gatherer(*symbolizer);
  for (const HeapSite& site : profile.sites) {
    gatherer.Add(site);
    report.bytes += site.bytes;
    report.blocks += site.blocks;
  }
  report.sites = gatherer.MostBytesFirst();
  report.sites_in_all = report.sites.size();
  report.sites.resize(std::min(count, report.sites.size()));
  for (HeapReportSite& site : report.sites) {
    if (report.seconds) site.bytes_per_minute = site.bytes / *report.seconds * 60;
  }
  return report;
}

std::string ToText(const HeapReport& report) {
  std::string text = fmt::format("{}{}: ", report.process,
                                 report.pid == 0 ? "" : fmt::format(" (pid {})", report.pid));
  if (report.sites.empty())
    return text + (report.is_growth ? "nothing grew" : "no living samples") + "\n";
  text += report.is_growth ? fmt::format("{} more", Bytes(report.bytes))
                           : fmt::format("{} living", Bytes(report.bytes));
  if (report.seconds) text += fmt::format(" in {:.1f} s", *report.seconds);
  text += fmt::format(", estimated from a sample each {}; {} of {} sites\n",
                      Bytes(static_cast<double>(report.sample_bytes)), report.sites.size(),
                      report.sites_in_all);
  for (const HeapReportSite& site : report.sites) AppendSite(text, report, site);
  return text;
}

std::string ToJson(const HeapReport& report) {
  nlohmann::ordered_json sites = nlohmann::ordered_json::array();
  for (const HeapReportSite& site : report.sites) {
    nlohmann::ordered_json stack = nlohmann::ordered_json::array();
    for (const CodeFrame& frame : site.stack) stack.push_back(ToJson(frame));
    sites.push_back({{"bytes", site.bytes},
                     {"blocks", site.blocks},
                     {"bytes_per_minute", OrNull(site.bytes_per_minute)},
                     {"function", site.stack[0].function},
                     {"file", site.stack[0].file},
                     {"line", site.stack[0].line},
                     {"stacks", site.stacks},
                     {"stack", std::move(stack)}});
  }
  const nlohmann::ordered_json json{{"schema", "holostat.heap/1"},
                                    {"pid", report.pid},
                                    {"process", report.process},
                                    {"growth", report.is_growth},
                                    {"seconds", OrNull(report.seconds)},
                                    {"sample_bytes", report.sample_bytes},
                                    {"bytes", report.bytes},
                                    {"blocks", report.blocks},
                                    {"sites_in_all", report.sites_in_all},
                                    {"sites", std::move(sites)}};
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace holostat::runtime
