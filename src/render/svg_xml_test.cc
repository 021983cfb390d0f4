// Reads the documents of svg.h with an XML parser.
#include <expat.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>

#include "render/svg.h"
#include "render/test_people.h"

namespace holostat::render {
namespace {

// What the tests look at in a document; `error` is empty when it is well-formed.
struct Document {
  std::string error;
  std::string title;
  std::string picture_href;
  std::map<std::string, int> elements;
  bool in_title = false;
};

void OnStart(void* user, const XML_Char* name, const XML_Char** attributes) {
  auto& document = *static_cast<Document*>(user);
  ++document.elements[name];
  document.in_title = std::string_view(name) == "title";
  for (; *attributes != nullptr; attributes += 2) {
    if (std::string_view(attributes[0]) == "href") document.picture_href = attributes[1];
  }
}

void OnEnd(void* user, const XML_Char*) { static_cast<Document*>(user)->in_title = false; }

void OnText(void* user, const XML_Char* text, int length) {
  auto& document = *static_cast<Document*>(user);
  if (document.in_title) document.title.append(text, static_cast<std::size_t>(length));
}

Document Parse(const std::string& xml) {
  Document document;
  const std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser(XML_ParserCreate(nullptr),
                                                                       XML_ParserFree);
  XML_SetUserData(parser.get(), &document);
  XML_SetElementHandler(parser.get(), OnStart, OnEnd);
  XML_SetCharacterDataHandler(parser.get(), OnText);
  if (XML_Parse(parser.get(), xml.data(), static_cast<int>(xml.size()), 1) != XML_STATUS_OK) {
    document.error = XML_ErrorString(XML_GetErrorCode(parser.get()));
  }
  return document;
}

Document ParseWith(std::string_view href, std::string_view title) {
  SvgOptions options;
  options.picture_href = href;
  options.title = title;
  return Parse(ToSvg({{}, 10, 10, {}}, options));
}

TEST(SvgXml, IsWellFormedForAFullFrame) {
  const Person people[] = {FullPerson(), BodyPerson()};
  SvgOptions options;
  options.face = FaceStyle::kTessellation;
  const Document document = Parse(ToSvg({{}, 640, 480, people}, options));
  EXPECT_EQ(document.error, "");
  EXPECT_EQ(document.elements.at("g"), 9);  // two people, each with an id; four parts and one
  EXPECT_EQ(document.elements.count("image"), 0u);
}

TEST(SvgXml, GivesTitleAndLinkBack) {
  constexpr std::string_view kTitle = "a<b>&c;\"'\t\n\r ]]> <!-- \xe2\x82\xac";
  constexpr std::string_view kHref = "https://h/p?a=1&b='<>\"\xc3\xa9";
  const Document document = ParseWith(kHref, kTitle);
  EXPECT_EQ(document.error, "");
  EXPECT_EQ(document.title, kTitle);
  EXPECT_EQ(document.picture_href, kHref);
}

TEST(SvgXml, IsWellFormedForEveryByte) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text = std::string("x") + static_cast<char>(byte) + "y";
    EXPECT_EQ(ParseWith(text, text).error, "") << byte;
  }
}

TEST(SvgXml, IsWellFormedForAnyBytes) {
  std::mt19937 random(1);
  // Bytes that begin, continue and end characters and markup, so that near misses are common.
  constexpr std::string_view kBytes(
      "\0\x01<>&\"';]-\x7f\x80\xa0\xbf\xbe\xc2\xc3\xe0\xed\xef\xf0\xf4\xff z", 25);
  for (int round = 0; round < 3000; ++round) {
    std::string text(random() % 12, ' ');
    for (char& c : text) c = kBytes[random() % kBytes.size()];
    ASSERT_EQ(ParseWith(text, text).error, "") << testing::PrintToString(text);
  }
}

}  // namespace
}  // namespace holostat::render
