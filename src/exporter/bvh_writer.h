#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "exporter/bvh_pose.h"
#include "exporter/bvh_skeleton.h"
#include "exporter/euler.h"
#include "exporter/frame_ticks.h"
#include "holostat/frame_result.h"

namespace holostat::exporter {

// The motion of one person as BVH, frame by frame, and beside it what the face does
// (docs/formats.md, "BVH"). Lengths and the number of frames are known at the end only: the head is
// written again then, over the first one. It has the same length always. Memory does not depend on
// the number of frames. Makes no heap call while the capacity of its strings lasts. Bound to one
// thread.
class BvhWriter {
 public:
  // `fps`: of the file, constant.
  explicit BvhWriter(double fps) : fps_(fps), ticks_(fps) {}

  // Text for the start of the file, as far as it is known so far.
  std::string Head() const;
  // Adds the lines of the ticks that this frame brings to `motion`, and a line each to `face`.
  void Add(const FrameResult& frame, std::string& motion, std::string& face);

  std::string FaceHead() const;
  static constexpr std::string_view kFaceTail = "\n]}\n";

 private:
  const Person* Choose(const FrameResult& frame);
  void WriteMotion(const BvhPose& pose, std::string& out);
  void WriteFace(const std::optional<vision::Signals>& signals, std::string& out);

  double fps_;
  FrameTicks ticks_;
  BvhPoser poser_;
  BvhPose last_;
  BoneLengths lengths_;
  std::array<EulerAngles, kBvhJointCount> angles_{};  // of the last line
  std::uint64_t lines_ = 0, face_lines_ = 0;
  std::optional<int> id_;                   // of the person who is followed
  std::chrono::microseconds last_seen_{0};  // when
};

}  // namespace holostat::exporter
