#include "app/memory_plot.h"

#include <expat.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <string>

#include "app/plot_scale.h"

namespace holostat::app {
namespace {

using runtime::EndCause;
using runtime::MemorySeries;

struct Document {
  std::string error;
  std::map<std::string, int> classes;  // how often each class is used
  std::string text;                    // all of it, a line an element
};

Document Parse(const std::string& xml) {
  Document document;
  const std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser(XML_ParserCreate(nullptr),
                                                                       XML_ParserFree);
  XML_SetUserData(parser.get(), &document);
  XML_SetElementHandler(
      parser.get(),
      [](void* user, const XML_Char*, const XML_Char** attributes) {
        for (; *attributes != nullptr; attributes += 2) {
          if (std::string(attributes[0]) != "class") continue;
          ++static_cast<Document*>(user)->classes[attributes[1]];
        }
      },
      [](void* user, const XML_Char*) { static_cast<Document*>(user)->text += "\n"; });
  XML_SetCharacterDataHandler(parser.get(), [](void* user, const XML_Char* text, int length) {
    static_cast<Document*>(user)->text.append(text, static_cast<std::size_t>(length));
  });
  if (XML_Parse(parser.get(), xml.data(), static_cast<int>(xml.size()), 1) != XML_STATUS_OK) {
    document.error = XML_ErrorString(XML_GetErrorCode(parser.get()));
  }
  return document;
}

bool Says(const Document& document, std::string_view part) {
  return document.text.find(part) != std::string::npos;
}

constexpr std::uint64_t kMB = 1 << 20;

// Two workers at a time, which leak and end by all causes in turn.
MemorySeries Example(std::uint32_t lives) {
  MemorySeries series;
  double t = 0;
  for (std::uint32_t life = 0; life < lives; ++life) {
    for (int i = 0; i < 40; ++i, t += 0.1) {
      const auto leaked = static_cast<std::uint64_t>(i) * kMB / 4;
      series.AddProcess(t, "supervisor", 0, 4 * kMB);
      series.AddProcess(t, "zygote", 0, 6 * kMB);
      series.AddProcess(t, "worker", 2 * life, 9 * kMB + leaked);
      series.AddProcess(t, "worker", 2 * life + 1, 10 * kMB);
      series.AddService(t, 110 * kMB + leaked);
    }
    const auto cause = static_cast<EndCause>(1 + life % runtime::kEndCauses);
    series.EndProcess(t, "worker", 2 * life, cause);
    series.EndProcess(t, "worker", 2 * life + 1, EndCause::kRecycled);
  }
  return series;
}

// `HOLOSTAT_PLOT_OUT=plot.svg memory_plot_test` leaves the picture to be looked at.
void KeepIfAsked(const std::string& svg) {
  if (const char* path = std::getenv("HOLOSTAT_PLOT_OUT")) std::ofstream(path) << svg;
}

TEST(MemoryPlot, DrawsEveryProcessTheServiceAndItsBudget) {
  const std::string svg =
      MemoryPlotSvg(Example(14), {.title = "Soak", .note = "2 workers", .budget_bytes = 180 * kMB});
  KeepIfAsked(svg);
  const Document document = Parse(svg);
  EXPECT_EQ(document.error, "");
  EXPECT_EQ(document.classes.at("pss"), 2) << "the line, and its sample in the legend";
  EXPECT_EQ(document.classes.at("budget"), 2);
  EXPECT_EQ(document.classes.at("line"), 2 + 28 + 5) << "lives, and samples in the legend";
  for (const char* part : {"Soak",
                           "2 workers",
                           "service PSS",
                           "peak 119.8 MB",
                           "budget",
                           "180.0 MB",
                           "supervisor",
                           "zygote",
                           "worker",
                           "Service, PSS of all processes (MB)",
                           "Each process, USS (private memory) (MB)",
                           "time since the start (s)",
                           "16 recycled",
                           "2 crashed",
                           "2 hung",
                           "2 over budget",
                           "2 leak",
                           "2 garbage",
                           "2 stopped",
                           "worker 4: crashed at 0:00:11, 18.8 MB"}) {
    EXPECT_TRUE(Says(document, part)) << part;
  }
  EXPECT_FALSE(Says(document, "is drawn"));
}

TEST(MemoryPlot, SaysWhenItLeavesProcessesOut) {
  const Document document = Parse(MemoryPlotSvg(Example(1000), {}));
  EXPECT_EQ(document.error, "");
  EXPECT_TRUE(Says(document, "1 of 32 is drawn"));
  EXPECT_TRUE(Says(document, "1143 recycled")) << "ends are counted all";
  EXPECT_TRUE(Says(document, "time since the start (min)"));
}

TEST(MemoryPlot, IsBoundedInSize) {
  MemorySeries series;
  for (int i = 0; i < 100'000; ++i) {
    for (std::uint32_t id = 0; id < 10; ++id) series.AddProcess(i, "worker", id, kMB);
    series.AddService(i, 100 * kMB);
  }
  for (std::uint32_t id = 10; id < 2000; ++id) {
    series.AddProcess(100'000, "worker", id, kMB);
    series.EndProcess(100'000, "worker", id, EndCause::kCrashed);
  }
  EXPECT_LT(MemoryPlotSvg(series, {}).size(), 600'000u);
}

TEST(MemoryPlot, IsWellFormedWithNothingToShow) {
  EXPECT_EQ(Parse(MemoryPlotSvg(MemorySeries(), {})).error, "");
  MemorySeries one;
  one.AddProcess(0, "worker", 1, 0);
  one.AddService(0, 0);
  EXPECT_EQ(Parse(MemoryPlotSvg(one, {})).error, "");
}

TEST(MemoryPlot, TakesAnyTextAndAnyNumber) {
  MemorySeries series;
  series.AddProcess(0, "<b>&\"\x01\xff", 1, std::numeric_limits<std::uint64_t>::max());
  series.AddService(1e12, std::numeric_limits<std::uint64_t>::max());
  const std::string svg =
      MemoryPlotSvg(series, {.title = "<script>\xc3", .note = "a & b", .budget_bytes = 1});
  EXPECT_EQ(Parse(svg).error, "");
  EXPECT_EQ(svg.find("<script>"), svg.npos);
  EXPECT_EQ(svg.find("nan"), svg.npos);
  EXPECT_EQ(svg.find("inf"), svg.npos);
}

TEST(MemoryPlot, NeedsNothingFromElsewhereAndHasBothBackgrounds) {
  const std::string svg = MemoryPlotSvg(Example(2), {});
  EXPECT_NE(svg.find("prefers-color-scheme:dark"), svg.npos);
  EXPECT_NE(svg.find("class=\"back\""), svg.npos);
  for (const char* link : {"href", "url(", "@import"}) EXPECT_EQ(svg.find(link), svg.npos);
}

TEST(PlotScale, HasAFewRoundTicks) {
  for (double span = 1e-3; span < 1e6; span *= 1.07) {
    const double count = span / NiceStep(span);
    EXPECT_GE(count, 2.9) << span;
    EXPECT_LE(count, 8.0) << span;
  }
  EXPECT_EQ(NiceStep(10), 2);
  EXPECT_EQ(NiceStep(180), 50);
}

TEST(PlotScale, ChoosesUnitsOfWhichThereAreSeveral) {
  EXPECT_EQ(TimeAxis(90).unit, "s");
  EXPECT_EQ(TimeAxis(600).unit, "min");
  EXPECT_EQ(TimeAxis(7 * 86400.0).unit, "d");
  const Axis bytes = BytesAxis(119.8 * 1024 * 1024);
  EXPECT_EQ(bytes.unit, "MB");
  EXPECT_EQ(bytes.Label(bytes.Ticks().back()), "120");
  EXPECT_EQ(bytes.top, bytes.Ticks().back());
  EXPECT_GT(BytesAxis(std::nan("")).top, 0);
}

}  // namespace
}  // namespace holostat::app
