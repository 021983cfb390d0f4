#pragma once

#include <string>
#include <string_view>

namespace holostat::render {

// Adds `text` to `out` so that it is good XML 1.0 both between tags and between double quotes,
// whatever its bytes: markup is escaped, and what XML cannot hold (bytes that are not UTF-8,
// control characters, U+FFFE and U+FFFF) becomes U+FFFD.
void AppendXmlText(std::string_view text, std::string& out);

// Adds the link `href` to `out` likewise, but bytes that no link can hold (those above, and spaces)
// are percent-encoded, which keeps their value. Escapes that are in the link already stay.
void AppendXmlHref(std::string_view href, std::string& out);

// Adds "%0A" for a line feed, and so on.
void AppendPercentEncoded(char byte, std::string& out);

}  // namespace holostat::render
