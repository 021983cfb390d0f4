#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace holostat::media::av {

// Media files for tests, made and read with FFmpeg and none of our code.

// A tone of `length`, 48 kHz, one channel, in the container that the ending of `path` names and the
// codec of that name of an encoder: "aac", "pcm_s16le", "libopus".
void MakeTone(const std::filesystem::path& path, const char* codec,
              std::chrono::milliseconds length);

// A grey video of `fps` frames a second with that tone; its first frame is at `video_start`.
struct ClipOptions {
  int frames = 50;
  int fps = 25;
  std::chrono::milliseconds video_start{0};
  std::chrono::milliseconds audio_start{0};
};
void MakeClip(const std::filesystem::path& path, const ClipOptions& options);

struct TestPacket {
  std::chrono::microseconds time{0};
  bool is_key = false;
  std::string bytes;
};

struct TestFile {
  std::string video, audio;  // codecs; empty: none
  int width = 0, height = 0;
  int matrix = 0, range = 0, primaries = 0;  // FFmpeg's enums
  std::vector<TestPacket> video_packets, audio_packets;
  std::map<std::string, std::string> metadata;
  std::chrono::microseconds duration{0};
};
TestFile ReadTestFile(const std::filesystem::path& path);

}  // namespace holostat::media::av
