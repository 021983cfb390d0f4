#include "app/track_job_handler.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/demo_picture.h"
#include "holostat/holistic_tracker.h"
#include "holostat/picture.h"
#include "pipeline/encode_frame.h"

namespace holostat::app {
namespace {

class TrackJobHandlerTest : public testing::Test {
 protected:
  void SetUp() override {
    auto tracker =
        pipeline::RequestTracker::Create({.models_dir = HOLOSTAT_MODELS_DIR,
                                          .variants = {{.complexity = Complexity::kLite}},
                                          .limits = {}});
    if (!tracker) GTEST_SKIP() << tracker.error().message;
    handler_ = std::make_unique<TrackJobHandler>(*std::move(tracker), 1u << 1);
  }

  Result<std::string> Handle(std::span<const std::uint8_t> picture, const ipc::Job& job,
                             std::size_t room = 1 << 20) {
    std::vector<std::byte> answer(room);
    const auto outcome = HOLO_TRY(handler_->Handle(job, std::as_bytes(picture), answer));
    return std::string(reinterpret_cast<const char*>(answer.data()), outcome.answer_bytes);
  }

  ipc::Job job_{.complexity = ipc::Complexity::kLite, .fault = {}};
  std::unique_ptr<TrackJobHandler> handler_;
};

TEST_F(TrackJobHandlerTest, AnswersWhatTheTrackerItselfGives) {
  const auto image = DecodePicture(DemoPicture()).value();
  const auto tracker =
      HolisticTracker::Create({.models_dir = HOLOSTAT_MODELS_DIR, .complexity = Complexity::kLite});
  const FrameResult frame = (*tracker)->Process(image.view(), std::chrono::microseconds(0)).value();
  ASSERT_EQ(frame.people.size(), 1u);
  for (const auto& [asked, format] :
       {std::pair(ipc::AnswerFormat::kJson, pipeline::FrameFormat::kJson),
        std::pair(ipc::AnswerFormat::kSvg, pipeline::FrameFormat::kSvg),
        std::pair(ipc::AnswerFormat::kJpeg, pipeline::FrameFormat::kJpeg)}) {
    job_.format = asked;
    EXPECT_EQ(Handle(DemoPicture(), job_).value(),
              pipeline::EncodeFrame(frame, image.view(), format, {}).value());
  }
}

TEST_F(TrackJobHandlerTest, AnswersTheSameEachTime) {
  const std::string first = Handle(DemoPicture(), job_).value();
  EXPECT_EQ(Handle(DemoPicture(), job_).value(), first);
}

TEST_F(TrackJobHandlerTest, FollowsTheFramesOfASession) {
  const auto people_at = [&](std::int64_t timestamp_us, bool reset) {
    job_.session = 7;
    job_.timestamp_us = timestamp_us;
    job_.reset = reset;
    const std::string answer = Handle(DemoPicture(), job_).value();
    return answer.substr(answer.find("\"people\""));
  };
  const std::string first = people_at(1000, false), second = people_at(41000, false);
  EXPECT_NE(first, second);
  EXPECT_EQ(people_at(1000, true), first);
  EXPECT_EQ(people_at(41000, false), second);
}

TEST_F(TrackJobHandlerTest, TellsTheClientsErrorsFromOurs) {
  const std::uint8_t rubbish[] = {1, 2, 3};
  EXPECT_EQ(Handle(rubbish, job_).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(Handle(DemoPicture(), job_, 100).error().code, ErrorCode::kLimitExceeded);
  job_.complexity = ipc::Complexity::kHeavy;
  EXPECT_EQ(Handle(DemoPicture(), job_).error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace holostat::app
