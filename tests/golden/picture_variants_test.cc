// One picture in every form a camera or editor may store it: the landmarks must not notice.

#include <gtest/gtest.h>
#include <jpeglib.h>
#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "holostat/holistic_tracker.h"
#include "holostat/picture.h"
#include "media/encode.h"

namespace holostat {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Named tolerances, in pixels of the picture.
constexpr double kSamePixels = 0.0;          // lossless forms decode to the same pixels
constexpr double kRecompressedPixels = 0.5;  // compressed again: another loss, which the models see
constexpr double kGreyPixels = 3.0;          // without colour the models see something else

// Body points less visible are the model's guesses about what is outside the picture.
constexpr float kVisible = 0.5f;

// The landmarks of the person, x and y in pixels.
std::vector<std::array<double, 2>> Points(const FrameResult& frame) {
  std::vector<std::array<double, 2>> points;
  const auto add = [&](const auto& landmarks) {
    for (const auto& p : landmarks)
      points.push_back({double{p.x} * frame.width, double{p.y} * frame.height});
  };
  for (const Person& person : frame.people) {
    for (const PoseLandmark& p : person.pose_landmarks) {
      if (p.visibility > kVisible) add(std::array{Landmark{p.x, p.y, p.z}});
    }
    if (person.face) add(person.face->landmarks());
    if (person.left_hand) add(person.left_hand->landmarks);
    if (person.right_hand) add(person.right_hand->landmarks);
  }
  return points;
}

double MeanDistance(const std::vector<std::array<double, 2>>& a,
                    const std::vector<std::array<double, 2>>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += std::hypot(a[i][0] - b[i][0], a[i][1] - b[i][1]);
  return sum / static_cast<double>(a.size());
}

class PictureVariants : public ::testing::Test {
 protected:
  void SetUp() override {
    auto tracker = HolisticTracker::Create({.models_dir = HOLOSTAT_MODELS_DIR});
    if (!tracker) GTEST_SKIP() << tracker.error().message << " (./dev setup fetches the models)";
    tracker_ = *std::move(tracker);
    auto picture =
        ReadPicture(std::filesystem::path(HOLOSTAT_SOURCE_DIR) / "assets/demo/upper-hands-up.jpg");
    ASSERT_TRUE(picture) << picture.error().message;
    picture_ = *std::move(picture);
    upright_ = PointsOf(picture_);
    ASSERT_GT(upright_.size(), 478u + 21u + 21u);
  }

  std::vector<std::array<double, 2>> PointsOf(const Image& image) {
    const auto frame = tracker_->Process(image.view(), std::chrono::microseconds(0));
    EXPECT_TRUE(frame);
    return Points(*frame);
  }

  void ExpectNear(const Bytes& file, const std::vector<std::array<double, 2>>& expected,
                  double pixels) {
    const auto image = DecodePicture(file);
    ASSERT_TRUE(image) << image.error().message;
    EXPECT_EQ(image->width(), picture_.width());
    EXPECT_EQ(image->height(), picture_.height());
    const auto points = PointsOf(*image);
    ASSERT_EQ(points.size(), expected.size());
    EXPECT_LE(MeanDistance(points, expected), pixels);
  }

  std::unique_ptr<HolisticTracker> tracker_;
  Image picture_;
  std::vector<std::array<double, 2>> upright_;
};

// The stored picture for which `orientation` says how to bring it upright (EXIF 2.3, tag 0x0112):
// upright pixel (x, y) lies at stored position (row, column) as the tag's definition gives them.
Image Store(const Image& upright, int orientation) {
  const bool swapped = orientation >= 5;
  const int w = upright.width(), h = upright.height();
  Image stored(swapped ? h : w, swapped ? w : h);
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      const bool mirror_x =
          orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
      const bool mirror_y =
          orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
      const int u = mirror_x ? w - 1 - x : x;
      const int v = mirror_y ? h - 1 - y : y;
      std::uint8_t* to = swapped ? stored.row(u) + 3 * v : stored.row(v) + 3 * u;
      std::memcpy(to, upright.row(y) + 3 * x, 3);
    }
  }
  return stored;
}

// A TIFF header and one directory with only the orientation, as EXIF stores it.
constexpr std::array<std::uint8_t, 26> Tiff(int orientation) {
  return {'M',  'M',  0, 42, 0, 0, 0, 8, 0, 1,
          0x01, 0x12, 0, 3,  0, 0, 0, 1, 0, static_cast<std::uint8_t>(orientation),
          0,    0,    0, 0,  0, 0};
}

