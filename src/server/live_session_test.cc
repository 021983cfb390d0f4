#include "server/live_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "base/sanitizers.h"

namespace holostat::server {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using testing::HasSubstr;

constexpr milliseconds kPatience(60000);

std::vector<std::byte> Frame(std::string_view text, std::uint32_t sequence,
                             std::int64_t timestamp_us = 0) {
  std::vector<std::byte> message(kLiveHeaderBytes + text.size());
  message[0] = std::byte{kLiveVersion};
  message[1] = std::byte{1};
  std::memcpy(&message[4], &sequence, sizeof sequence);
  std::memcpy(&message[16], &timestamp_us, sizeof timestamp_us);
  std::memcpy(&message[kLiveHeaderBytes], text.data(), text.size());
  return message;
}

// Sessions over a supervisor whose workers answer with the request's bytes reversed.
class LiveSessionTest : public testing::Test {
 protected:
  LiveSessionTest() {
    runtime::Supervisor::Options options;
    options.zygote = {HOLOSTAT_ECHO_ZYGOTE, {}};
    options.models = ipc::ModelBit(ipc::Complexity::kFull);
    options.pool.workers = 2;
    options.pool.start_timeout = milliseconds(20000);
    supervisor_ = runtime::Supervisor::Start(clock_, options).value();
    EXPECT_TRUE(supervisor_->WaitUntilReady(kPatience));
  }
  ~LiveSessionTest() override {
    session_.reset();
    EXPECT_EQ(stats_.live_sessions, 0u);
    EXPECT_EQ(supervisor_->Stop(milliseconds(10000)), "0 leaked");
  }

  // With an outlet that sends at once, or (`slow`) when the test says so.
  void Open(bool slow = false, const LiveOptions& options = {}) {
    session_ = std::make_unique<LiveSession>(
        7, *supervisor_, stats_, options,
        LiveSession::Outlet{[this, slow](LiveMessage message) {
                              messages_.push_back(std::move(message));
                              if (!slow) ++to_confirm_;
                            },
                            [this](LiveClose code, std::string_view why) {
                              closed_ = code;
                              why_ = why;
                            }});
  }
  void Give(std::string_view text, std::uint32_t sequence, std::int64_t timestamp_us = 0) {
    auto frame = Frame(text, sequence, timestamp_us);
    session_->OnFrame(frame);
  }
  void Confirm() {
    for (; to_confirm_ > 0; --to_confirm_) session_->OnSent();
  }
  // The next message; "" when none comes.
  std::string Next() {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (messages_.empty()) {
      if (std::chrono::steady_clock::now() > deadline) return "";
      Confirm();
      supervisor_->loop().Step(milliseconds(20));
    }
    std::string bytes = std::move(messages_.front().bytes);
    messages_.pop_front();
    return bytes;
  }
  void Settle() {
    for (int i = 0; i < 10; ++i) {
      Confirm();
      supervisor_->loop().Step(milliseconds(20));
    }
  }

