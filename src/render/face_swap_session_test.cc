#include "render/face_swap_session.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "base/heap_calls.h"
#include "render/mosaic.h"
#include "render/test_faces.h"

namespace holostat::render {
namespace {

using std::chrono::milliseconds;
using Outcome = FaceSwapSession::Outcome;

constexpr int kSide = 300;
const Color kLive{140, 120, 110};

class FaceSwapSessionTest : public testing::Test {
 protected:
  FaceSwapSessionTest() {
    const Image checked = Painted(kSide, [](float x, float y) {
      return (static_cast<int>(x * 40) + static_cast<int>(y * 40)) % 2 != 0 ? Color{90, 70, 60}
                                                                            : Color{200, 170, 150};
    });
    const FaceTexture::Source source{checked.view(), &*person_.face};
    texture_.emplace(*FaceTexture::Make({&source, 1}));
  }

  Outcome Show(FaceSwapSession& session, const Person* person, milliseconds at) {
    image_ = Plain(kSide, kLive);
    return session.Draw(*texture_, person, at, image_);
  }
  // How many pixels differ from the live picture.
  int Changed() const {
    const Image live = Plain(kSide, kLive);
    int count = 0;
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x)
        count += std::memcmp(image_.row(y) + 3 * x, live.row(y) + 3 * x, 3) != 0;
    }
    return count;
  }

  const Person person_ = WithFace(DomeFace(0.5f, 0.5f, 0.6f));
  std::optional<FaceTexture> texture_;
  Image image_;
};

TEST_F(FaceSwapSessionTest, HoldsALostFaceThenFadesToTheLivePicture) {
  FaceSwapSession session(
      {.on_loss = OnLoss::kHold, .hold = milliseconds(400), .fade = milliseconds(200)});
  EXPECT_EQ(Show(session, nullptr, milliseconds(0)), Outcome::kLive);
  EXPECT_EQ(Show(session, &person_, milliseconds(40)), Outcome::kSwapped);
  const int all = Changed();
  EXPECT_GT(all, 5000);
  EXPECT_EQ(Show(session, nullptr, milliseconds(300)), Outcome::kHeld);
  EXPECT_NEAR(Changed(), all, all / 20);
  EXPECT_EQ(Show(session, nullptr, milliseconds(620)), Outcome::kHeld);
  EXPECT_LT(Changed(), all);
  EXPECT_EQ(Show(session, nullptr, milliseconds(700)), Outcome::kLive);
  EXPECT_EQ(Changed(), 0);
  EXPECT_EQ(Show(session, &person_, milliseconds(740)), Outcome::kSwapped);
}

TEST_F(FaceSwapSessionTest, NeverShowsTheLiveFaceIfToldSo) {
  for (const OnLoss on_loss : {OnLoss::kBlur, OnLoss::kCard}) {
    FaceSwapSession session({.on_loss = on_loss, .hold = milliseconds(400)});
    image_ = Colourful(kSide);
    EXPECT_EQ(session.Draw(*texture_, nullptr, milliseconds(0), image_), Outcome::kHidden);
    const Image live = Colourful(kSide);
    int same = 0;
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x)
        same += std::memcmp(image_.row(y) + 3 * x, live.row(y) + 3 * x, 3) == 0;
    }
    EXPECT_LT(same, kSide * kSide / 20);
    EXPECT_EQ(Show(session, &person_, milliseconds(40)), Outcome::kSwapped);
    EXPECT_EQ(Show(session, nullptr, milliseconds(430)), Outcome::kHeld);
    EXPECT_EQ(Show(session, nullptr, milliseconds(500)), Outcome::kHidden);
  }
}

TEST_F(FaceSwapSessionTest, PassesTheLivePictureAtOnceIfToldSo) {
  FaceSwapSession session({.on_loss = OnLoss::kPassthrough});
  Show(session, &person_, milliseconds(0));
  EXPECT_EQ(Show(session, nullptr, milliseconds(40)), Outcome::kLive);
  EXPECT_EQ(Changed(), 0);
}

TEST_F(FaceSwapSessionTest, APersonWithoutAFaceIsALostOne) {
  FaceSwapSession session({.on_loss = OnLoss::kBlur});
  const Person faceless;
  EXPECT_EQ(Show(session, &faceless, milliseconds(0)), Outcome::kHidden);
}

TEST_F(FaceSwapSessionTest, IsSteadyThoughTheLandmarksTremble) {
  std::mt19937 random(1);
  std::normal_distribution<float> noise(0, 0.5f / kSide);
  const auto trembling = [&](bool steady) {
    FaceSwapSession session({.steady = steady});
    Image before;
    double moved = 0;
    for (int frame = 0; frame < 80; ++frame) {
      Person person = person_;
      for (Landmark& p : person.face->points) p = {p.x + noise(random), p.y + noise(random), p.z};
      Show(session, &person, milliseconds(33 * frame));
      if (frame > 60) {
        for (int y = 100; y < 200; ++y) {
          for (int x = 100; x < 200; ++x)
            moved += std::abs(image_.row(y)[3 * x] - before.row(y)[3 * x]);
        }
      }
      before = image_;
    }
    return moved;
  };
  EXPECT_LT(trembling(true), 0.4 * trembling(false));
}

TEST_F(FaceSwapSessionTest, TimeThatGoesBackBeginsAnew) {
  FaceSwapSession session({});
  EXPECT_EQ(Show(session, &person_, milliseconds(1000)), Outcome::kSwapped);
  EXPECT_EQ(Show(session, &person_, milliseconds(0)), Outcome::kSwapped);
  EXPECT_EQ(Show(session, nullptr, milliseconds(-5000)), Outcome::kLive);
}

TEST_F(FaceSwapSessionTest, MakesNoHeapCall) {
  FaceSwapSession session({.on_loss = OnLoss::kBlur});
  image_ = Plain(kSide, kLive);
  const auto before = HeapCalls();
  for (int i = 0; i < 40; ++i)
    session.Draw(*texture_, i % 10 < 5 ? &person_ : nullptr, milliseconds(200 * i), image_);
  EXPECT_EQ(HeapCalls() - before, 0u);
}

TEST(Mosaic, HasFewColoursAndThePicturesMean) {
  for (const int side : {1, 7, 300}) {
    Image image = Colourful(side);
    DrawMosaic(image);
    int changes = 0;
    for (int x = 1; x < side; ++x)
      changes += image.row(side / 2)[3 * x] != image.row(side / 2)[3 * x - 3];
    EXPECT_LE(changes, 24);
  }
}

}  // namespace
}  // namespace holostat::render
