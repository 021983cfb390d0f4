#include "media/av/test_clips.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#include "media/video_library.h"

namespace holostat::media::av {

bool HasFfmpeg() {
  static const bool has = std::system("ffmpeg -version >/dev/null 2>&1") == 0;
  return has;
}

void Ffmpeg(const std::filesystem::path& folder, const std::string& arguments) {
  const std::string command =
      "cd '" + folder.string() + "' && ffmpeg -v error -nostdin -y " + arguments;
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
}

std::string ReadBytes(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

Seen ReadAll(const std::string& source, const VideoReader::Options& options) {
  Seen seen;
  auto reader = LinkedVideoLibrary().OpenReader(source, options);
  if (!reader) {
    seen.error = reader.error();
    return seen;
  }
  for (;;) {
    const auto frame = (*reader)->Next();
    seen.counts = (*reader)->counts();
    if (!frame) seen.error = frame.error();
    if (!frame || !*frame) return seen;
    const VideoFrame& one = **frame;
    seen.times_ms.push_back(static_cast<double>(one.timestamp.count()) / 1000);
    seen.indices.push_back(one.index);
    seen.sizes.emplace_back(one.image.width, one.image.height);
    for (int y = 0; y < one.image.height; ++y) {
      seen.pixels.append(reinterpret_cast<const char*>(one.image.row(y)),
                         static_cast<std::size_t>(one.image.width) * 3);
    }
  }
}

void ClipTest::SetUp() {
  if (!HasFfmpeg()) GTEST_SKIP() << "no ffmpeg command";
}

}  // namespace holostat::media::av