  SystemClock clock_;
  HttpStats stats_;
  std::unique_ptr<runtime::Supervisor> supervisor_;
  std::unique_ptr<LiveSession> session_;
  std::deque<LiveMessage> messages_;
  int to_confirm_ = 0;
  std::optional<LiveClose> closed_;
  std::string why_;
};

TEST_F(LiveSessionTest, SaysThatItIsReadyWithItsOptions) {
  Open();
  session_->Begin();
  const json ready = json::parse(Next());
  EXPECT_EQ(ready["type"], "ready");
  EXPECT_EQ(ready["options"]["complexity"], "full");
  EXPECT_EQ(ready["options"]["output"], "json");
}

TEST_F(LiveSessionTest, AnswersAFrameWithItsSequenceAndTime) {
  Open();
  Give("}1:\"a\"{", 41, 233'333);
  const json answer = json::parse(Next());
  EXPECT_EQ(answer["type"], "frame");
  EXPECT_EQ(answer["sequence"], 41);
  EXPECT_EQ(answer["timestamp_ms"], 233.333);
  EXPECT_EQ(answer["dropped"], 0);
  EXPECT_EQ(answer["frame"], json({{"a", 1}}));
  EXPECT_EQ(stats_.live_frames, 1u);
}

TEST_F(LiveSessionTest, KeepsOnlyTheNewestOfTheFramesThatWait) {
  Open();
  for (std::uint32_t sequence = 0; sequence < 5; ++sequence) Give("0", sequence);
  EXPECT_EQ(json::parse(Next())["sequence"], 0);
  const json last = json::parse(Next());
  EXPECT_EQ(last["sequence"], 4);
  EXPECT_EQ(last["dropped"], 3);
  EXPECT_EQ(stats_.live_dropped, 3u);
}

TEST_F(LiveSessionTest, DoesNotTrackWhatTheClientHasNoTimeToRead) {
  Open(/*slow=*/true);
  Give("0", 0);
  EXPECT_EQ(json::parse(Next())["sequence"], 0);
  Give("0", 1);
  Give("0", 2);
  Settle();
  EXPECT_TRUE(messages_.empty());
  session_->OnSent();
  EXPECT_EQ(json::parse(Next())["sequence"], 2);
}

TEST_F(LiveSessionTest, SurvivesAFrameThatCannotBeDecoded) {
  Open();
  Give("error \"no\" picture\xff", 3);
  const json error = json::parse(Next());
  EXPECT_EQ(error["type"], "error");
  EXPECT_EQ(error["status"], 422);
  EXPECT_EQ(error["sequence"], 3);
  EXPECT_THAT(error["detail"].get<std::string>(), HasSubstr("\"no\" picture"));
  Give("0", 4);
  EXPECT_EQ(json::parse(Next())["sequence"], 4);
}

TEST_F(LiveSessionTest, EndsAfterTooManyFaultyFramesInARow) {
  Open();
  for (std::size_t i = 0; i < LiveSession::kMaxFaultyFrames; ++i) {
    ASSERT_FALSE(closed_);
    Give("error", 0);
    Next();
    Settle();
  }
  EXPECT_EQ(closed_, LiveClose::kPolicy);
}

TEST_F(LiveSessionTest, TellsTheClientThatItsWorkerWasReplaced) {
  Open();
  Give("whoami", 0);
  const auto pid = json::parse(Next())["frame"].get<pid_t>();
  Confirm();
  ASSERT_EQ(::kill(pid, SIGKILL), 0);
  Give("0", 1);
  const json notice = json::parse(Next());
  EXPECT_EQ(notice["reason"], "worker_replaced");
  EXPECT_EQ(json::parse(Next())["sequence"], 1);
}

TEST_F(LiveSessionTest, ChangesItsOptionsByMessage) {
  Open();
  session_->OnText(R"({"type":"options","output":"binary","complexity":"full"})");
  EXPECT_EQ(json::parse(Next())["options"]["output"], "binary");
  Confirm();
  Give("cba", 5, 77);
  const std::string bytes = Next();
  ASSERT_EQ(bytes.size(), kLiveAnswerHeaderBytes + 3);
  std::uint32_t sequence = 0;
  std::int64_t timestamp_us = 0;
  float infer_ms = 0;
  std::memcpy(&sequence, &bytes[4], sizeof sequence);
  std::memcpy(&timestamp_us, &bytes[8], sizeof timestamp_us);
  std::memcpy(&infer_ms, &bytes[32], sizeof infer_ms);
  EXPECT_EQ(bytes.substr(0, 4), std::string("\1\1\0\0", 4));
  EXPECT_EQ(sequence, 5u);
  EXPECT_EQ(timestamp_us, 77);
  EXPECT_GE(infer_ms, 0.0f);
  EXPECT_EQ(bytes.substr(kLiveAnswerHeaderBytes), "abc");
}

TEST_F(LiveSessionTest, EndsAtAMessageThatIsNone) {
  Open();
  session_->OnText("{\"type\":\"dance\"}");
  EXPECT_EQ(closed_, LiveClose::kPolicy);
  EXPECT_THAT(why_, HasSubstr("options or reset"));
}

TEST_F(LiveSessionTest, EndsAtAFrameWithABrokenHeader) {
  Open();
  std::vector<std::byte> frame(30);
  session_->OnFrame(frame);
  EXPECT_EQ(closed_, LiveClose::kPolicy);
}

TEST_F(LiveSessionTest, TakesItsFramesBackWhenItEnds) {
  Open();
  Give("0", 0);
  Give("0", 1);
  session_.reset();
  Settle();
  EXPECT_TRUE(messages_.empty());
  EXPECT_EQ(supervisor_->Status().queue_length, 0u);
}

}  // namespace
}  // namespace holostat::server
