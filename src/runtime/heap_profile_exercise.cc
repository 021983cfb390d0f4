#include "runtime/heap_profile_exercise.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "runtime/heap_profile.h"
#include "runtime/heap_snapshot.h"

namespace holostat::runtime {
namespace {

bool MostFirst(const HeapProfile& profile) {
  return std::is_sorted(profile.sites.begin(), profile.sites.end(),
                        [](const HeapSite& a, const HeapSite& b) { return a.bytes > b.bytes; });
}

void ExerciseProfile(std::string_view text) {
  const auto profile = ParseHeapProfile(text);
  if (!profile) {
    HOLO_CHECK(profile.error().code == ErrorCode::kCorruptData);
    return;
  }
  HOLO_CHECK(profile->sample_bytes > 0 && MostFirst(*profile));
  for (const HeapSite& site : profile->sites) {
    HOLO_CHECK(std::isfinite(site.bytes) && site.bytes >= 1 && site.blocks >= 1);
    HOLO_CHECK(!site.stack.empty() && site.stack.size() <= 128);
  }
  const HeapProfile nothing;
  HOLO_CHECK(GrownSince(nothing, *profile).sites.size() == profile->sites.size());
  HOLO_CHECK(MostFirst(GrownSince(nothing, *profile)));
}

}  // namespace

void ExerciseHeapProfile(std::string_view bytes) {
  ExerciseProfile(bytes);
  const auto snapshot = ParseHeapSnapshot(bytes);
  if (!snapshot) {
    HOLO_CHECK(!snapshot.error().message.empty());
    return;
  }
  ExerciseProfile(snapshot->profile);
  const std::string text = FormatHeapSnapshot(*snapshot);
  const auto again = ParseHeapSnapshot(text);
  HOLO_CHECK(again && FormatHeapSnapshot(*again) == text);
  HOLO_CHECK(again->maps == snapshot->maps && again->profile == snapshot->profile);
}

}  // namespace holostat::runtime