// Behind the start-of-image marker.
Bytes JpegWithOrientation(Bytes jpeg, int orientation) {
  Bytes segment{0xFF, 0xE1, 0, 34, 'E', 'x', 'i', 'f', 0, 0};
  const auto tiff = Tiff(orientation);
  segment.insert(segment.end(), tiff.begin(), tiff.end());
  jpeg.insert(jpeg.begin() + 2, segment.begin(), segment.end());
  return jpeg;
}

// Behind the header chunk.
Bytes PngWithOrientation(Bytes png, int orientation) {
  constexpr std::ptrdiff_t kBehindHeader = 8 + 25;
  Bytes chunk{0, 0, 0, 26, 'e', 'X', 'I', 'f'};
  const auto tiff = Tiff(orientation);
  chunk.insert(chunk.end(), tiff.begin(), tiff.end());
  const auto crc = crc32(0, chunk.data() + 4, static_cast<uInt>(chunk.size() - 4));
  for (int shift = 24; shift >= 0; shift -= 8)
    chunk.push_back(static_cast<std::uint8_t>(crc >> shift));
  png.insert(png.begin() + kBehindHeader, chunk.begin(), chunk.end());
  return png;
}

TEST_F(PictureVariants, EveryExifOrientationOfAPngGivesTheSameLandmarks) {
  for (int orientation = 1; orientation <= 8; ++orientation) {
    SCOPED_TRACE(orientation);
    const auto png = media::EncodePng(Store(picture_, orientation).view());
    ASSERT_TRUE(png);
    ExpectNear(PngWithOrientation(Bytes(png->begin(), png->end()), orientation), upright_,
               kSamePixels);
  }
}

TEST_F(PictureVariants, EveryExifOrientationOfAJpegGivesTheUprightLandmarks) {
  for (int orientation = 1; orientation <= 8; ++orientation) {
    SCOPED_TRACE(orientation);
    const auto jpeg = media::EncodeJpeg(Store(picture_, orientation).view(), 100);
    ASSERT_TRUE(jpeg);
    ExpectNear(JpegWithOrientation(Bytes(jpeg->begin(), jpeg->end()), orientation), upright_,
               kRecompressedPixels);
  }
}

struct PngForm {
  int color_type = PNG_COLOR_TYPE_RGB;
  int bit_depth = 8;
  std::size_t row_bytes = 0;
  std::function<void(const std::uint8_t* rgb, std::uint8_t* row, int width)> fill;
  std::vector<png_color> palette;
};

