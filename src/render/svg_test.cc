#include "render/svg.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <locale>
#include <set>
#include <string>
#include <vector>

#include "render/palette.h"
#include "render/test_people.h"

namespace holostat::render {
namespace {

std::string Svg(const std::vector<Person>& people, const SvgOptions& options = {}, int width = 640,
                int height = 480) {
  return ToSvg({{}, width, height, people}, options);
}

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// What stands between `before` and the next quotation mark, for each `before`.
std::vector<std::string> QuotedAfter(const std::string& text, std::string_view before) {
  std::vector<std::string> found;
  for (std::size_t at = 0; (at = text.find(before, at)) != std::string::npos;) {
    at += before.size();
    found.push_back(text.substr(at, text.find('"', at) - at));
  }
  return found;
}

// Fails unless all lines are made of numbers with at most two decimals, none of them huge.
void ExpectPlainNumbers(const std::string& svg) {
  for (const auto& d : QuotedAfter(svg, " d=\"")) {
    ASSERT_EQ(d.find_first_not_of("0123456789.- Mh"), std::string::npos) << d;
    std::size_t whole = 0, decimals = 0;
    bool point = false;
    for (const char c : d) {
      const bool digit = c >= '0' && c <= '9';
      point = c == '.' || (point && digit);
      whole = digit && !point ? whole + 1 : 0;
      decimals = digit && point ? decimals + 1 : 0;
      ASSERT_LE(whole, 4u) << d;
      ASSERT_LE(decimals, 2u) << d;
    }
  }
}

TEST(Svg, HasTheSizeOfThePicture) {
  EXPECT_TRUE(Has(Svg({}), R"( width="640" height="480" viewBox="0 0 640 480">)"));
}

TEST(Svg, HasOneLayerAPart) {
  const std::string svg = Svg({FullPerson()});
  EXPECT_EQ(QuotedAfter(svg, "<g class=\""),
            (std::vector<std::string>{"person", "pose", "face", "left-hand", "right-hand"}));
  EXPECT_EQ(QuotedAfter(svg, " id=\""),
            (std::vector<std::string>{"person-1", "person-1-pose", "person-1-face",
                                      "person-1-left-hand", "person-1-right-hand"}));
}

TEST(Svg, HasNoLayerForAPartThatIsNotThere) {
  EXPECT_EQ(QuotedAfter(Svg({BodyPerson()}), "<g class=\""),
            (std::vector<std::string>{"person", "pose"}));
  SvgOptions no_face;
  no_face.face = FaceStyle::kNone;
  EXPECT_FALSE(Has(Svg({FullPerson()}, no_face), "class=\"face\""));
}

TEST(Svg, KeepsIdsUnique) {
  Person second = FullPerson();
  second.id = 7;
  const auto ids = QuotedAfter(Svg({FullPerson(), second, FullPerson()}), " id=\"");
  EXPECT_EQ(ids.size(), 15u);
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
  EXPECT_TRUE(std::count(ids.begin(), ids.end(), "person-7-face"));
}

TEST(Svg, UsesTheColoursOfTheOverlay) {
  const std::string svg = Svg({});
  EXPECT_TRUE(Has(svg, ".holostat .left{stroke:#ff8a3d}"));
  for (const ToneStyle& tone : kToneStyles) {
    EXPECT_TRUE(Has(svg, "." + std::string(tone.css_class) + "{stroke:#")) << tone.css_class;
  }
}

TEST(Svg, DrawsTheLinesOfTheBodyWhereItIs) {
  Person person = BodyPerson();
  for (auto& p : person.pose_landmarks) p.visibility = 0;
  person.pose_landmarks[11] = {0.25f, 0.5f, 0, 1, 1};
  person.pose_landmarks[13] = {0.5f, 0.75f, 0, 1, 1};
  const std::string svg = Svg({person}, {}, 1000, 400);
  const auto lines = QuotedAfter(svg, " d=\"");
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "M250 200 500 300"), 2);      // halo and line
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "M250 200h0M500 300h0"), 3);  // and core
}

