#include "render/xml_text.h"

#include <algorithm>
#include <cstdint>

namespace holostat::render {
namespace {

bool IsContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

// How many bytes at the start of `text` are one character that XML 1.0 (section 2.2) allows;
// 0 when there is none. REQUIRES: not empty.
std::size_t XmlCharacter(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) {
    return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  }
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  if (!std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(length),
                   IsContinuation)) {
    return 0;
  }
  std::uint32_t code = first & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3fu);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  const bool reserved = code == 0xfffe || code == 0xffff;
  return code >= kSmallest[length] && code <= 0x10ffff && !surrogate && !reserved ? length : 0;
}

void AppendEscaped(std::string_view character, std::string& out) {
  switch (character[0]) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    // Plain ones would be read back from an attribute as spaces.
    case '\t':
      out += "&#9;";
      break;
    case '\n':
      out += "&#10;";
      break;
    case '\r':
      out += "&#13;";
      break;
    default:
      out += character;
  }
}

}  // namespace

void AppendXmlText(std::string_view text, std::string& out) {
  while (!text.empty()) {
    const std::size_t length = XmlCharacter(text);
    if (length == 0) {
      out += "\xef\xbf\xbd";
    } else {
      AppendEscaped(text.substr(0, length), out);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
}

void AppendXmlHref(std::string_view href, std::string& out) {
  while (!href.empty()) {
    const std::size_t length = XmlCharacter(href);
    const auto first = static_cast<unsigned char>(href[0]);
    if (length == 0 || first <= ' ' || first == 0x7f) {
      AppendPercentEncoded(href[0], out);
    } else {
      AppendEscaped(href.substr(0, length), out);
    }
    href.remove_prefix(std::max<std::size_t>(length, 1));
  }
}

void AppendPercentEncoded(char byte, std::string& out) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  const auto value = static_cast<unsigned char>(byte);
  out += {'%', kDigits[value >> 4], kDigits[value & 15]};
}

}  // namespace holostat::render
