#pragma once

#include <optional>
#include <string>

#include "vision/signals.h"

namespace holostat::exporter {

// Signals as JSON text, added to the end of a string; the schema is docs/frame.schema.json's
// "signals". Numbers have four decimals, rotations five. Make no heap call while the capacity of
// `out` lasts.

// The object.
void AppendSignals(const vision::Signals& signals, std::string& out);
// Its members "head" and "face" without braces.
void AppendFaceSignals(const std::optional<vision::HeadPose>& head,
                       const std::optional<vision::FaceSignals>& face, std::string& out);

}  // namespace holostat::exporter
