#include "exporter/json.h"

#include <gtest/gtest.h>

#include <bit>
#include <clocale>
#include <cmath>
#include <fstream>
#include <limits>
#include <locale>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <vector>

#include "base/heap_calls.h"

namespace holostat::exporter {
namespace {

using Json = nlohmann::ordered_json;

// Any finite float with equal odds for each bit pattern: all sizes, down to the denormals.
float AnyFloat(std::mt19937& random) {
  while (true) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isfinite(value)) return value;
  }
}

void Fill(std::span<Landmark> points, std::mt19937& random) {
  for (auto& p : points) p = {AnyFloat(random), AnyFloat(random), AnyFloat(random)};
}

void Fill(std::span<PoseLandmark> points, std::mt19937& random) {
  std::uniform_real_distribution<float> unit(0, 1);
  for (auto& p : points) {
    p = {AnyFloat(random), AnyFloat(random), AnyFloat(random), unit(random), unit(random)};
  }
}

Person FullPerson(unsigned seed, std::size_t face_count = kFaceRefinedCount) {
  std::mt19937 random(seed);
  Person person;
  person.id = static_cast<int>(seed);
  person.score = 0.984375f;
  Fill(person.pose_landmarks, random);
  Fill(person.pose_world_landmarks, random);
  person.face.emplace().count = face_count;
  Fill(person.face->points, random);
  for (auto* hand : {&person.left_hand, &person.right_hand}) {
    hand->emplace().score = 0.1f;
    Fill((*hand)->landmarks, random);
    Fill((*hand)->world_landmarks, random);
  }
  return person;
}

Person BodyOnly(unsigned seed) {
  Person person = FullPerson(seed);
  person.face.reset();
  person.left_hand.reset();
  person.right_hand.reset();
  return person;
}

FrameResult Frame(std::span<const Person> people) {
  return {std::chrono::microseconds(0), 640, 480, people};
}

std::string ReadText(const std::string& path) {
  std::ifstream file(std::string(HOLOSTAT_SOURCE_DIR) + "/" + path);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

void ExpectSameFloat(float expected, const Json& value) {
  EXPECT_EQ(std::bit_cast<std::uint32_t>(expected),
            std::bit_cast<std::uint32_t>(value.get<float>()))
      << value;
}

void ExpectSameRows(std::span<const Landmark> points, const Json& rows) {
  ASSERT_EQ(rows.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_EQ(rows[i].size(), 3u);
    ExpectSameFloat(points[i].x, rows[i][0]);
    ExpectSameFloat(points[i].y, rows[i][1]);
    ExpectSameFloat(points[i].z, rows[i][2]);
  }
}

void ExpectSameRows(std::span<const PoseLandmark> points, const Json& rows) {
  ASSERT_EQ(rows.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_EQ(rows[i].size(), 5u);
    ExpectSameFloat(points[i].x, rows[i][0]);
    ExpectSameFloat(points[i].y, rows[i][1]);
    ExpectSameFloat(points[i].z, rows[i][2]);
    ExpectSameFloat(points[i].visibility, rows[i][3]);
    ExpectSameFloat(points[i].presence, rows[i][4]);
  }
}

std::vector<std::string> Keys(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& item : object.items()) keys.push_back(item.key());
  return keys;
}

TEST(FrameJson, OfAnEmptyPictureIsExactlyThis) {
  FrameResult frame;
  frame.width = 640;
  frame.height = 480;
  EXPECT_EQ(ToJson(frame), R"({"schema":"holostat.frame/1","frame":0,"timestamp_ms":0.0,)"
                           R"("image":{"width":640,"height":480},"people":[]})");
}

