#include "app/source_face.h"

#include <fmt/format.h>

#include <chrono>

#include "app/say.h"

namespace holostat::app {
namespace {

struct Found {
  Image picture;
  Face face;
};

Result<Found> FindFace(const std::string& path, const PictureLimits& limits,
                       HolisticTracker& tracker) {
  Found found;
  found.picture = HOLO_TRY(ReadPicture(path, limits));
  const FrameResult frame =
      HOLO_TRY(tracker.Process(found.picture.view(), std::chrono::microseconds(0)));
  if (frame.people.empty() || !frame.people.front().face) {
    return Fail(ErrorCode::kUnsupported, fmt::format("{}: no face is to be seen", Printable(path)));
  }
  found.face = *frame.people.front().face;
  return found;
}

}  // namespace

Result<render::FaceTexture> ReadSourceFace(const std::vector<std::string>& pictures,
                                           const PictureLimits& limits, HolisticTracker& tracker) {
  std::vector<Found> found;
  found.reserve(pictures.size());
  for (const std::string& path : pictures)
    found.push_back(HOLO_TRY(FindFace(path, limits, tracker)));
  std::vector<render::FaceTexture::Source> sources;
  for (const Found& one : found) sources.push_back({one.picture.view(), &one.face});
  return render::FaceTexture::Make(sources);
}

}  // namespace holostat::app
