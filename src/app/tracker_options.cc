#include "app/tracker_options.h"

#include <CLI/CLI.hpp>
#include <map>

#include "app/models_dir.h"
#include "base/result.h"

namespace holostat::app {

void AddTrackerOptions(CLI::App& parser, TrackerOptions& options) {
  const std::map<std::string, Complexity> complexities{
      {"lite", Complexity::kLite}, {"full", Complexity::kFull}, {"heavy", Complexity::kHeavy}};
  parser
      .add_option("--models", options.models_dir,
                  "Folder of the model files (see: holostat models)")
      ->type_name("DIR");
  parser
      .add_option_function<std::string>(
          "--complexity",
          [&options, complexities](const std::string& name) {
            options.tracker.complexity = complexities.at(name);
          },
          "Body model: lite (fastest), full (default) or heavy (most accurate)")
      ->type_name("NAME")
      ->check(CLI::IsMember(complexities));
  parser.add_flag("--refine-face,!--no-refine-face", options.tracker.refine_face,
                  "478 face points with irises (default), or 468 and faster");
  parser.add_flag("--segmentation", options.tracker.segmentation,
                  "Also find the silhouette of the body");
  parser
      .add_option("--people", options.tracker.people,
                  "Track up to N people, each with an id (default 1, at most 8)")
      ->type_name("N")
      ->check(CLI::Range(1, kMaxPeople));
  const std::map<std::string, Sampling> samplings{{"centres", Sampling::kPixelCentres},
                                                  {"opencv", Sampling::kOpenCv}};
  parser
      .add_option_function<std::string>(
          "--sampling",
          [&options, samplings](const std::string& name) {
            options.tracker.sampling = samplings.at(name);
          },
          "Resampling of pixels: centres (default), or opencv as MediaPipe on a CPU does")
      ->type_name("NAME")
      ->check(CLI::IsMember(samplings));
  parser
      .add_option("--min-detection-confidence", options.tracker.min_detection_confidence,
                  "A body detected with less certainty is ignored (default 0.5)")
      ->type_name("0..1")
      ->check(CLI::Range(0.0, 1.0));
  parser
      .add_option("--min-tracking-confidence", options.tracker.min_tracking_confidence,
                  "Body landmarks of less certainty are ignored (default 0.5)")
      ->type_name("0..1")
      ->check(CLI::Range(0.0, 1.0));
}

Result<std::unique_ptr<HolisticTracker>> CreateTracker(const TrackerOptions& options) {
  HolisticTracker::Options tracker = options.tracker;
  tracker.models_dir = HOLO_TRY(LocateModels(options.models_dir));
  return HolisticTracker::Create(tracker);
}

}  // namespace holostat::app
