#pragma once

#include <string>
#include <vector>

#include "app/choose_person.h"
#include "app/track_call.h"
#include "app/tracker_options.h"
#include "holostat/picture.h"
#include "render/face_swap_session.h"
#include "render/label.h"

namespace holostat::app {

// What `holostat swap` was called with.
struct SwapCall {
  std::vector<std::string> faces;
  std::string input, output;
  TrackerOptions tracker;
  PictureLimits limits;
  VideoCall video;
  render::FaceSwapSession::Options session;
  render::LabelOptions label;
  std::string label_text = "FACE ALTERED";
  PersonChoice person;
  bool no_label = false;
  bool acknowledged = false;
  bool quiet = false;
};

// Kept in every file that is written.
inline constexpr std::string_view kSwapComment = "The face in this was altered with Holostat.";

}  // namespace holostat::app
