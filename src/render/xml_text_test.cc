#include "render/xml_text.h"

#include <gtest/gtest.h>

namespace holostat::render {
namespace {

std::string Text(std::string_view text) {
  std::string out;
  AppendXmlText(text, out);
  return out;
}

std::string Href(std::string_view text) {
  std::string out;
  AppendXmlHref(text, out);
  return out;
}

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

TEST(XmlText, EscapesMarkupAndQuotes) {
  EXPECT_EQ(Text(R"(a<b>&"c"'d')"), "a&lt;b&gt;&amp;&quot;c&quot;&#39;d&#39;");
  EXPECT_EQ(Text("]]>"), "]]&gt;");
  EXPECT_EQ(Text("a\tb\nc\rd"), "a&#9;b&#10;c&#13;d");
}

TEST(XmlText, KeepsCharactersOfEveryLength) {
  constexpr std::string_view kText =
      "a \xc3\xa9 \xe2\x82\xac \xed\x9f\xbf \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf";
  EXPECT_EQ(Text(kText), kText);
}

TEST(XmlText, ReplacesWhatXmlCannotHold) {
  const std::string_view bad[] = {{"\0", 1},
                                  "\x01",
                                  "\x1f",
                                  "\x80",
                                  "\xc3",
                                  "\xff",
                                  "\xc0\xaf" /* overlong */,
                                  "\xe0\x80\xaf",
                                  "\xef\xbf\xbe" /* U+FFFE */,
                                  "\xef\xbf\xbf",
                                  "\xed\xa0\x80" /* a surrogate */,
                                  "\xf4\x90\x80\x80" /* above U+10FFFF */,
                                  "\xe2\x82",
                                  "\xf0\x9f\x98",
                                  "\xf8\x88\x80\x80\x80"};
  for (const auto text : bad) {
    std::string expected;
    for (std::size_t i = 0; i < text.size(); ++i) expected += kReplacement;
    EXPECT_EQ(Text(text), expected);
  }
  EXPECT_EQ(Text("a\xc3z"), "a" + std::string(kReplacement) + "z");
}

TEST(XmlHref, KeepsTheValueOfBytesThatNoLinkCanHold) {
  EXPECT_EQ(Href("a b.jpg"), "a%20b.jpg");
  EXPECT_EQ(Href("x\n\x01\xff\x7f"), "x%0A%01%FF%7F");
  EXPECT_EQ(Href("\xed\xa0\x80"), "%ED%A0%80");
}

TEST(XmlHref, LeavesLinksAsTheyAre) {
  EXPECT_EQ(Href("https://example.org/p%20q.jpg?a=1&b=2#c"),
            "https://example.org/p%20q.jpg?a=1&amp;b=2#c");
  EXPECT_EQ(Href("\xc3\xa9.png"), "\xc3\xa9.png");
  EXPECT_EQ(Href("\" onload=\"alert(1)"), "&quot;%20onload=&quot;alert(1)");
}

}  // namespace
}  // namespace holostat::render
