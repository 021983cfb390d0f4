#include "exporter/signals_json.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>
#include <utility>

namespace holostat::exporter {
namespace {

using vision::EyeSignals;
using vision::FaceSignals;
using vision::HeadPose;

template <class... Args>
void Format(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

void WriteHead(const HeadPose& head, std::string& out) {
  Format(out, R"({{"yaw":{:.4f},"pitch":{:.4f},"roll":{:.4f},"matrix":[)", head.yaw_deg,
         head.pitch_deg, head.roll_deg);
  for (std::size_t i = 0; i < head.matrix.size(); ++i)
    Format(out, "{}{:.5f}", i == 0 ? "" : ",", head.matrix[i]);
  out += "]}";
}

void WriteEye(std::string_view side, const EyeSignals& eye, std::string& out) {
  Format(out, R"("{}_eye_openness":{:.4f},"{}_brow":{:.4f},"{}_gaze":)", side, eye.openness, side,
         eye.brow, side);
  if (eye.gaze) {
    Format(out, "[{:.4f},{:.4f}]", eye.gaze->yaw_deg, eye.gaze->pitch_deg);
  } else {
    out += "null";
  }
}

void WriteFace(const FaceSignals& face, std::string& out) {
  out += '{';
  WriteEye("left", face.left, out);
  out += ',';
  WriteEye("right", face.right, out);
  Format(out, R"(,"mouth_openness":{:.4f}}})", face.mouth_openness);
}

void WriteJoints(const vision::JointAngles& joints, std::string& out) {
  for (std::size_t i = 0; i < joints.size(); ++i) {
    Format(out, R"({}"{}":)", i == 0 ? "" : ",", vision::kJointNames[i]);
    if (joints[i]) {
      Format(out, "{:.4f}", *joints[i]);
    } else {
      out += "null";
    }
  }
}

void WriteBones(const vision::BoneRotations& bones, std::string& out) {
  for (std::size_t i = 0; i < bones.size(); ++i) {
    Format(out, R"({}"{}":)", i == 0 ? "" : ",", vision::kBoneNames[i]);
    if (bones[i]) {
      Format(out, "[{:.5f},{:.5f},{:.5f},{:.5f}]", bones[i]->x, bones[i]->y, bones[i]->z,
             bones[i]->w);
    } else {
      out += "null";
    }
  }
}

}  // namespace

void AppendSignals(const vision::Signals& signals, std::string& out) {
  out += '{';
  AppendFaceSignals(signals.head, signals.face, out);
  out += R"(,"joint_angles":{)";
  WriteJoints(signals.joints, out);
  out += R"(},"bones":{)";
  WriteBones(signals.bones, out);
  out += "}}";
}

void AppendFaceSignals(const std::optional<HeadPose>& head, const std::optional<FaceSignals>& face,
                       std::string& out) {
  out += R"("head":)";
  if (head) {
    WriteHead(*head, out);
  } else {
    out += "null";
  }
  out += R"(,"face":)";
  if (face) {
    WriteFace(*face, out);
  } else {
    out += "null";
  }
}

}  // namespace holostat::exporter
