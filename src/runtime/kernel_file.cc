#include "runtime/kernel_file.h"

#include <fcntl.h>

#include <charconv>
#include <cmath>

#include "base/line_reader.h"

namespace holostat::runtime {
namespace {

template <class T>
std::optional<T> Parse(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

}  // namespace

KernelFile::KernelFile(const std::filesystem::path& path)
    : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}

std::optional<std::uint64_t> KernelFile::Number() const {
  LineReader lines(fd_.get());
  const auto line = lines.Next();
  return line ? Parse<std::uint64_t>(*line) : std::nullopt;
}

std::optional<std::uint64_t> KernelFile::Number(std::string_view name) const {
  LineReader lines(fd_.get());
  while (const auto line = lines.Next()) {
    if (!line->starts_with(name) || !line->substr(name.size()).starts_with(' ')) continue;
    return Parse<std::uint64_t>(line->substr(name.size() + 1));
  }
  return std::nullopt;
}

std::optional<double> KernelFile::StallPercent() const {
  static constexpr std::string_view kStart = "some avg10=";
  LineReader lines(fd_.get());
  while (const auto line = lines.Next()) {
    if (!line->starts_with(kStart)) continue;
    const auto percent = Parse<double>(line->substr(kStart.size()));
    return percent && std::isfinite(*percent) ? percent : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace holostat::runtime
