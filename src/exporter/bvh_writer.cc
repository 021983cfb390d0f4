#include "exporter/bvh_writer.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "exporter/signals_json.h"
#include "vision/signals.h"

namespace holostat::exporter {
namespace {

constexpr char kAxisNames[] = "XYZ";

// After which another person is followed instead.
constexpr double kLostAfter = 1;  // s

template <class... Args>
void Format(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

// The same width whatever the lengths are.
void WriteOffset(const vision::Vec3& multiple, double length, std::string_view indent,
                 std::string& out) {
  Format(out, "{}OFFSET {:9.5f} {:9.5f} {:9.5f}\n", indent, multiple.x * length,
         multiple.y * length, multiple.z * length);
}

void WriteChannels(const BvhJoint& joint, std::string_view indent, std::string& out) {
  const bool is_root = joint.parent < 0;
  Format(out, "{}CHANNELS {}", indent, is_root ? "6 Xposition Yposition Zposition" : "3");
  for (const std::uint8_t axis : joint.order) Format(out, " {}rotation", kAxisNames[axis]);
  out += '\n';
}

// Writes joint `at` and all below it; gives the joint after them.
std::size_t WriteJoint(std::size_t at, std::size_t depth, const Lengths& lengths,
                       std::string& out) {
  const BvhJoint& joint = kBvhJoints[at];
  const auto length = [&](Length which) { return lengths[static_cast<std::size_t>(which)]; };
  const std::string outer(2 * depth, ' '), inner(2 * depth + 2, ' ');
  Format(out, "{}{} {}\n{}{{\n", outer, joint.parent < 0 ? "ROOT" : "JOINT", joint.name, outer);
  WriteOffset(joint.offset, length(joint.length), inner, out);
  WriteChannels(joint, inner, out);
  std::size_t next = at + 1;
  if (vision::Length(joint.end) > 0) {
    Format(out, "{}End Site\n{}{{\n", inner, inner);
    WriteOffset(joint.end, length(joint.end_length), inner + "  ", out);
    Format(out, "{}}}\n", inner);
  }
  while (next < kBvhJointCount && kBvhJoints[next].parent == static_cast<int>(at)) {
    next = WriteJoint(next, depth + 1, lengths, out);
  }
  Format(out, "{}}}\n", outer);
  return next;
}

}  // namespace

std::string BvhWriter::Head() const {
  std::string out = "HIERARCHY\n";
  WriteJoint(0, 0, lengths_.Get(), out);
  Format(out, "MOTION\nFrames: {:>12}\nFrame Time: {:.8f}\n", lines_, 1 / fps_);
  return out;
}

std::string BvhWriter::FaceHead() const {
  return fmt::format(R"({{"schema":"holostat.face/1","frame_time_s":{:.8f},"frames":[)", 1 / fps_);
}

void BvhWriter::Add(const FrameResult& frame, std::string& motion, std::string& face) {
  const FrameTicks::Ticks ticks = ticks_.Add(frame.timestamp);
  std::optional<vision::Signals> signals;
  const bool was_seen = id_.has_value();
  if (const Person* person = Choose(frame)) {
    signals = vision::SignalsOf(*person, frame.width, frame.height);
    lengths_.Add(*person);
    poser_.Add(*person, *signals, frame.width, frame.height, frame.timestamp);
    if (!was_seen) last_ = poser_.pose();  // not swung into from the T-pose
  }
  for (std::uint64_t i = 0; i < ticks.count; ++i) {
    WriteMotion(Between(last_, poser_.pose(), ticks.At(i)), motion);
    WriteFace(signals, face);
  }
  last_ = poser_.pose();
}

// The first one seen, as long as they are; another one when they are gone for a second.
const Person* BvhWriter::Choose(const FrameResult& frame) {
  const Person* chosen = nullptr;
  for (const Person& person : frame.people) {
    if (id_ == person.id) chosen = &person;
  }
  const double absent_s = SecondsBetween(last_seen_, frame.timestamp);
  const bool is_lost = !id_ || absent_s < 0 || absent_s > kLostAfter;
  if (!chosen && is_lost && !frame.people.empty()) chosen = &frame.people.front();
  if (!chosen) return nullptr;
  id_ = chosen->id;
  last_seen_ = frame.timestamp;
  return chosen;
}

void BvhWriter::WriteMotion(const BvhPose& pose, std::string& out) {
  Format(out, "{:.5f} {:.5f} {:.5f}", pose.root.x, pose.root.y, pose.root.z);
  for (std::size_t i = 0; i < kBvhJointCount; ++i) {
    angles_[i] = EulerNear(pose.joints[i], kBvhJoints[i].order, angles_[i]);
    Format(out, " {:.4f} {:.4f} {:.4f}", angles_[i][0], angles_[i][1], angles_[i][2]);
  }
  out += '\n';
  ++lines_;
}

void BvhWriter::WriteFace(const std::optional<vision::Signals>& signals, std::string& out) {
  out += face_lines_++ == 0 ? "\n{" : ",\n{";
  AppendFaceSignals(signals ? signals->head : std::nullopt, signals ? signals->face : std::nullopt,
                    out);
  out += '}';
}

}  // namespace holostat::exporter
