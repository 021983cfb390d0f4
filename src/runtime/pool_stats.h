#pragma once

#include "base/latency_histogram.h"
#include "runtime/service_status.h"

namespace holostat::runtime {

// What a pool counts: fixed memory, for ever.
struct PoolStats {
  Totals totals;
  LatencyHistogram latency;   // admission to answer, of answered requests
  LatencyHistogram recovery;  // death of a worker to its successor being ready
  // The same to the successor's first answer, without the inference of that answer and without the
  // time it stood idle for want of a request.
  LatencyHistogram first_answer;
};

}  // namespace holostat::runtime
