#pragma once

// Test support: the shared pictures and what the peer found in them. Not part of the product.

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "holostat/holistic_tracker.h"
#include "holostat/image.h"

namespace holostat::vision {

std::filesystem::path ModelsDir();
std::filesystem::path MediaDir();
bool HaveModels();
bool HaveMedia();

// The still pictures of the media folder that have a golden file, by name.
std::vector<std::string> GoldenPictures();

Image ReadMedia(const std::string& name);

// Fails the test and gives null when it does not work.
std::unique_ptr<HolisticTracker> MakeTracker(HolisticTracker::Options options);

using GoldenPoint = std::array<float, 4>;  // x, y, z, and for the body its visibility
using GoldenPart = std::vector<GoldenPoint>;

enum class Part { kPose = 0, kFace, kLeftHand, kRightHand };
inline constexpr std::array kParts = {Part::kPose, Part::kFace, Part::kLeftHand, Part::kRightHand};
const char* PartName(Part part);  // as in the golden files

// What one run of the peer found in a picture.
using GoldenRun = std::array<std::optional<GoldenPart>, kParts.size()>;

struct Golden {
  std::string name;
  int width = 0, height = 0;
  GoldenRun run;                      // the one asked for
  std::vector<GoldenRun> other_runs;  // of the same package
};
Golden ReadGolden(const std::string& name, const std::string& run);

// A part of run "tasks_cpu" that only exists there, such as "leftHandWorld".
std::optional<GoldenPart> ReadTasksPart(const std::string& name, const std::string& part);

// Our result in the same form.
GoldenRun ToGolden(const FrameResult& frame);

// Mean distance of the points of a part in % of the longer side of the golden part's box, in
// pixels; body points count when the golden ones are visible. Nothing when none counts.
std::optional<double> DistancePercent(Part part, const GoldenPart& ours, const GoldenPart& golden,
                                      int width, int height);

double Median(std::vector<double> values);

}  // namespace holostat::vision
