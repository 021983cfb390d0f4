#include "app/track_job_handler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
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

TEST_F(TrackJobHandlerTest, TracksRawPixelsAsThoseOfAFile) {
  const std::string of_file = Handle(DemoPicture(), job_).value();
  const Image image = DecodePicture(DemoPicture()).value();
  const std::size_t pixels = static_cast<std::size_t>(image.width() * image.height());
  const std::span rgb(image.row(0), pixels * 3);
  std::vector<std::uint8_t> rgba(pixels * 4, 77);
  for (std::size_t i = 0; i < pixels; ++i) std::copy_n(&rgb[3 * i], 3, &rgba[4 * i]);
  job_.width = static_cast<std::uint32_t>(image.width());
  job_.height = static_cast<std::uint32_t>(image.height());
  job_.input = ipc::InputKind::kRgb8;
  EXPECT_EQ(Handle(rgb, job_).value(), of_file);
  EXPECT_EQ(Handle(rgba, job_).error().code, ErrorCode::kInvalidArgument);
  job_.input = ipc::InputKind::kRgba8;
  EXPECT_EQ(Handle(rgba, job_).value(), of_file);
  EXPECT_EQ(Handle(rgb, job_).error().code, ErrorCode::kInvalidArgument);
}

TEST_F(TrackJobHandlerTest, RefusesRawPixelsOfASizeThatIsNone) {
  const std::vector<std::uint8_t> bytes(12);
  job_.input = ipc::InputKind::kRgb8;
  for (const auto& [width, height, code] : {std::tuple(0u, 4u, ErrorCode::kInvalidArgument),
                                            std::tuple(~0u, ~0u, ErrorCode::kInvalidArgument),
                                            std::tuple(65536u, 65536u, ErrorCode::kLimitExceeded),
                                            std::tuple(2u, 3u, ErrorCode::kInvalidArgument)}) {
    job_.width = width;
    job_.height = height;
    EXPECT_EQ(Handle(bytes, job_).error().code, code) << width << " x " << height;
  }
}

TEST_F(TrackJobHandlerTest, TellsHowLongDecodingAndEncodingTook) {
  std::vector<std::byte> answer(1 << 20);
  const auto outcome = handler_->Handle(job_, std::as_bytes(std::span(DemoPicture())), answer);
  ASSERT_TRUE(outcome);
  EXPECT_GT(outcome->decode.count(), 0);
  EXPECT_GT(outcome->encode.count(), 0);
}

TEST_F(TrackJobHandlerTest, AnswersInBinary) {
  job_.format = ipc::AnswerFormat::kBinary;
  const std::string answer = Handle(DemoPicture(), job_).value();
  EXPECT_EQ(answer.substr(0, 4), "HOLF");
  EXPECT_GT(answer.size(), 32u + 32 + 2 * 33 * 20 + 478 * 12);
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