Bytes EncodePngForm(const Image& image, const PngForm& form) {
  Bytes file;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(
      png, &file,
      [](png_structp p, png_bytep data, std::size_t size) {
        auto& out = *static_cast<Bytes*>(png_get_io_ptr(p));
        out.insert(out.end(), data, data + size);
      },
      nullptr);
  png_set_IHDR(png, info, static_cast<png_uint_32>(image.width()),
               static_cast<png_uint_32>(image.height()), form.bit_depth, form.color_type,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (!form.palette.empty())
    png_set_PLTE(png, info, form.palette.data(), static_cast<int>(form.palette.size()));
  png_write_info(png, info);
  Bytes row(form.row_bytes);
  for (int y = 0; y < image.height(); ++y) {
    form.fill(image.row(y), row.data(), image.width());
    png_write_row(png, row.data());
  }
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return file;
}

TEST_F(PictureVariants, AlphaIsIgnored) {
  const PngForm rgba{.color_type = PNG_COLOR_TYPE_RGBA,
                     .bit_depth = 8,
                     .row_bytes = static_cast<std::size_t>(picture_.width()) * 4,
                     .fill =
                         [](const std::uint8_t* rgb, std::uint8_t* row, int width) {
                           for (int x = 0; x < width; ++x) {
                             std::memcpy(row + 4 * x, rgb + 3 * x, 3);
                             row[4 * x + 3] = static_cast<std::uint8_t>(x % 256);
                           }
                         },
                     .palette = {}};
  ExpectNear(EncodePngForm(picture_, rgba), upright_, kSamePixels);
}

TEST_F(PictureVariants, SixteenBitsAreScaledToEight) {
  const PngForm deep{.color_type = PNG_COLOR_TYPE_RGB,
                     .bit_depth = 16,
                     .row_bytes = static_cast<std::size_t>(picture_.width()) * 6,
                     .fill =
                         [](const std::uint8_t* rgb, std::uint8_t* row, int width) {
                           for (int i = 0; i < 3 * width; ++i) row[2 * i] = row[2 * i + 1] = rgb[i];
                         },
                     .palette = {}};
  ExpectNear(EncodePngForm(picture_, deep), upright_, kSamePixels);
}

TEST_F(PictureVariants, APaletteIsLookedUp) {
  // Six levels a channel: compared with the same coarse colours stored as RGB.
  constexpr int kLevels = 6, kStep = 51;
  const auto level = [](std::uint8_t v) { return (v + kStep / 2) / kStep; };
  Image coarse(picture_.width(), picture_.height());
  for (int y = 0; y < picture_.height(); ++y) {
    std::transform(picture_.row(y), picture_.row(y) + 3 * picture_.width(), coarse.row(y),
                   [&](std::uint8_t v) { return static_cast<std::uint8_t>(level(v) * kStep); });
  }
  PngForm indexed{.color_type = PNG_COLOR_TYPE_PALETTE,
                  .bit_depth = 8,
                  .row_bytes = static_cast<std::size_t>(picture_.width()),
                  .fill =
                      [&](const std::uint8_t* rgb, std::uint8_t* row, int width) {
                        for (int x = 0; x < width; ++x) {
                          row[x] = static_cast<std::uint8_t>(
                              (level(rgb[3 * x]) * kLevels + level(rgb[3 * x + 1])) * kLevels +
                              level(rgb[3 * x + 2]));
                        }
                      },
                  .palette = {}};
  for (int i = 0; i < kLevels * kLevels * kLevels; ++i) {
    const auto value = [&](int l) { return static_cast<png_byte>(l * kStep); };
    indexed.palette.push_back(
        {value(i / (kLevels * kLevels)), value(i / kLevels % kLevels), value(i % kLevels)});
  }
  ExpectNear(EncodePngForm(coarse, indexed), PointsOf(coarse), kSamePixels);
}

TEST_F(PictureVariants, GreyKeepsTheLandmarksNear) {
  const PngForm grey{.color_type = PNG_COLOR_TYPE_GRAY,
                     .bit_depth = 8,
                     .row_bytes = static_cast<std::size_t>(picture_.width()),
                     .fill =
                         [](const std::uint8_t* rgb, std::uint8_t* row, int width) {
                           for (int x = 0; x < width; ++x) {  // luma of ITU-R BT.601
                             const double luma = 0.299 * rgb[3 * x] + 0.587 * rgb[3 * x + 1] +
                                                 0.114 * rgb[3 * x + 2];
                             row[x] = static_cast<std::uint8_t>(std::lround(luma));
                           }
                         },
                     .palette = {}};
  ExpectNear(EncodePngForm(picture_, grey), upright_, kGreyPixels);
}

// A four-channel JPEG. As Adobe's programs write it, the channels are stored inverted.
Bytes EncodeCmyk(const Image& image) {
  jpeg_compress_struct jpeg{};
  jpeg_error_mgr errors{};
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_compress(&jpeg);
  unsigned char* data = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&jpeg, &data, &size);
  jpeg.image_width = static_cast<JDIMENSION>(image.width());
  jpeg.image_height = static_cast<JDIMENSION>(image.height());
  jpeg.input_components = 4;
  jpeg.in_color_space = JCS_CMYK;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, 97, TRUE);
  jpeg.write_Adobe_marker = TRUE;
  jpeg_start_compress(&jpeg, TRUE);
  Bytes row(static_cast<std::size_t>(image.width()) * 4);
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      std::memcpy(&row[static_cast<std::size_t>(x) * 4], image.row(y) + 3 * x, 3);
      row[static_cast<std::size_t>(x) * 4 + 3] = 255;  // no black, inverted
    }
    JSAMPROW pointer = row.data();
    jpeg_write_scanlines(&jpeg, &pointer, 1);
  }
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  Bytes file(data, data + size);
  std::free(data);
  return file;
}

TEST_F(PictureVariants, CmykIsConverted) {
  ExpectNear(EncodeCmyk(picture_), upright_, kRecompressedPixels);
}

}  // namespace
}  // namespace holostat
