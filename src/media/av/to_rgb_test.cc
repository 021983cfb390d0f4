#include "media/av/to_rgb.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/heap_calls.h"

namespace holostat::media::av {
namespace {

FrameHandle Grey(int width, int height, AVPixelFormat format, int level) {
  FrameHandle frame(av_frame_alloc());
  frame->width = width;
  frame->height = height;
  frame->format = format;
  EXPECT_EQ(av_frame_get_buffer(frame.get(), 0), 0);
  std::memset(frame->data[0], level, static_cast<std::size_t>(frame->linesize[0] * height));
  for (const int plane : {1, 2}) {
    if (frame->data[plane] != nullptr)
      std::memset(frame->data[plane], 128,
                  static_cast<std::size_t>(frame->linesize[plane] * ((height + 1) / 2)));
  }
  return frame;
}

TEST(ToRgb, TheRangeIsThatOfTheFrame) {
  ToRgb to_rgb;
  const auto limited = Grey(32, 32, AV_PIX_FMT_YUV420P, 16);
  EXPECT_EQ(to_rgb.Convert(*limited, {}).value().data[0], 0);
  const auto full = Grey(32, 32, AV_PIX_FMT_YUV420P, 16);
  full->color_range = AVCOL_RANGE_JPEG;
  EXPECT_EQ(to_rgb.Convert(*full, {}).value().data[0], 16);
  const auto named_by_format = Grey(32, 32, AV_PIX_FMT_YUVJ420P, 16);
  EXPECT_EQ(to_rgb.Convert(*named_by_format, {}).value().data[0], 16);
}

TEST(ToRgb, EveryPixelOfEveryWidthIsWritten) {
  ToRgb to_rgb;
  for (int width = 1; width <= 70; ++width) {
    const auto frame = Grey(width, 6, AV_PIX_FMT_YUV420P, 235);
    const ImageView picture = to_rgb.Convert(*frame, {}).value();
    ASSERT_EQ(picture.width, width);
    for (int y = 0; y < 6; ++y) {
      for (int x = 0; x < 3 * width; ++x)
        ASSERT_EQ(picture.row(y)[x], 255) << width << ": " << x << "," << y;
    }
  }
}

TEST(ToRgb, FramesOfOneKindCostNoHeapCall) {
  ToRgb to_rgb;
  const auto frame = Grey(640, 480, AV_PIX_FMT_YUV420P, 90);
  const Turn turn{.transpose = true, .mirror_columns = true};
  ASSERT_TRUE(to_rgb.Convert(*frame, turn).has_value());
  const auto before = HeapCalls();
  for (int i = 0; i < 3; ++i) ASSERT_EQ(to_rgb.Convert(*frame, turn).value().width, 480);
  EXPECT_EQ(HeapCalls(), before);
}

TEST(ToRgb, PixelsThatCannotBeReadAreAnError) {
  ToRgb to_rgb;
  const auto frame = Grey(32, 32, AV_PIX_FMT_GRAY8, 0);
  frame->format = AV_PIX_FMT_VAAPI;
  EXPECT_EQ(to_rgb.Convert(*frame, {}).error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace holostat::media::av
