// Prints where the nose and the index finger tips of the person in a picture are.
//   track_picture MODELS_DIR PICTURE
#include <chrono>
#include <cstdio>

#include "holostat/holistic_tracker.h"
#include "holostat/picture.h"

namespace {

constexpr std::size_t kNose = 0;
constexpr std::size_t kIndexFingerTip = 8;

int Fail(const holostat::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

void Print(const char* name, float x, float y, const holostat::FrameResult& frame) {
  std::printf("%s at %.0f,%.0f\n", name, static_cast<double>(x) * frame.width,
              static_cast<double>(y) * frame.height);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: track_picture MODELS_DIR PICTURE\n");
    return 2;
  }
  const auto picture = holostat::ReadPicture(argv[2]);
  if (!picture) return Fail(picture.error());
  const auto tracker = holostat::HolisticTracker::Create({.models_dir = argv[1]});
  if (!tracker) return Fail(tracker.error());
  const auto frame = (*tracker)->Process(picture->view(), std::chrono::microseconds(0));
  if (!frame) return Fail(frame.error());

  std::printf("%zu person(s)\n", frame->people.size());
  for (const holostat::Person& person : frame->people) {
    Print("nose", person.pose_landmarks[kNose].x, person.pose_landmarks[kNose].y, *frame);
    for (const auto& [name, hand] : {std::pair{"left index finger", person.left_hand},
                                     {"right index finger", person.right_hand}}) {
      if (hand)
        Print(name, hand->landmarks[kIndexFingerTip].x, hand->landmarks[kIndexFingerTip].y, *frame);
    }
  }
  return 0;
}
