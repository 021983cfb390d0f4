#include "vision/golden_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "holostat/picture.h"
#include "vision/model_store.h"

namespace holostat::vision {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json ReadJson(const std::string& name) {
  std::ifstream in(MediaDir() / "golden" / (name + ".json"));
  return json::parse(in);
}

std::optional<GoldenPart> ToPart(const json& rows) {
  if (rows.is_null()) return std::nullopt;
  GoldenPart part;
  for (const json& row : rows) {
    GoldenPoint point{};
    for (std::size_t i = 0; i < std::min(point.size(), row.size()); ++i) {
      point[i] = row[i].get<float>();
    }
    part.push_back(point);
  }
  return part;
}

GoldenRun ToRun(const json& run) {
  GoldenRun out;
  for (Part part : kParts) {
    out[static_cast<std::size_t>(part)] = ToPart(run.at(PartName(part)));
  }
  return out;
}

template <class Points>
GoldenPart FromPoints(const Points& points) {
  GoldenPart part;
  for (const auto& p : points) part.push_back({p.x, p.y, p.z, 0});
  return part;
}

}  // namespace

fs::path ModelsDir() { return HOLOSTAT_MODELS_DIR; }
fs::path MediaDir() { return fs::path(HOLOSTAT_SOURCE_DIR) / ".." / "shared" / "media"; }

bool HaveModels() {
  const auto models = KnownModels();
  return std::all_of(models.begin(), models.end(),
                     [](const ModelInfo& info) { return fs::exists(ModelsDir() / info.file); });
}

bool HaveMedia() { return fs::exists(MediaDir() / "golden"); }

std::vector<std::string> GoldenPictures() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(MediaDir() / "golden")) {
    const fs::path file = entry.path();
    const std::string extension = file.stem().extension();
    if (file.extension() == ".json" && (extension == ".jpg" || extension == ".png")) {
      names.push_back(file.stem());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

Image ReadMedia(const std::string& name) {
  auto image = ReadPicture(MediaDir() / name);
  if (image) return std::move(*image);
  ADD_FAILURE() << image.error().message;
  return Image(1, 1);
}

std::unique_ptr<HolisticTracker> MakeTracker(HolisticTracker::Options options) {
  options.models_dir = ModelsDir();
  auto tracker = HolisticTracker::Create(options);
  if (tracker) return std::move(*tracker);
  ADD_FAILURE() << tracker.error().message;
  return nullptr;
}

const char* PartName(Part part) {
  constexpr std::array kNames = {"pose", "face", "leftHand", "rightHand"};
  return kNames[static_cast<std::size_t>(part)];
}

Golden ReadGolden(const std::string& name, const std::string& run) {
  const json document = ReadJson(name);
  Golden golden{name, document.at("width").get<int>(), document.at("height").get<int>(), {}, {}};
  for (const auto& [key, value] : document.at("runs").items()) {
    if (key == run) {
      golden.run = ToRun(value);
    } else if (!key.starts_with("tasks")) {
      golden.other_runs.push_back(ToRun(value));
    }
  }
  return golden;
}

std::optional<GoldenPart> ReadTasksPart(const std::string& name, const std::string& part) {
  return ToPart(ReadJson(name).at("runs").at("tasks_cpu").at(part));
}

GoldenRun ToGolden(const FrameResult& frame) {
  if (frame.people.empty()) return {};
  const Person& person = frame.people.front();
  GoldenPart pose;
  for (const PoseLandmark& p : person.pose_landmarks) pose.push_back({p.x, p.y, p.z, p.visibility});
  GoldenRun run{std::move(pose)};
  if (person.face) run[1] = FromPoints(person.face->landmarks());
  if (person.left_hand) run[2] = FromPoints(person.left_hand->landmarks);
  if (person.right_hand) run[3] = FromPoints(person.right_hand->landmarks);
  return run;
}

std::optional<double> DistancePercent(Part part, const GoldenPart& ours, const GoldenPart& golden,
                                      int width, int height) {
  constexpr float kVisible = 0.5f;
  if (ours.size() < golden.size()) return std::nullopt;
  double x_min = 1e30, x_max = -1e30, y_min = 1e30, y_max = -1e30, total = 0;
  int count = 0;
  for (std::size_t i = 0; i < golden.size(); ++i) {
    if (part == Part::kPose && !(golden[i][3] > kVisible)) continue;
    const double x = static_cast<double>(golden[i][0]) * width;
    const double y = static_cast<double>(golden[i][1]) * height;
    x_min = std::min(x_min, x);
    x_max = std::max(x_max, x);
    y_min = std::min(y_min, y);
    y_max = std::max(y_max, y);
    total += std::hypot(static_cast<double>(ours[i][0]) * width - x,
                        static_cast<double>(ours[i][1]) * height - y);
    ++count;
  }
  if (count == 0) return std::nullopt;
  return 100 * total / count / std::max(x_max - x_min, y_max - y_min);
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

}  // namespace holostat::vision
