#include "pipeline/track_request.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "vision/golden_support.h"

namespace holostat::pipeline {
namespace {

using std::chrono::microseconds;

class RequestTrackerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!vision::HaveModels()) GTEST_SKIP() << "no models in " << vision::ModelsDir();
    if (!vision::HaveMedia()) GTEST_SKIP() << "no pictures in " << vision::MediaDir();
    auto tracker = RequestTracker::Create({.models_dir = vision::ModelsDir(), .limits = {}});
    ASSERT_TRUE(tracker) << tracker.error().message;
    tracker_ = *std::move(tracker);
    std::ifstream in(vision::MediaDir() / "body-standing-cgi.jpg", std::ios::binary);
    picture_.assign(std::istreambuf_iterator<char>(in), {});
  }

  // Who was found in the picture, without number and time of the frame.
  std::string PeopleIn(const TrackRequest& request) {
    const auto answer = tracker_->Track(picture_, request);
    if (answer) return answer->bytes.substr(answer->bytes.find("\"people\""));
    ADD_FAILURE() << answer.error().message;
    return {};
  }

  std::unique_ptr<RequestTracker> tracker_;
  std::vector<std::uint8_t> picture_;
};

TrackRequest FrameOf(std::uint64_t session, std::uint64_t frame) {
  TrackRequest request;
  request.session = session;
  request.frame = frame;
  request.timestamp = microseconds(40000 * (frame + 1));
  return request;
}

TEST_F(RequestTrackerTest, FollowsASessionAndNothingElse) {
  const std::string still = PeopleIn({});
  const std::string first = PeopleIn(FrameOf(7, 0)), second = PeopleIn(FrameOf(7, 1));
  EXPECT_FALSE(second == first) << "looks where the body was";
  EXPECT_TRUE(PeopleIn({}) == still);
  EXPECT_TRUE(PeopleIn(FrameOf(8, 0)) == first) << "another session";
  TrackRequest again = FrameOf(7, 0);
  again.reset = true;
  EXPECT_TRUE(PeopleIn(again) == first);
  EXPECT_TRUE(PeopleIn(FrameOf(7, 1)) == second);
}

TEST_F(RequestTrackerTest, AnAnswerTellsItsFrame) {
  const auto answer = tracker_->Track(picture_, FrameOf(7, 3));
  ASSERT_TRUE(answer);
  EXPECT_NE(answer->bytes.find("\"frame\":3,\"timestamp_ms\":160.0,"), std::string::npos);
}

}  // namespace
}  // namespace holostat::pipeline