TEST(FrameJson, GivesEveryFloatBackExactly) {
  const std::vector<Person> people = {FullPerson(1), FullPerson(2, kFaceMeshCount), FullPerson(3)};
  const auto json = Json::parse(ToJson(Frame(people), {.frame_index = 41}));
  EXPECT_EQ(json["frame"], 41);
  ASSERT_EQ(json["people"].size(), 3u);
  for (std::size_t i = 0; i < people.size(); ++i) {
    const auto& out = json["people"][i];
    EXPECT_EQ(out["id"], people[i].id);
    ExpectSameFloat(people[i].score, out["score"]);
    ExpectSameRows(people[i].pose_landmarks, out["pose_landmarks"]);
    ExpectSameRows(people[i].pose_world_landmarks, out["pose_world_landmarks"]);
    ExpectSameRows(people[i].face->landmarks(), out["face_landmarks"]);
    ExpectSameRows(people[i].left_hand->landmarks, out["left_hand_landmarks"]);
    ExpectSameRows(people[i].right_hand->landmarks, out["right_hand_landmarks"]);
    ExpectSameRows(people[i].left_hand->world_landmarks, out["left_hand_world_landmarks"]);
    ExpectSameRows(people[i].right_hand->world_landmarks, out["right_hand_world_landmarks"]);
    ExpectSameFloat(people[i].left_hand->score, out["left_hand_score"]);
    ExpectSameFloat(people[i].right_hand->score, out["right_hand_score"]);
  }
}

TEST(FrameJson, HasTheKeysInTheOrderOfTheContract) {
  const std::vector<Person> people = {FullPerson(1)};
  const auto json = Json::parse(ToJson(Frame(people)));
  EXPECT_EQ(Keys(json),
            (std::vector<std::string>{"schema", "frame", "timestamp_ms", "image", "people"}));
  EXPECT_EQ(
      Keys(json["people"][0]),
      (std::vector<std::string>{"id", "score", "pose_landmarks", "pose_world_landmarks",
                                "face_landmarks", "left_hand_landmarks", "right_hand_landmarks",
                                "left_hand_world_landmarks", "right_hand_world_landmarks",
                                "left_hand_score", "right_hand_score", "segmentation"}));
}

TEST(FrameJson, GivesAbsentPartsAsNull) {
  const std::vector<Person> people = {BodyOnly(1)};
  const auto json = Json::parse(ToJson(Frame(people)));
  const auto& person = json["people"][0];
  for (const auto* key : {"face_landmarks", "left_hand_landmarks", "right_hand_landmarks",
                          "left_hand_world_landmarks", "right_hand_world_landmarks",
                          "left_hand_score", "right_hand_score", "segmentation"}) {
    EXPECT_TRUE(person[key].is_null()) << key;
  }
}

TEST(FrameJson, GivesNonFiniteNumbersAsNull) {
  std::vector<Person> people = {FullPerson(1)};
  people[0].score = std::numeric_limits<float>::quiet_NaN();
  people[0].pose_landmarks[4].x = std::numeric_limits<float>::infinity();
  people[0].face->points[2].z = -std::numeric_limits<float>::infinity();
  people[0].left_hand->score = std::numeric_limits<float>::quiet_NaN();
  const auto json = Json::parse(ToJson(Frame(people)));
  const auto& person = json["people"][0];
  EXPECT_TRUE(person["score"].is_null());
  EXPECT_TRUE(person["pose_landmarks"][4][0].is_null());
  EXPECT_TRUE(person["face_landmarks"][2][2].is_null());
  EXPECT_TRUE(person["left_hand_score"].is_null());
}

TEST(FrameJson, KeepsTheSignOfZero) {
  std::vector<Person> people = {BodyOnly(1)};
  people[0].pose_landmarks[0].x = -0.0f;
  people[0].pose_landmarks[0].y = 0.0f;
  const auto json = Json::parse(ToJson(Frame(people)));
  ExpectSameFloat(-0.0f, json["people"][0]["pose_landmarks"][0][0]);
  ExpectSameFloat(0.0f, json["people"][0]["pose_landmarks"][0][1]);
}

