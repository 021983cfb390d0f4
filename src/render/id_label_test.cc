#include "render/id_label.h"

#include <gtest/gtest.h>

#include <limits>

#include "render/test_people.h"

namespace holostat::render {
namespace {

Person WithId(int id) {
  Person person = BodyPerson();
  person.id = id;
  return person;
}

TEST(IdLabel, HasTheStrokesOfItsDigits) {
  EXPECT_EQ(IdLabel(WithId(1), 1000, 1000).segments().size(), 2u);
  EXPECT_EQ(IdLabel(WithId(8), 1000, 1000).segments().size(), 7u);
  EXPECT_EQ(IdLabel(WithId(17), 1000, 1000).segments().size(), 2u + 3u);
  EXPECT_EQ(IdLabel(WithId(std::numeric_limits<int>::max()), 1000, 1000).segments().size(),
            5u + 2 + 4 + 3 + 4 + 7 + 5 + 6 + 4 + 3)
      << "2147483647";
}

TEST(IdLabel, StandsAboveTheHeadAndInThePicture) {
  const IdLabel label(WithId(2), 1000, 1000);
  for (const Segment& s : label.segments()) {
    EXPECT_GT(s.from.x, 480);
    EXPECT_LT(s.to.x, 520);
    EXPECT_LT(s.to.y, 100);
    EXPECT_GT(s.from.y, 0);
  }
  Person high = WithId(2);
  for (PoseLandmark& p : high.pose_landmarks) p.y -= 0.2f;
  const IdLabel in_picture(high, 1000, 1000);
  for (const Segment& s : in_picture.segments()) EXPECT_GT(s.from.y, 0);
}

TEST(IdLabel, OfAHeadThatIsNowhereIsNone) {
  for (const float odd : {std::numeric_limits<float>::quiet_NaN(),
                          std::numeric_limits<float>::infinity(), 1e30f, -5.0f}) {
    Person person = WithId(2);
    person.pose_landmarks[3].x = odd * 30;
    EXPECT_TRUE(IdLabel(person, 1000, 1000).segments().empty()) << odd;
  }
  Person person = WithId(2);
  person.pose_landmarks[3].y = -std::numeric_limits<float>::infinity();
  EXPECT_TRUE(IdLabel(person, 1000, 1000).segments().empty());
}

}  // namespace
}  // namespace holostat::render
