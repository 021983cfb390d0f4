#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "holostat/image.h"

namespace holostat::media {

// Reading and writing of videos. The work is FFmpeg's, in a library of ours of its own that is
// loaded when the first video is opened: FFmpeg brings over a hundred libraries, which no process
// that only tracks pictures is to carry (docs/adr/0007-video-library.md).

// One frame, upright. Borrowed from the reader: valid until its next Next().
struct VideoFrame {
  ImageView image;
  // As the source says, from the start that it names, else from its first frame; it may repeat, go
  // back or leap. Where the source says nothing: the frame before's and one step.
  std::chrono::microseconds timestamp{0};
  // Among all frames of the source, from 0. Where `from` was sought, the first one's is reckoned
  // from its time and the frames a second.
  std::uint64_t index = 0;
};

struct VideoInfo {
  int width = 0, height = 0;  // of the first frame, upright, pixels
  double fps = 0;             // on average; 0: unknown
  std::optional<std::chrono::microseconds> duration{};
  std::string format{}, codec{};  // FFmpeg's names: "mov,mp4,m4a,3gp,3g2,mj2", "h264"
  bool has_audio = false;
  bool is_live = false;  // a camera or a stream: has no end of its own, and cannot be sought
};

// What a reader has met so far.
struct VideoCounts {
  std::uint64_t frames = 0;        // given
  std::uint64_t broken = 0;        // packets or frames that did not decode: left out
  std::uint64_t size_changes = 0;  // frames of another size than the one before
  std::uint64_t odd_times = 0;  // timestamps that are missing or do not come after the one before
  std::chrono::microseconds last{0};  // timestamp of the last frame decoded, given or not
};

// Not thread-safe but for Interrupt. Owns its file, its decoder and one frame's pixels. Next makes
// no heap call of ours once the size of the frames has been seen; FFmpeg's are a few a frame.
class VideoReader {
 public:
  struct Options {
    std::chrono::milliseconds open_timeout{10'000};
    std::chrono::milliseconds read_timeout{10'000};  // of one frame
    std::chrono::microseconds from{0};               // frames before it are not given
    std::optional<std::chrono::microseconds> to{};   // nor those from here on
    std::uint64_t first_index = 0;                   // nor those of a lower index
    std::uint64_t every = 1;                         // nor those whose index is no multiple of it
    std::size_t max_pixels = 64'000'000;             // of a frame
    std::string format{};  // FFmpeg's name, where it cannot be told from the bytes
    double fps = 0;        // of a camera or an image sequence; 0: its own
    // Where given, and once true: as Interrupt, and opening ends as well. Outlives the reader.
    const std::atomic<bool>* interrupted = nullptr;
  };

  virtual ~VideoReader() = default;
  VideoReader(const VideoReader&) = delete;
  VideoReader& operator=(const VideoReader&) = delete;

  virtual const VideoInfo& info() const = 0;
  // The next frame in the order of showing; nothing at the end. What does not decode is left out
  // and counted. Errors: kTimeout, kCorruptData (no frame at all, or too much that is broken),
  // kLimitExceeded, kUnavailable (the source failed, or Interrupt was called), kUnsupported (its
  // pixels), kOverloaded. After one of them there are no more frames: the same one again.
  virtual Result<std::optional<VideoFrame>> Next() = 0;
  // So far.
  virtual VideoCounts counts() const = 0;
  // From any thread or a signal handler: whatever waits for the source ends soon.
  virtual void Interrupt() noexcept = 0;

 protected:
  VideoReader() = default;
};

// Writes an H.264 MP4 (docs/video-output.md). A file that is not finished is removed. Bound to one thread.
class VideoWriter {
 public:
  struct Options {
    double fps = 30;                     // announced; the frames' timestamps are what counts
    std::filesystem::path audio_from{};  // its audio is copied; empty: none
    std::chrono::microseconds from{0};   // time of the first frame among those of `audio_from`
    int crf = 20;                        // of x264: 0 best .. 51
    std::string comment{};               // metadata; empty: none
  };

  virtual ~VideoWriter() = default;
  VideoWriter(const VideoWriter&) = delete;
  VideoWriter& operator=(const VideoWriter&) = delete;

  // The first frame gives the size, an odd side of which becomes one longer; one of another size is
  // fitted into it, on black. The file begins with the first frame, the others follow as far apart
  // as their timestamps are. One that does not come after the one before is moved to just after it;
  // a clock that was set goes on (media/av/output_clock.h). Errors: kUnavailable (it cannot be
  // written), kUnsupported and kLimitExceeded (no encoder for the size), kOverloaded, kInternal.
  // After one of them only the same one is returned.
  virtual Result<void> Write(const ImageView& image, std::chrono::microseconds timestamp) = 0;
  // Ends the file and puts it in its place. Errors: as of Write; kInvalidArgument without a frame.
  // REQUIRES: not called before.
  virtual Result<void> Finish() = 0;
  // Why the audio of `audio_from` is not in the file, or not to its end; empty: it is, or there is
  // none. Final after Finish.
  virtual std::string_view audio_note() const = 0;

 protected:
  VideoWriter() = default;
};

class VideoLibrary {
 public:
  virtual ~VideoLibrary() = default;
  // `source`: a file, an address, a device (/dev/video0), "-" for standard input, or frames
  // numbered as in "frame%04d.png". Errors: kNotFound, kUnavailable, kUnsupported, kCorruptData,
  // kTimeout, kLimitExceeded, kOverloaded.
  virtual Result<std::unique_ptr<VideoReader>> OpenReader(const std::string& source,
                                                          const VideoReader::Options& options) = 0;
  // Errors: kUnavailable, kUnsupported (no encoder).
  virtual Result<std::unique_ptr<VideoWriter>> OpenWriter(const std::filesystem::path& path,
                                                          const VideoWriter::Options& options) = 0;
  // Name and version of what does the work: "FFmpeg 5.1.9".
  virtual std::string version() const = 0;
};

// Loads it, once a process; it stays. Error kUnavailable: not installed, or FFmpeg is not.
Result<VideoLibrary*> LoadVideoLibrary();

}  // namespace holostat::media
