#include "server/routes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/http_stats.h"

namespace holostat::server {
namespace {

TEST(Routes, GiveEachParameterAValue) {
  const auto parameters = ReadParameters(*FindRoute("/v1/track"), "complexity=lite&refine_face=0");
  ASSERT_TRUE(parameters);
  EXPECT_EQ(parameters->at("complexity"), "lite");
  EXPECT_EQ(parameters->at("refine_face"), "false");
  EXPECT_EQ(parameters->at("format"), "json");
}

TEST(Routes, NameTheParameterThatIsWrong) {
  const auto refusal = [](std::string_view query) {
    const auto parameters = ReadParameters(*FindRoute("/v1/track"), query);
    return parameters ? "" : parameters.error().detail;
  };
  EXPECT_THAT(refusal("format=tiff"), testing::HasSubstr("format is one of json"));
  EXPECT_THAT(refusal("colour=red"), testing::HasSubstr("no parameter colour"));
  EXPECT_THAT(refusal("people=1&people=1"), testing::HasSubstr("people is given twice"));
  for (const char* query : {"people=-1", "people=0", "people=9"})
    EXPECT_THAT(refusal(query), testing::HasSubstr("people"));
  EXPECT_EQ(refusal("people=8"), "");
  EXPECT_THAT(refusal("format=%6Asox"), testing::HasSubstr("not jsox"));
  EXPECT_THAT(refusal("format=%6"), testing::HasSubstr("%"));
}

TEST(Routes, HavePlaceInTheStatistics) {
  EXPECT_LT(StatsIndex(Endpoint::kNone), HttpStats::kMaxRoutes);
  EXPECT_EQ(StatsName(StatsIndex(Endpoint::kTrack)), "/v1/track");
  EXPECT_NE(StatsIndex(Endpoint::kFile), StatsIndex(Endpoint::kNone));
}

}  // namespace
}  // namespace holostat::server
