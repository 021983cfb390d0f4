#include "media/video_library.h"

#include <gtest/gtest.h>

#include "base/test_dir.h"

namespace holostat::media {
namespace {

TEST(VideoLibrary, IsLoadedAndAnswersWithOurErrors) {
  const auto library = LoadVideoLibraryFrom(HOLOSTAT_VIDEO_LIBRARY);
  ASSERT_TRUE(library.has_value()) << library.error().message;
  const TestDir dir;
  const auto none = (*library)->OpenReader(dir / "none.mp4", {});
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
  EXPECT_EQ((*library)->version().rfind("FFmpeg ", 0), 0u);
  EXPECT_EQ(LoadVideoLibraryFrom(HOLOSTAT_VIDEO_LIBRARY).value(), *library) << "there is one";
}

TEST(VideoLibrary, AMissingOneIsAnErrorThatNamesIt) {
  const auto library = LoadVideoLibraryFrom("/nowhere/libholostat-video.so");
  ASSERT_FALSE(library.has_value());
  EXPECT_EQ(library.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(library.error().message.find("/nowhere/"), std::string::npos);
}

TEST(VideoLibrary, ALibraryThatIsAnotherIsAnError) {
  const auto library = LoadVideoLibraryFrom("libm.so.6");
  ASSERT_FALSE(library.has_value());
  EXPECT_EQ(library.error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace holostat::media
