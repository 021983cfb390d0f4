#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "media/video.h"

namespace holostat::media::av {

// Whether there is an ffmpeg command, which makes the videos of tests and is what they are compared
// with.
bool HasFfmpeg();

// Runs `ffmpeg ARGUMENTS` by a shell, in `folder`. Fails the test where that fails.
void Ffmpeg(const std::filesystem::path& folder, const std::string& arguments);

std::string ReadBytes(const std::filesystem::path& file);

// What became of a video.
struct Seen {
  std::vector<double> times_ms;
  std::vector<std::uint64_t> indices;
  std::vector<std::pair<int, int>> sizes;
  std::string pixels;  // of all frames, rows without padding
  VideoCounts counts;
  std::optional<Error> error;  // of opening, or of the last Next
};

// Reads all there is.
Seen ReadAll(const std::string& source, const VideoReader::Options& options = {});

// A test that needs the ffmpeg command, and a folder.
class ClipTest : public ::testing::Test {
 protected:
  void SetUp() override;
};

}  // namespace holostat::media::av
