#include "app/choose_person.h"

#include <gtest/gtest.h>

#include <vector>

namespace holostat::app {
namespace {

using Rule = PersonChoice::Rule;

Person Somebody(int id, float x, float size) {
  Person person;
  person.id = id;
  person.face.emplace();
  person.face->count = kFaceMeshCount;
  for (std::size_t i = 0; i < kFaceMeshCount; ++i) {
    const float share = static_cast<float>(i) / kFaceMeshCount - 0.5f;
    person.face->points[i] = {x + size * share, 0.5f + size * share, 0};
  }
  return person;
}

int Chosen(const std::vector<Person>& people, const PersonChoice& choice, int kept = 0) {
  const Person* person = ChoosePerson(people, choice, kept);
  return person == nullptr ? 0 : person->id;
}

TEST(ChoosePerson, ByItsRule) {
  const std::vector<Person> people{Somebody(1, 0.5f, 0.1f), Somebody(2, 0.2f, 0.2f),
                                   Somebody(3, 0.8f, 0.15f)};
  EXPECT_EQ(Chosen(people, {Rule::kLargest}), 2);
  EXPECT_EQ(Chosen(people, {Rule::kLeftmost}), 2);
  EXPECT_EQ(Chosen(people, {Rule::kRightmost}), 3);
  EXPECT_EQ(Chosen(people, {Rule::kId, 1}), 1);
  EXPECT_EQ(Chosen(people, {Rule::kId, 9}), 0);
}

TEST(ChoosePerson, StaysWithWhoWasMeant) {
  const std::vector<Person> people{Somebody(1, 0.5f, 0.1f), Somebody(2, 0.2f, 0.2f)};
  EXPECT_EQ(Chosen(people, {Rule::kLargest}, 1), 1);
  EXPECT_EQ(Chosen(people, {Rule::kLargest}, 7), 2) << "who has left is meant no more";
}

TEST(ChoosePerson, TakesNobodyWithoutAFace) {
  std::vector<Person> people{Somebody(1, 0.5f, 0.1f), Somebody(2, 0.2f, 0.2f)};
  people[1].face.reset();
  EXPECT_EQ(Chosen(people, {Rule::kLargest}), 1);
  EXPECT_EQ(Chosen(people, {Rule::kLargest}, 2), 0) << "it is lost, not somebody else";
  EXPECT_EQ(Chosen({}, {Rule::kLargest}), 0);
}

TEST(ParsePersonChoice, KnowsRulesAndIds) {
  EXPECT_EQ(ParsePersonChoice("leftmost")->rule, Rule::kLeftmost);
  EXPECT_EQ(ParsePersonChoice("3")->id, 3);
  for (const char* wrong : {"", "0", "-1", "1x", "tallest", "99999999999"})
    EXPECT_FALSE(ParsePersonChoice(wrong)) << wrong;
}

}  // namespace
}  // namespace holostat::app
