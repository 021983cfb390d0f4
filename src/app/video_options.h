#pragma once

#include <CLI/App.hpp>

#include "app/track_call.h"
#include "base/result.h"

namespace holostat::app {

// Adds --video, --from, --to, --every, --resume, --input-format and the deadlines to `parser`.
// `options` must outlive it.
void AddVideoOptions(CLI::App& parser, VideoCall& options);

}  // namespace holostat::app
