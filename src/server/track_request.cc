#include "server/track_request.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace holostat::server {
namespace {

// "image/jpeg; q=1" -> "image/jpeg", in lower case.
std::string MediaType(std::string_view content_type) {
  content_type = content_type.substr(0, content_type.find(';'));
  while (!content_type.empty() && content_type.back() == ' ') content_type.remove_suffix(1);
  std::string type(content_type);
  std::ranges::transform(type, type.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  });
  return type;
}

constexpr std::string_view kForm = "multipart/form-data";
// The last one is what curl --data-binary says of any file.
constexpr std::array<std::string_view, 7> kTypes{"",
                                                 "image/jpeg",
                                                 "image/png",
                                                 "image/webp",
                                                 "image/gif",
                                                 "application/octet-stream",
                                                 "application/x-www-form-urlencoded"};

constexpr std::pair<std::string_view, ipc::Complexity> kComplexities[] = {
    {"lite", ipc::Complexity::kLite},
    {"full", ipc::Complexity::kFull},
    {"heavy", ipc::Complexity::kHeavy}};

struct Format {
  std::string_view name;
  ipc::AnswerFormat format;
  std::string_view content_type;
};
constexpr Format kFormats[] = {{"json", ipc::AnswerFormat::kJson, "application/json"},
                               {"svg", ipc::AnswerFormat::kSvg, "image/svg+xml"},
                               {"jpeg", ipc::AnswerFormat::kJpeg, "image/jpeg"},
                               {"openpose", ipc::AnswerFormat::kOpenpose, "application/json"},
                               {"coco", ipc::AnswerFormat::kCoco, "application/json"}};

}  // namespace

bool IsForm(const RequestHead& head) { return MediaType(head.content_type) == kForm; }

std::optional<Problem> CheckDeclaredType(const Exchange& exchange) {
  const std::string type = MediaType(exchange.head.content_type);
  if (type != kForm) {
    if (std::ranges::find(kTypes, type) != kTypes.end()) return std::nullopt;
    return Problem{
        415, "the body must be a JPEG, PNG, WebP or GIF file, or multipart/form-data, not " + type};
  }
  return std::nullopt;
}

std::optional<Problem> CheckMagic(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const bool known = text.starts_with("\xff\xd8\xff") || text.starts_with("\x89PNG\r\n\x1a\n") ||
                     text.starts_with("GIF8") ||
                     (text.starts_with("RIFF") && text.substr(0, 12).ends_with("WEBP"));
  if (known) return std::nullopt;
  return Problem{415, "the body begins as no JPEG, PNG, WebP or GIF file"};
}

ipc::Job JobOf(const Parameters& parameters) {
  const auto value = [&](std::string_view name) { return parameters.find(name)->second; };
  ipc::Job job;
  job.complexity = *ComplexityNamed(value("complexity"));
  job.format = std::ranges::find(kFormats, value("format"), &Format::name)->format;
  job.refine_face = value("refine_face") == "true";
  job.segmentation = value("segmentation") == "true";
  job.people = static_cast<std::uint8_t>(std::stoi(value("people")));
  return job;
}

std::string_view ContentTypeOf(ipc::AnswerFormat format) {
  const auto found = std::ranges::find(kFormats, format, &Format::format);
  return found == std::end(kFormats) ? "application/octet-stream" : found->content_type;
}

std::string_view NameOf(ipc::Complexity complexity) {
  const auto found =
      std::ranges::find(kComplexities, complexity, [](const auto& one) { return one.second; });
  return found->first;
}

std::optional<ipc::Complexity> ComplexityNamed(std::string_view name) {
  for (const auto& [known, complexity] : kComplexities) {
    if (known == name) return complexity;
  }
  return std::nullopt;
}

}  // namespace holostat::server
