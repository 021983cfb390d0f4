#include "media/video_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <system_error>

namespace holostat::media {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 22> kVideoEndings{
    ".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".mpg", ".mpeg", ".ts",  ".mts", ".m2ts",
    ".mxf", ".wmv", ".flv", ".f4v", ".ogv",  ".3gp", ".3g2", ".vob",  ".y4m", ".ivf", ".mjpeg"};

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// How long the scheme before "://" is; 0: there is none. As RFC 3986 says what a scheme is.
std::size_t SchemeLength(std::string_view source) {
  const std::size_t end = source.find("://");
  if (end == std::string_view::npos || end == 0) return 0;
  const std::string scheme = Lower(source.substr(0, end));
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const bool valid = is_letter(scheme[0]) && std::all_of(scheme.begin(), scheme.end(), [&](char c) {
                       return is_letter(c) || IsDigit(c) || c == '+' || c == '-' || c == '.';
                     });
  return valid ? end : 0;
}

// The place of a number in a name, as of printf: "%d", "%4d" or "%04d".
struct NumberSpot {
  std::size_t begin = 0, end = 0;  // of the directive
};

std::optional<NumberSpot> FindNumber(std::string_view name, std::size_t from) {
  for (std::size_t at = name.find('%', from); at != std::string_view::npos;
       at = name.find('%', at + 1)) {
    std::size_t end = at + 1;
    while (end < name.size() && IsDigit(name[end])) ++end;
    if (end < name.size() && name[end] == 'd') return NumberSpot{at, end + 1};
    if (end < name.size() && name[end] == '%' && end == at + 1) ++at;  // "%%" is a percent sign
  }
  return std::nullopt;
}

std::string Unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == '%' && i + 1 < text.size() && text[i + 1] == '%') ++i;
  }
  return out;
}

// The number in `name` where it is prefix, digits, suffix.
std::optional<int> NumberIn(std::string_view name, std::string_view prefix,
                            std::string_view suffix) {
  if (name.size() <= prefix.size() + suffix.size() || !name.starts_with(prefix) ||
      !name.ends_with(suffix)) {
    return std::nullopt;
  }
  const std::string_view digits =
      name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
  int number = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size();
  return whole && number >= 0 ? std::optional(number) : std::nullopt;
}

// Of the files in `folder`: the lowest number.
Result<std::optional<int>> LowestNumber(const fs::path& folder, std::string_view prefix,
                                        std::string_view suffix) {
  std::optional<int> lowest;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const auto number = NumberIn(entry->path().filename().string(), prefix, suffix);
    if (number && (!lowest || *number < *lowest)) lowest = number;
  }
  if (error == std::errc::no_such_file_or_directory) return std::optional<int>();
  if (error)
    return Fail(ErrorCode::kUnavailable,
                fmt::format("cannot read the folder {}: {}", folder.string(), error.message()));
  return lowest;
}

}  // namespace

VideoSourceKind KindOfVideoSource(std::string_view source) {
  if (source == "-") return VideoSourceKind::kStandardInput;
  if (SchemeLength(source) > 0) return VideoSourceKind::kAddress;
  if (source.starts_with("/dev/video")) return VideoSourceKind::kDevice;
  if (FindNumber(source, 0)) return VideoSourceKind::kSequence;
  return VideoSourceKind::kFile;
}

std::string SchemeOf(std::string_view address) {
  return Lower(address.substr(0, SchemeLength(address)));
}

bool IsVideoName(std::string_view name) {
  const VideoSourceKind kind = KindOfVideoSource(name);
  if (kind != VideoSourceKind::kFile) return kind != VideoSourceKind::kStandardInput;
  const std::string lower = Lower(name);
  return std::any_of(kVideoEndings.begin(), kVideoEndings.end(),
                     [&](std::string_view ending) { return lower.ends_with(ending); });
}

Result<int> FirstOfSequence(const std::string& pattern) {
  const std::size_t name_begin =
      pattern.rfind('/') == std::string::npos ? 0 : pattern.rfind('/') + 1;
  const auto spot = FindNumber(pattern, 0);
  if (!spot || spot->begin < name_begin || FindNumber(pattern, spot->end)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: one number, such as %04d, must be in the file's name", pattern));
  }
  const std::string_view name = std::string_view(pattern).substr(name_begin);
  const std::string folder = Unescaped(pattern.substr(0, name_begin));
  const std::string prefix = Unescaped(name.substr(0, spot->begin - name_begin));
  const std::string suffix = Unescaped(name.substr(spot->end - name_begin));
  const auto lowest =
      HOLO_TRY(LowestNumber(folder.empty() ? fs::path(".") : fs::path(folder), prefix, suffix));
  if (!lowest) return Fail(ErrorCode::kNotFound, fmt::format("{}: there is no such file", pattern));
  return *lowest;
}

}  // namespace holostat::media
