#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server/live_frame.h"
#include "server/live_options.h"
#include "server/live_subprotocol.h"

namespace holostat::server {
namespace {

using testing::HasSubstr;

std::vector<std::byte> Message(std::initializer_list<int> bytes, std::size_t size) {
  std::vector<std::byte> message;
  for (const int byte : bytes) message.push_back(static_cast<std::byte>(byte));
  message.resize(size);
  return message;
}

TEST(LiveFrame, ReadsEachFieldWhereTheDocumentPutsIt) {
  const auto message =
      Message({1,    2,    0,    0,    4,    3,    2,    1,   2, 0, 0, 0, 3, 0, 0, 0,  //
               0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
              kLiveHeaderBytes + 18);
  const LiveFrame frame = ParseLiveFrame(message).value();
  EXPECT_EQ(frame.input, ipc::InputKind::kRgb8);
  EXPECT_EQ(frame.sequence, 0x01020304u);
  EXPECT_EQ(frame.width, 2u);
  EXPECT_EQ(frame.height, 3u);
  EXPECT_EQ(frame.timestamp.count(), -2);
  EXPECT_EQ(frame.picture.size(), 18u);
}

TEST(LiveFrame, RefusesWhatIsNoFrame) {
  for (const std::size_t size : {0u, 1u, 23u, 24u})
    EXPECT_FALSE(ParseLiveFrame(Message({1, 1}, size))) << size;
  EXPECT_FALSE(ParseLiveFrame(Message({2, 1}, 30)));     // version
  EXPECT_FALSE(ParseLiveFrame(Message({1, 0}, 30)));     // kind
  EXPECT_FALSE(ParseLiveFrame(Message({1, 4}, 30)));     // kind
  EXPECT_FALSE(ParseLiveFrame(Message({1, 1, 1}, 30)));  // reserved
  EXPECT_TRUE(ParseLiveFrame(Message({1, 1}, 25)));
}

TEST(LiveFrame, RefusesRawPixelsThatAreNotWidthTimesHeight) {
  const auto raw = [](int kind, int width, int height, std::size_t bytes) {
    auto message = Message({1, kind}, kLiveHeaderBytes + bytes);
    message[8] = static_cast<std::byte>(width);
    message[12] = static_cast<std::byte>(height);
    return ParseLiveFrame(message).has_value();
  };
  EXPECT_TRUE(raw(2, 2, 2, 12));
  EXPECT_TRUE(raw(3, 2, 2, 16));
  EXPECT_FALSE(raw(2, 2, 2, 13));
  EXPECT_FALSE(raw(2, 2, 2, 11));
  EXPECT_FALSE(raw(2, 0, 2, 12));
  EXPECT_FALSE(raw(1, 2, 2, 12)) << "a picture file has its own size";
}

TEST(LiveFrame, DoesNotOverflowOnHugeSizes) {
  auto message = Message({1, 3, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
                         kLiveHeaderBytes + 4);
  EXPECT_FALSE(ParseLiveFrame(message));
}

TEST(LiveCommand, ChangesOnlyTheOptionsThatItNames) {
  LiveOptions present;
  present.segmentation = true;
  const auto command =
      ParseLiveCommand(R"({"type":"options","complexity":"lite","refine_face":false})", present);
  ASSERT_TRUE(command);
  EXPECT_EQ(command->kind, LiveCommand::Kind::kOptions);
  EXPECT_EQ(command->options.complexity, ipc::Complexity::kLite);
  EXPECT_FALSE(command->options.refine_face);
  EXPECT_TRUE(command->options.segmentation);
  EXPECT_EQ(command->options.people, 1);
}

TEST(LiveCommand, TakesAsManyPeopleAsAJobMayHave) {
  const auto command = ParseLiveCommand(R"({"type":"options","people":8})", {});
  ASSERT_TRUE(command);
  EXPECT_EQ(command->options.people, 8);
  EXPECT_THAT(ToJson(command->options), HasSubstr(R"("people":8)"));
}

TEST(LiveCommand, TellsWhatIsWrong) {
  const auto error = [](std::string_view text) {
    const auto command = ParseLiveCommand(text, {});
    return command ? std::string("taken") : command.error().message;
  };
  EXPECT_THAT(error("[]"), HasSubstr("JSON object"));
  EXPECT_THAT(error("{\"type\":"), HasSubstr("JSON object"));
  EXPECT_THAT(error("{\"type\":7}"), HasSubstr("options or reset"));
  EXPECT_THAT(error(R"({"type":"options","complexity":"huge"})"), HasSubstr("lite, full, heavy"));
  EXPECT_THAT(error(R"({"type":"options","segmentation":1})"), HasSubstr("true or false"));
  for (const char* people : {"0", "9", "-1", "1.5", "\"2\"", "18446744073709551616"}) {
    EXPECT_THAT(error(std::string(R"({"type":"options","people":)") + people + "}"),
                HasSubstr("from 1 to 8"));
  }
  EXPECT_THAT(error(R"({"type":"options","colour":"red"})"), HasSubstr("colour"));
  EXPECT_THAT(error(std::string(5000, ' ') + "{}"), HasSubstr("4 KiB"));
  EXPECT_THAT(error(std::string(2000, '[')), HasSubstr("JSON object"));
  EXPECT_THAT(error("{\"type\":\"\xff\"}"), HasSubstr("JSON object"));
}

TEST(LiveCommand, KnowsReset) {
  EXPECT_EQ(ParseLiveCommand(R"({"type":"reset"})", {}).value().kind, LiveCommand::Kind::kReset);
}

TEST(LiveSubprotocol, CarriesATokenThatAHeaderCannot) {
  EXPECT_EQ(LiveAuthorization("holostat.v1, holostat.bearer.b3BlbiBzZXNhbWU"),
            "Bearer open sesame");
  EXPECT_EQ(LiveAuthorization("holostat.bearer._-8"), "Bearer \xff\xef");
  EXPECT_EQ(LiveAuthorization("holostat.bearer.a.b"), "");
  EXPECT_EQ(LiveAuthorization("chat"), "");
  EXPECT_EQ(LiveAuthorization(""), "");
}

TEST(LiveSubprotocol, IsOneOfThoseOffered) {
  EXPECT_TRUE(OffersLiveSubprotocol("chat,holostat.v1"));
  EXPECT_FALSE(OffersLiveSubprotocol("holostat.v10"));
  EXPECT_FALSE(OffersLiveSubprotocol(""));
  const std::vector<char> other_case{'h', 'o', 'l', 'o', 's', 't', 'a', 't', '.', 'V', '1'};
  EXPECT_FALSE(OffersLiveSubprotocol({other_case.data(), other_case.size()}));
}

}  // namespace
}  // namespace holostat::server
