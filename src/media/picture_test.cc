// What holds for every format: recognition, limits before memory, damage, files.
#include "holostat/picture.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/process_memory.h"
#include "base/test_dir.h"
#include "media/test_pictures.h"

namespace holostat {
namespace {

namespace fs = std::filesystem;
namespace test = media::test;
using test::Bytes;

struct Sample {
  std::string name;
  Bytes file;
};

// One file of each way a decoder takes.
std::vector<Sample> Samples() {
  const Image smooth = test::SmoothPicture(61, 43);
  const Image grey = test::GreyPicture(61, 43);
  using test::JpegColor;
  using test::JpegScans;
  Bytes chunks = test::Vp8xChunk(0x02, 61, 43);
  test::Append(chunks, test::RiffChunk("ANIM", Bytes(6)));
  test::Append(chunks, test::AnmfChunk(0, 0, 61, 43, test::ChunksOf(test::MakeLossyWebp(smooth))));
  Bytes exif = test::BytesOf(std::string_view("Exif\0\0", 6));
  test::Append(exif, test::ExifBlock(6, true));
  return {
      {"jpeg", test::MakeJpeg(smooth)},
      {"jpeg exif", test::WithApp1(test::MakeJpeg(smooth), exif)},
      {"jpeg grey", test::MakeJpeg(grey, JpegColor::kGrey)},
      {"jpeg ycck", test::MakeJpeg(smooth, JpegColor::kYcckAdobe)},
      {"jpeg progressive", test::MakeJpeg(smooth, JpegColor::kYcc, JpegScans::kProgressive)},
      {"jpeg arithmetic", test::MakeJpeg(smooth, JpegColor::kYcc, JpegScans::kArithmetic)},
      {"png", test::MakeRgbPng(smooth)},
      {"png exif", test::MakeRgbPng(smooth, test::PngChunk("eXIf", test::ExifBlock(5, false)))},
      {"png interlaced",
       test::MakePng({.width = 61,
                      .height = 43,
                      .interlaced = true,
                      .sample = [&](int x, int y, int c) { return smooth.row(y)[x * 3 + c]; }})},
      {"webp lossless", test::MakeLosslessWebp(smooth)},
      {"webp lossy", test::MakeLossyWebp(smooth)},
      {"webp alpha", test::MakeAlphaWebp(smooth, false)},
      {"webp animated", test::RiffFile(chunks)},
      {"gif", test::MakeGif({.canvas_width = 61, .canvas_height = 43, .width = 61, .height = 43})},
      {"gif interlaced", test::MakeGif({.canvas_width = 61,
                                        .canvas_height = 43,
                                        .width = 61,
                                        .height = 43,
                                        .transparent = 3,
                                        .interlaced = true,
                                        .frames = 2})},
  };
}

ErrorCode CodeOf(const Bytes& file, const PictureLimits& limits = {}) {
  const auto image = DecodePicture(file, limits);
  return image ? ErrorCode{} : image.error().code;
}

// How much more memory was ever resident after `action` than before it.
template <class Action>
std::uint64_t PeakGrowth(const Action& action) {
  const auto before = ReadProcessMemory();
  action();
  const auto after = ReadProcessMemory();
  EXPECT_TRUE(before && after);
  return after->peak_rss_bytes - before->peak_rss_bytes;
}

// Far below any picture these tests refuse, far above what a codec's tables take.
constexpr std::uint64_t kLittleMemory = 16u << 20;

void PutBigEndian(Bytes& bytes, std::size_t at, std::uint32_t value, int size) {
  for (int k = 0; k < size; ++k)
    bytes[at + static_cast<std::size_t>(k)] =
        static_cast<std::uint8_t>(value >> (8 * (size - 1 - k)));
}

Bytes PngClaiming(std::uint32_t width, std::uint32_t height) {
  const Bytes png = test::MakeRgbPng(test::SmoothPicture(8, 8));
  Bytes header(png.begin() + 16, png.begin() + 29);
  PutBigEndian(header, 0, width, 4);
  PutBigEndian(header, 4, height, 4);
  Bytes file(png.begin(), png.begin() + 8);
  test::Append(file, test::PngChunk("IHDR", header));
  file.insert(file.end(), png.begin() + 33, png.end());
  return file;
}

Bytes JpegClaiming(std::uint32_t width, std::uint32_t height, test::JpegScans scans) {
  Bytes file = test::MakeJpeg(test::SmoothPicture(8, 8), test::JpegColor::kYcc, scans);
  const std::size_t frame =
      test::FindMarker(file, scans == test::JpegScans::kProgressive ? 0xC2 : 0xC0);
  PutBigEndian(file, frame + 5, height, 2);
  PutBigEndian(file, frame + 7, width, 2);
  return file;
}

Bytes GifClaiming(std::uint32_t width, std::uint32_t height) {
  Bytes file = test::MakeGif({.canvas_width = 8, .canvas_height = 8, .width = 8, .height = 8});
  PutBigEndian(file, 6, (width & 0xFF) << 8 | width >> 8, 2);
  PutBigEndian(file, 8, (height & 0xFF) << 8 | height >> 8, 2);
  return file;
}

Bytes WebpClaiming(int width, int height) {
  Bytes chunks = test::Vp8xChunk(0x02, width, height);
  test::Append(chunks, test::RiffChunk("ANIM", Bytes(6)));
  test::Append(chunks,
               test::AnmfChunk(0, 0, 8, 8,
                               test::ChunksOf(test::MakeLosslessWebp(test::SmoothPicture(8, 8)))));
  return test::RiffFile(chunks);
}

TEST(DecodePicture, NamesWhatItSupportsWhenItKnowsNothing) {
  for (const char* text :
       {"BM and more bytes of a bitmap", "plain text", "%PDF-1.7", "RIFF....AVI "}) {
    const auto image = DecodePicture(test::BytesOf(text));
    ASSERT_FALSE(image);
    EXPECT_EQ(image.error().code, ErrorCode::kUnsupported) << text;
    for (const char* name : {"JPEG", "PNG", "WebP", "GIF"})
      EXPECT_NE(image.error().message.find(name), std::string::npos);
  }
}

TEST(DecodePicture, NothingAndTheBeginningOfASignatureAreCorrupt) {
  EXPECT_EQ(CodeOf({}), ErrorCode::kCorruptData);
  for (const Sample& sample : Samples())
    for (const std::size_t size : {1u, 2u})
      EXPECT_EQ(CodeOf(Bytes(sample.file.begin(),
                             sample.file.begin() + static_cast<std::ptrdiff_t>(size))),
                ErrorCode::kCorruptData)
          << sample.name;
}

TEST(DecodePicture, LimitsCountPixelsAndBytesExactly) {
  for (const Sample& sample : Samples()) {
    EXPECT_TRUE(DecodePicture(sample.file, {sample.file.size(), 61 * 43})) << sample.name;
    EXPECT_EQ(CodeOf(sample.file, {sample.file.size(), 61 * 43 - 1}), ErrorCode::kLimitExceeded)
        << sample.name;
    EXPECT_EQ(CodeOf(sample.file, {sample.file.size() - 1, 61 * 43}), ErrorCode::kLimitExceeded)
        << sample.name;
  }
}

TEST(DecodePicture, RefusesHugePicturesFromTheirHeaders) {
  const auto growth = PeakGrowth([] {
    EXPECT_EQ(CodeOf(PngClaiming(30'000, 30'000)), ErrorCode::kLimitExceeded);
    EXPECT_EQ(CodeOf(JpegClaiming(30'000, 30'000, test::JpegScans::kSequential)),
              ErrorCode::kLimitExceeded);
    EXPECT_EQ(CodeOf(JpegClaiming(30'000, 30'000, test::JpegScans::kProgressive)),
              ErrorCode::kLimitExceeded);
    EXPECT_EQ(CodeOf(GifClaiming(30'000, 30'000)), ErrorCode::kLimitExceeded);
    EXPECT_EQ(CodeOf(WebpClaiming(30'000, 30'000)), ErrorCode::kLimitExceeded);
  });
  EXPECT_LT(growth, kLittleMemory);
}

TEST(DecodePicture, SpendsNoMemoryOnPixelsThatCannotBeInTheFile) {
  const auto growth = PeakGrowth([] {
    EXPECT_EQ(CodeOf(PngClaiming(8000, 7900)), ErrorCode::kCorruptData);
    EXPECT_EQ(CodeOf(JpegClaiming(8000, 7900, test::JpegScans::kSequential)),
              ErrorCode::kCorruptData);
    EXPECT_EQ(CodeOf(JpegClaiming(8000, 7900, test::JpegScans::kProgressive)),
              ErrorCode::kCorruptData);
  });
  EXPECT_LT(growth, kLittleMemory);
}

TEST(DecodePicture, RefusesSidesOver65535) {
  constexpr PictureLimits kNoPixelLimit{.max_pixels = ~std::size_t{0}};
  EXPECT_EQ(CodeOf(PngClaiming(65'536, 1), kNoPixelLimit), ErrorCode::kLimitExceeded);
  EXPECT_EQ(CodeOf(PngClaiming(1, 65'536), kNoPixelLimit), ErrorCode::kLimitExceeded);
  EXPECT_EQ(CodeOf(PngClaiming(~0u, ~0u), kNoPixelLimit), ErrorCode::kLimitExceeded);
  EXPECT_EQ(CodeOf(JpegClaiming(65'535, 8, test::JpegScans::kSequential), kNoPixelLimit),
            ErrorCode::kLimitExceeded);
  EXPECT_EQ(CodeOf(WebpClaiming(65'536, 8), kNoPixelLimit), ErrorCode::kLimitExceeded);
}

TEST(DecodePicture, ReadsTheSmallestAndTheMostElongatedPictures) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 10'000}, {10'000, 1}, {2, 1}}) {
    const Image picture = test::SmoothPicture(width, height);
    for (const Bytes& file :
         {test::MakeRgbPng(picture), test::MakeJpeg(picture), test::MakeLosslessWebp(picture),
          test::MakeGif({.canvas_width = width,
          .canvas_height = height,
          .width = width,
          .height = height})}) {
      const auto image = DecodePicture(file);
      ASSERT_TRUE(image) << image.error().message;
      EXPECT_EQ(image->width(), width);
      EXPECT_EQ(image->height(), height);
    }
  }
}

TEST(DecodePicture, ATruncatedFileIsAnErrorOrTheRightPicture) {
  for (const Sample& sample : Samples()) {
    const auto whole = DecodePicture(sample.file);
    ASSERT_TRUE(whole) << sample.name << ": " << whole.error().message;
    for (std::size_t part = 0; part < 32; ++part) {
      const Bytes file(
          sample.file.begin(),
          sample.file.begin() + static_cast<std::ptrdiff_t>(sample.file.size() * part / 32));
      const auto image = DecodePicture(file);
      if (image) {
        EXPECT_EQ(test::LargestDifference(*image, *whole), 0) << sample.name << " " << part;
      } else {
        EXPECT_EQ(image.error().code, ErrorCode::kCorruptData)
            << sample.name << " " << part << ": " << image.error().message;
      }
    }
  }
}

TEST(DecodePicture, ATruncatedJpegPngOrWebpIsAnErrorAtEveryByte) {
  for (const Sample& sample : Samples()) {
    if (sample.name.starts_with("gif")) continue;  // complete once its first frame is
    for (std::size_t size = 0; size < sample.file.size(); ++size)
      ASSERT_EQ(CodeOf(Bytes(sample.file.begin(),
                             sample.file.begin() + static_cast<std::ptrdiff_t>(size))),
                ErrorCode::kCorruptData)
          << sample.name << " cut at " << size << " of " << sample.file.size();
  }
}

TEST(DecodePicture, FlippedBitsGiveAPictureWithinLimitsOrAnError) {
  constexpr PictureLimits kLimits{.max_pixels = 1'000'000};
  std::mt19937 random(7);
  for (const Sample& sample : Samples()) {
    for (int round = 0; round < 400; ++round) {
      Bytes file = sample.file;
      for (int flips = 1 + round % 4; flips > 0; --flips)
        file[random() % file.size()] ^= static_cast<std::uint8_t>(1u << random() % 8);
      const auto image = DecodePicture(file, kLimits);
      if (image) {
        EXPECT_LE(
            static_cast<std::size_t>(image->width()) * static_cast<std::size_t>(image->height()),
            kLimits.max_pixels);
      } else {
        EXPECT_FALSE(image.error().message.empty());
      }
    }
  }
}

TEST(DecodePicture, PrintsNothingWhateverItReads) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  std::mt19937 random(8);
  for (const Sample& sample : Samples()) {
    for (int round = 0; round < 50; ++round) {
      Bytes file = sample.file;
      file[random() % file.size()] ^= static_cast<std::uint8_t>(1 + random() % 255);
      if (round % 2 == 1) file.resize(random() % file.size());
      static_cast<void>(DecodePicture(file));
    }
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(DecodePicture, LeaksNothingWhenItFails) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "AddressSanitizer keeps freed memory, and finds leaks by itself";
#endif
  // Every kind of failure many times over: what one of them kept would show in the peak.
  const auto fail_all = [] {
    for (const Sample& sample : Samples())
      for (std::size_t part = 1; part < 32; part += 3)
        static_cast<void>(DecodePicture({sample.file.data(), sample.file.size() * part / 32}));
  };
  fail_all();
  const auto growth = PeakGrowth([&] {
    for (int round = 0; round < 100; ++round) fail_all();
  });
  EXPECT_LT(growth, 8u << 20);
}

// Exits with 0 when every file of a large picture is refused for want of memory.
[[noreturn]] void DecodeWithoutMemory(const std::vector<Bytes>& files) {
  const rlimit limit{128u << 20, 128u << 20};
  if (::setrlimit(RLIMIT_AS, &limit) != 0) std::_Exit(2);
  for (const Bytes& file : files)
    if (CodeOf(file) != ErrorCode::kOverloaded) std::_Exit(1);
  std::_Exit(0);
}

TEST(DecodePicture, SaysSoWhenThereIsNoMemory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need more address space than this test leaves";
#endif
  std::vector<Bytes> files;
  {
    const Image picture(7000, 7000);
    files = {test::MakeRgbPng(picture), test::MakeJpeg(picture)};
  }
  EXPECT_EXIT(DecodeWithoutMemory(files), testing::ExitedWithCode(0), "");
}

// Exits with 0 when `file` is decoded or refused for want of memory, refused at least once, while
// there is little memory beside its picture of `bytes`.
[[noreturn]] void DecodeWithLittleMemory(const Bytes& file, rlim_t bytes) {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t enough = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + bytes;
  bool is_refused = false;
  for (rlim_t more = 0; more <= 512u << 10; more += 16u << 10) {
    const rlimit limit{enough + more, RLIM_INFINITY};
    if (::setrlimit(RLIMIT_AS, &limit) != 0) std::_Exit(2);
    const auto image = DecodePicture(file);
    if (!image && image.error().code != ErrorCode::kOverloaded) std::_Exit(1);
    is_refused = is_refused || !image;
  }
  std::_Exit(is_refused ? 0 : 3);
}

TEST(DecodePicture, DoesNotTakeWantOfMemoryForDamage) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need more address space than this test leaves";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a fresh heap,
  ::mallopt(M_MMAP_THRESHOLD, 4096);  // in which nothing large is kept when it is freed
  // Wide, so that what the libraries hold beside the picture is much as well.
  const Image picture(60'000, 20);
  const rlim_t bytes = 60'000 * 20 * 3;
  for (const Bytes& file :
       {test::MakeRgbPng(picture), test::MakeJpeg(picture),
        test::MakeJpeg(picture, test::JpegColor::kYcc, test::JpegScans::kProgressive)})
    EXPECT_EXIT(DecodeWithLittleMemory(file, bytes), testing::ExitedWithCode(0), "");
}

TEST(DecodePicture, SurvivesWhatFuzzingFound) {
  const fs::path corpus = fs::path(HOLOSTAT_SOURCE_DIR) / "fuzz/corpus/picture";
  int count = 0;
  for (const auto& entry : fs::directory_iterator(corpus)) {
    std::ifstream stream(entry.path(), std::ios::binary);
    const Bytes file(std::istreambuf_iterator<char>(stream), {});
    const auto image = DecodePicture(file, {.max_bytes = 1u << 20, .max_pixels = 1u << 20});
    if (image) {
      EXPECT_LE(image->width() * image->height(), 1 << 20) << entry.path();
    }
    ++count;
  }
  EXPECT_GT(count, 0);
}

fs::path Write(const TestDir& dir, const std::string& name, const Bytes& bytes) {
  return dir.Write(name, std::string(bytes.begin(), bytes.end()));
}

TEST(ReadPicture, DecodesAFileWhateverItsName) {
  const TestDir dir;
  const Image picture = test::SmoothPicture(20, 10);
  const auto image = ReadPicture(Write(dir, "picture.txt", test::MakeRgbPng(picture)));
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_EQ(test::LargestDifference(*image, picture), 0);
}

TEST(ReadPicture, SaysWhichFileIsMissingUnreadableOrDamaged) {
  const TestDir dir;
  const auto expect = [](const Result<Image>& image, ErrorCode code, const fs::path& path) {
    ASSERT_FALSE(image);
    EXPECT_EQ(image.error().code, code) << image.error().message;
    EXPECT_NE(image.error().message.find(path.filename().string()), std::string::npos)
        << image.error().message;
  };
  expect(ReadPicture(dir / "missing.png"), ErrorCode::kNotFound, "missing.png");
  expect(ReadPicture(dir.path()), ErrorCode::kUnavailable, dir.path());
  const fs::path fifo = dir / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  expect(ReadPicture(fifo), ErrorCode::kUnavailable, fifo);
  expect(ReadPicture(Write(dir, "empty.png", {})), ErrorCode::kCorruptData, "empty.png");
  expect(ReadPicture(Write(dir, "text.png", test::BytesOf("no picture"))), ErrorCode::kUnsupported,
         "text.png");
  expect(ReadPicture(Write(dir, "big.png", Bytes(2000)), {.max_bytes = 1999}),
         ErrorCode::kLimitExceeded, "big.png");
}

TEST(ReadPicture, SurvivesAFileThatIsCutMeanwhile) {
  const TestDir dir;
  const Image picture = test::SmoothPicture(600, 400);
  const Bytes whole = test::MakeRgbPng(picture);
  const fs::path path = Write(dir, "picture.png", whole);
  std::atomic<bool> done = false;
  std::thread writer([&] {
    while (!done) {
      fs::resize_file(path, 100);
      Write(dir, "picture.png", whole);
    }
  });
  for (int round = 0; round < 300; ++round) {
    const auto image = ReadPicture(path);
    if (!image) {
      EXPECT_EQ(image.error().code, ErrorCode::kCorruptData) << image.error().message;
    }
  }
  done = true;
  writer.join();
}

}  // namespace
}  // namespace holostat