TEST(Svg, WritesNumbersWithAtMostTwoDecimals) {
  Person person = FullPerson();
  for (auto& p : person.pose_landmarks) p.x += 0.123456789f;
  SvgOptions options;
  options.face = FaceStyle::kTessellation;
  const std::string svg = Svg({person}, options);
  ExpectPlainNumbers(svg);
}

TEST(Svg, HoldsNoNumberThatIsNone) {
  constexpr float kValues[] = {0.5f, std::numeric_limits<float>::quiet_NaN(), 1e9f, -3e38f,
                               0.2f, std::numeric_limits<float>::infinity(),  -1e9f};
  std::size_t next = 0;
  const auto value = [&] { return kValues[next++ % std::size(kValues)]; };
  for (int round = 0; round < 14; ++round) {
    Person person = FullPerson();
    for (auto& p : person.pose_landmarks) p = {value(), value(), value(), 1, 1};
    for (auto& p : person.face->points) p = {value(), value(), value()};
    for (auto& p : person.left_hand->landmarks) p = {value(), value(), value()};
    ++next;
    SvgOptions options;
    options.face = FaceStyle::kTessellation;
    ExpectPlainNumbers(Svg({person}, options));
  }
}

TEST(Svg, StaysSmall) {
  EXPECT_LT(Svg({FullPerson()}).size(), 16'000u);
  EXPECT_LT(QuotedAfter(Svg({FullPerson()}), "<path class=\"").size(), 50u);
  SvgOptions options;
  options.face = FaceStyle::kTessellation;
  EXPECT_LT(Svg({FullPerson()}, options).size(), 40'000u);
}

TEST(Svg, LinksThePictureOnlyWhenAsked) {
  EXPECT_FALSE(Has(Svg({}), "<image"));
  SvgOptions options;
  options.picture_href = "a&\"b\".jpg";
  const std::string svg = Svg({FullPerson()}, options);
  EXPECT_TRUE(Has(svg, R"(href="a&amp;&quot;b&quot;.jpg"/>)"));
  EXPECT_LT(svg.find("<image"), svg.find("<g "));
}

TEST(Svg, IsBareOnlyWithoutAPicture) {
  EXPECT_TRUE(Has(Svg({}), "class=\"holostat bare\""));
  SvgOptions options;
  options.picture_href = "a.jpg";
  EXPECT_TRUE(Has(Svg({}, options), "class=\"holostat\""));
}

TEST(Svg, SaysWhatItShows) {
  SvgOptions options;
  options.title = "Jane & <Joe>";
  Person person = FullPerson();
  person.left_hand.reset();
  const std::string svg = Svg({person}, options);
  EXPECT_TRUE(Has(svg, "<title>Jane &amp; &lt;Joe&gt;</title>"));
  EXPECT_TRUE(
      Has(svg,
          "<desc>1 person in a picture of 640 x 480 pixels. Person 1: body, face, right hand."
          "</desc>"));
  EXPECT_TRUE(Has(Svg({}), "<desc>0 people"));
}

struct GermanNumbers : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Svg, HasTheSameBytesInAnyLocale) {
  const std::string expected = Svg({FullPerson()}, {}, 4000, 3000);
  const auto before = std::locale::global(std::locale(std::locale(), new GermanNumbers));
  const std::string in_german = Svg({FullPerson()}, {}, 4000, 3000);
  std::locale::global(before);
  EXPECT_EQ(in_german, expected);
}

TEST(HrefFromPath, EncodesAllThatMeansSomethingInALink) {
  EXPECT_EQ(HrefFromPath("dir/50%#1?a b:c.jpg"), "dir/50%25%231%3Fa%20b%3Ac.jpg");
  EXPECT_EQ(HrefFromPath("\xc3\xa9\xff"), "%C3%A9%FF");
  EXPECT_EQ(HrefFromPath("plain-1_2.~png"), "plain-1_2.~png");
}

}  // namespace
}  // namespace holostat::render
