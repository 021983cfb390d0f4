#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <string>

#include "holostat/holistic_tracker.h"

namespace holostat::app {

// The options that say how to track, the same for every command that does.
struct TrackerOptions {
  std::string models_dir;  // --models; empty: search
  HolisticTracker::Options tracker;
};

// Adds --models, --complexity, --refine-face, --segmentation, --people and the confidences to
// `parser`.
// `options` must outlive it.
void AddTrackerOptions(CLI::App& parser, TrackerOptions& options);

// Finds the models and loads them.
Result<std::unique_ptr<HolisticTracker>> CreateTracker(const TrackerOptions& options);

}  // namespace holostat::app