TEST(FrameJson, GivesTheTimeInMillisecondsToTheMicrosecond) {
  const auto text = [](std::int64_t us) {
    FrameResult frame;
    frame.timestamp = std::chrono::microseconds(us);
    const auto json = ToJson(frame);
    const auto start = json.find("timestamp_ms\":") + 14;
    return json.substr(start, json.find(',', start) - start);
  };
  EXPECT_EQ(text(0), "0.0");
  EXPECT_EQ(text(33'333), "33.333");
  EXPECT_EQ(text(66'050), "66.05");
  EXPECT_EQ(text(7), "0.007");
  EXPECT_EQ(text(1'500), "1.5");
  EXPECT_EQ(text(-1'001), "-1.001");
  EXPECT_EQ(text(86'400'000'000'000), "86400000000.0");
  EXPECT_EQ(text(std::numeric_limits<std::int64_t>::min()), "-9223372036854775.808");
  EXPECT_EQ(text(std::numeric_limits<std::int64_t>::max()), "9223372036854775.807");
}

// A PNG file as far as the writer looks into it, then `tail`.
std::string PngOf(unsigned char width, unsigned char height, std::string_view tail) {
  std::string png("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\1\0\0\0\2\0", 24);
  png[19] = static_cast<char>(width);
  png[23] = static_cast<char>(height);
  return png.append(tail);
}

// Base64 read back by the definition (RFC 4648), independently of the writer.
std::string FromBase64(const std::string& text) {
  static constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  EXPECT_EQ(text.size() % 4, 0u);
  std::string bytes;
  std::uint32_t bits = 0, count = 0;
  for (const char c : text.substr(0, text.find('='))) {
    bits = bits << 6 | static_cast<std::uint32_t>(kAlphabet.find(c));
    if ((count += 6) >= 8) bytes.push_back(static_cast<char>(bits >> (count -= 8)));
  }
  return bytes;
}

TEST(FrameJson, CarriesEachMaskWithTheSizeItsPngStates) {
  const std::vector<Person> people = {BodyOnly(1), BodyOnly(2), BodyOnly(3), BodyOnly(4)};
  const std::string first = PngOf(3, 5, "\xff\x01"), third = PngOf(200, 100, std::string(1, '\0'));
  const std::string_view masks[] = {first, "", third};
  const auto json = Json::parse(ToJson(Frame(people), {.mask_pngs = masks}));
  const auto mask = [&](int i) {
    return json["people"][static_cast<std::size_t>(i)]["segmentation"];
  };
  EXPECT_EQ(Keys(mask(0)), (std::vector<std::string>{"width", "height", "png"}));
  EXPECT_EQ(mask(0)["width"], 256 + 3);
  EXPECT_EQ(mask(0)["height"], 512 + 5);
  EXPECT_EQ(FromBase64(mask(0)["png"]), first);
  EXPECT_TRUE(mask(1).is_null());
  EXPECT_EQ(FromBase64(mask(2)["png"]), third);
  EXPECT_TRUE(mask(3).is_null());
}

TEST(FrameJson, IsOneLineOfCompactAscii) {
  const std::vector<Person> people = {FullPerson(1), BodyOnly(2)};
  for (const char c : ToJson(Frame(people))) {
    ASSERT_TRUE(c > ' ' && c < 127) << static_cast<int>(c);
  }
}

struct GermanNumbers : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(FrameJson, HasTheSameBytesInAnyLocale) {
  const std::vector<Person> people = {FullPerson(1)};
  const auto frame = Frame(people);
  const std::string expected = ToJson(frame, {.frame_index = 1'234'567});
  const auto before = std::locale::global(std::locale(std::locale(), new GermanNumbers));
  const std::string in_german = ToJson(frame, {.frame_index = 1'234'567});
  std::locale::global(before);
  EXPECT_EQ(in_german, expected);
  EXPECT_EQ(ToJson(frame, {.frame_index = 1'234'567}), expected);
}

TEST(FrameJson, AppendsToWhatIsThere) {
  std::string out = "before\n";
  AppendJson(FrameResult{}, {}, out);
  EXPECT_EQ(out, "before\n" + ToJson(FrameResult{}));
}

TEST(FrameJson, MakesNoHeapCallOnceTheStringHasGrown) {
  const std::vector<Person> people = {FullPerson(1), FullPerson(2)};
  const std::string png = PngOf(1, 1, std::string(1000, 'x'));
  const std::string_view masks[] = {png};
  std::string out;
  const auto frame = Frame(people);
  AppendJson(frame, {.mask_pngs = masks}, out);
  const std::size_t size = out.size();
  const auto grown = HeapCalls();
  for (int i = 0; i < 10; ++i) {
    out.clear();
    AppendJson(frame, {.mask_pngs = masks}, out);
  }
  EXPECT_EQ(HeapCalls(), grown);
  EXPECT_EQ(out.size(), size);
}

// Checks a document against the part of JSON Schema that docs/frame.schema.json uses; a keyword it
// does not know is a failure, so that the schema cannot outgrow the check unnoticed.
class SchemaCheck {
 public:
  explicit SchemaCheck(const Json& root) : root_(root) {}

  // Empty, or what is wrong and where.
  std::string Check(const Json& schema, const Json& value, const std::string& at = "$") const {
    for (const auto& [keyword, rule] : schema.items()) {
      const auto problem = CheckKeyword(keyword, rule, schema, value, at);
      if (!problem.empty()) return problem;
    }
    return {};
  }

 private:
  static bool HasType(const Json& value, const std::string& type) {
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    return type == value.type_name();
  }

  static std::string CheckType(const Json& rule, const Json& value, const std::string& at) {
    const Json types = rule.is_array() ? rule : Json::array({rule});
    for (const auto& type : types) {
      if (HasType(value, type)) return {};
    }
    return at + " is not " + rule.dump();
  }

  std::string CheckKeyword(const std::string& keyword, const Json& rule, const Json& schema,
                           const Json& value, const std::string& at) const {
    if (keyword == "type") return CheckType(rule, value, at);
    if (keyword == "const") return value == rule ? "" : at + " is not " + rule.dump();
    if (keyword == "$ref") {
      const Json::json_pointer target(rule.get<std::string>().substr(1));
      return Check(root_.at(target), value, at);
    }
    if (keyword == "anyOf") return CheckAnyOf(rule, value, at);
    if (keyword == "minimum") return !value.is_number() || value >= rule ? "" : at + " too small";
    if (keyword == "maximum") return !value.is_number() || value <= rule ? "" : at + " too large";
    if (value.is_array()) return CheckArray(keyword, rule, value, at);
    if (value.is_object()) return CheckObject(keyword, rule, schema, value, at);
    static const std::vector<std::string> harmless = {"$schema",
                                                      "$id",
                                                      "$defs",
                                                      "title",
                                                      "description",
                                                      "minItems",
                                                      "maxItems",
                                                      "maxProperties",
                                                      "properties",
                                                      "required",
                                                      "items",
                                                      "prefixItems",
                                                      "contentEncoding",
                                                      "contentMediaType",
                                                      "additionalProperties"};
    const bool known = std::find(harmless.begin(), harmless.end(), keyword) != harmless.end();
    return known ? "" : "unknown keyword " + keyword;
  }

  std::string CheckAnyOf(const Json& rule, const Json& value, const std::string& at) const {
    for (const auto& choice : rule) {
      if (Check(choice, value, at).empty()) return {};
    }
    return at + " fits no choice";
  }

  std::string CheckArray(const std::string& keyword, const Json& rule, const Json& value,
                         const std::string& at) const {
    if (keyword == "minItems") return value.size() >= rule ? "" : at + " too short";
    if (keyword == "maxItems") return value.size() <= rule ? "" : at + " too long";
    if (keyword != "items" && keyword != "prefixItems") return {};
    for (std::size_t i = 0; i < value.size(); ++i) {
      const auto problem = Check(keyword == "items" ? rule : rule.at(i), value[i],
                                 at + "[" + std::to_string(i) + "]");
      if (!problem.empty()) return problem;
    }
    return {};
  }

  std::string CheckObject(const std::string& keyword, const Json& rule, const Json& schema,
                          const Json& value, const std::string& at) const {
    if (keyword == "required") {
      for (const auto& name : rule) {
        if (!value.contains(name.get<std::string>())) return at + " lacks " + name.dump();
      }
    }
    if (keyword == "maxProperties") return value.size() <= rule ? "" : at + " has too many";
    if (keyword == "additionalProperties") {
      for (const auto& item : value.items()) {
        if (schema.contains("properties") && schema["properties"].contains(item.key())) continue;
        if (rule == false) return at + " has " + item.key();
        const auto problem = Check(rule, item.value(), at + "." + item.key());
        if (!problem.empty()) return problem;
      }
    }
    if (keyword == "properties") {
      for (const auto& [name, part] : rule.items()) {
        const auto problem = value.contains(name) ? Check(part, value[name], at + "." + name) : "";
        if (!problem.empty()) return problem;
      }
    }
    return {};
  }

  const Json& root_;
};

TEST(FrameJson, FollowsThePublishedSchema) {
  const auto schema = Json::parse(ReadText("docs/frame.schema.json"));
  const SchemaCheck check(schema);
  std::vector<Person> people = {FullPerson(1), FullPerson(2, kFaceMeshCount), BodyOnly(3)};
  people[0].pose_landmarks[7].z = std::numeric_limits<float>::quiet_NaN();
  const std::string png = PngOf(1, 1, "data");
  const std::string_view masks[] = {png};
  const auto json = Json::parse(ToJson(Frame(people), {.mask_pngs = masks}));
  EXPECT_EQ(check.Check(schema, json), "");
  EXPECT_EQ(check.Check(schema, Json::parse(ToJson(FrameResult{}))), "");
  const auto with_signals = Json::parse(ToJson(Frame(people), {.signals = true}));
  EXPECT_EQ(check.Check(schema, with_signals), "");
  EXPECT_TRUE(with_signals["people"][0].contains("signals"));
  EXPECT_FALSE(json["people"][0].contains("signals")) << "only when asked for";

  // The check itself must be able to fail.
  auto broken = json;
  broken["people"][1]["face_landmarks"].erase(0);
  EXPECT_EQ(check.Check(schema, broken), "$.people[1].face_landmarks fits no choice");
  broken = json;
  broken["people"][0]["pose_landmarks"][3].push_back(1);
  EXPECT_NE(check.Check(schema, broken), "");
  broken = json;
  broken["people"][2].erase("segmentation");
  EXPECT_EQ(check.Check(schema, broken), "$.people[2] lacks \"segmentation\"");
  broken = json;
  broken["people"][2]["face_score"] = 1;
  EXPECT_EQ(check.Check(schema, broken), "$.people[2] has face_score");
}

// The person of the example in docs/frame-json.md; only first rows are shown there.
Person ExamplePerson() {
  Person person;
  person.id = 1;
  person.score = 0.999897f;
  person.pose_landmarks[0] = {0.501679f, 0.241948f, -0.55385f, 0.999999f, 0.999994f};
  person.pose_world_landmarks[0] = {0.008153f, -0.632449f, -0.35124f, 0.999999f, 0.999994f};
  person.face.emplace().count = kFaceRefinedCount;
  person.face->points[0] = {0.499579f, 0.274771f, -0.011495f};
  person.left_hand.emplace().score = 0.984375f;
  person.left_hand->landmarks[0] = {0.830003f, 0.404977f, 1.5e-7f};
  person.left_hand->world_landmarks[0] = {0.05513f, -0.179443f, -0.03125f};
  return person;
}

// `json` with all but the first row of each list of landmarks replaced by their number.
std::string FirstRowsOnly(std::string json) {
  for (std::size_t start = 0; (start = json.find("[[", start)) != std::string::npos; ++start) {
    const std::size_t first_end = json.find(']', start) + 1;
    const std::size_t end = json.find("]]", start);
    const auto rows = std::count(json.begin() + static_cast<std::ptrdiff_t>(first_end),
                                 json.begin() + static_cast<std::ptrdiff_t>(end), '[');
    json.replace(first_end, end + 1 - first_end, ",\"" + std::to_string(rows) + " more\"");
  }
  return json;
}

TEST(FrameJson, WritesTheExampleOfItsPage) {
  const std::vector<Person> people = {ExamplePerson()};
  FrameResult frame = Frame(people);
  frame.width = 1280;
  frame.height = 960;
  std::string written = FirstRowsOnly(ToJson(frame));
  const std::string page = ReadText("docs/frame-json.md");
  const std::size_t start = page.find("```json\n") + 8;
  std::string shown = page.substr(start, page.find("```", start) - start);
  for (auto* text : {&shown, &written}) {
    std::erase_if(*text, [](char c) { return c == ' ' || c == '\n'; });
  }
  EXPECT_EQ(shown, written);
}

}  // namespace
}  // namespace holostat::exporter
