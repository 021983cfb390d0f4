#include "server/multipart.h"

#include <fmt/format.h>

#include <algorithm>

namespace holostat::server {
namespace {

constexpr std::size_t kMaxBoundaryBytes = 70;  // RFC 2046, 5.1.1
constexpr std::size_t kMaxPartHeadBytes = 2048;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool StartsWithIgnoringCase(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::ranges::equal(text.substr(0, prefix.size()), prefix,
                            [](char a, char b) { return Lower(a) == b; });
}

// The value of "; name=value" or "; name=\"value\"" in a header field; empty when it is not there.
// `present` tells an empty one from none.
std::string FieldParameter(std::string_view field, std::string_view name, bool& present) {
  present = false;
  bool quoted = false;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= field.size(); ++i) {
    if (i < field.size() && field[i] == '"') quoted = !quoted;
    if (i < field.size() && (quoted || field[i] != ';')) continue;
    std::string_view item = field.substr(start, i - start);
    start = i + 1;
    item.remove_prefix(std::min(item.find_first_not_of(" \t"), item.size()));
    if (!StartsWithIgnoringCase(item, name) || item.size() <= name.size() ||
        item[name.size()] != '=')
      continue;
    present = true;
    item.remove_prefix(name.size() + 1);
    if (item.size() >= 2 && item.front() == '"' && item.back() == '"')
      item = item.substr(1, item.size() - 2);
    return std::string(item);
  }
  return {};
}

tl::unexpected<Error> Malformed(const char* why) {
  return Fail(ErrorCode::kInvalidArgument, fmt::format("the form is malformed: {}", why));
}

Result<std::string> BoundaryOf(std::string_view content_type) {
  bool present = false;
  std::string boundary = FieldParameter(content_type, "boundary", present);
  if (boundary.empty() || boundary.size() > kMaxBoundaryBytes)
    return Malformed("its type names no boundary, or one that is too long");
  return boundary;
}

// Reads the head of a part, up to the empty line, and takes it off `rest`.
Result<FormPart> ReadPartHead(std::string_view& rest) {
  FormPart part;
  const std::size_t end = rest.substr(0, kMaxPartHeadBytes).find("\r\n\r\n");
  if (end == std::string_view::npos) return Malformed("a part has no head, or too long a one");
  std::string_view head = rest.substr(0, end + 2);
  rest.remove_prefix(end + 4);
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find("\r\n"));
    head.remove_prefix(line.size() + 2);
    constexpr std::string_view kDisposition = "content-disposition:";
    if (!StartsWithIgnoringCase(line, kDisposition)) continue;
    bool named = false;
    part.name = FieldParameter(line.substr(kDisposition.size()), "name", named);
    part.file_name = FieldParameter(line.substr(kDisposition.size()), "filename", part.is_file);
  }
  return part;
}

}  // namespace

Result<std::vector<FormPart>> ReadForm(std::span<const std::byte> body,
                                       std::string_view content_type, std::size_t max_files) {
  const std::string boundary = HOLO_TRY(BoundaryOf(content_type));
  const std::string delimiter = "\r\n--" + boundary;
  std::string_view rest(reinterpret_cast<const char*>(body.data()), body.size());
  // What stands before the first boundary is for nobody.
  if (!rest.starts_with(std::string_view(delimiter).substr(2))) {
    const std::size_t first = rest.find(delimiter);
    if (first == std::string_view::npos) return Malformed("its boundary is not in it");
    rest.remove_prefix(first + 2);
  }
  rest.remove_prefix(delimiter.size() - 2);

  std::vector<FormPart> files;
  for (std::size_t parts = 0; !rest.starts_with("--"); ++parts) {
    if (parts == 2 * max_files)
      return Fail(ErrorCode::kLimitExceeded, "the form has too many fields");
    if (!rest.starts_with("\r\n")) return Malformed("a boundary does not end its line");
    rest.remove_prefix(2);
    FormPart part = HOLO_TRY(ReadPartHead(rest));
    const std::size_t end = rest.find(delimiter);
    if (end == std::string_view::npos) return Malformed("it ends within a part");
    part.bytes = body.subspan(
        static_cast<std::size_t>(rest.data() - reinterpret_cast<const char*>(body.data())), end);
    rest.remove_prefix(end + delimiter.size());
    if (!part.is_file) continue;
    if (files.size() == max_files)
      return Fail(ErrorCode::kLimitExceeded,
                  fmt::format("a form may have {} files at most", max_files));
    files.push_back(std::move(part));
  }
  if (files.empty()) return Malformed("there is no file in it");
  return files;
}

}  // namespace holostat::server
