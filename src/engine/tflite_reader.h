#pragma once

#include <cstdint>
#include <span>

#include "base/result.h"
#include "engine/graph.h"

namespace holostat::engine {

// Parses a .tflite file into a graph that is safe to execute: every index in range, every shape and
// constant of the size its operator needs, every operator and variant of it one we know, shapes of
// results equal to what the operator computes. Constants are borrowed from `file`, which must
// outlive the graph.
//
// Errors: kCorruptData (does not verify, or contradicts itself), kUnsupported (an operator, type or
// option we do not execute), kLimitExceeded (absurd sizes). Any bytes are safe to pass.
Result<Graph> ReadTflite(std::span<const std::uint8_t> file);

}  // namespace holostat::engine
