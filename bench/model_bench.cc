// Time and private memory of each model, alone in a process of its own.
//   model_bench MODELS_DIR
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "base/process_memory.h"
#include "base/result.h"
#include "engine/session.h"
#include "vision/model_store.h"

namespace holostat {
namespace {

constexpr int kRuns = 50;

struct Case {
  const vision::ModelInfo& model;
  std::string_view note;
  std::vector<std::size_t> outputs;  // empty: all
};

double RunOnce(engine::Session& session) {
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < session.input_count(); ++i) {
    std::fill(session.input(i).begin(), session.input(i).end(), 0.5f);
  }
  const bool ok = session.Run().has_value();
  const std::chrono::duration<double, std::milli> elapsed =
      std::chrono::steady_clock::now() - start;
  return ok ? elapsed.count() : -1;
}

Result<void> Measure(const std::filesystem::path& dir, const Case& it) {
  std::unique_ptr<engine::Session> session;
  {
    const auto file = HOLO_TRY(vision::ReadModel(dir, it.model.id));
    session = HOLO_TRY(engine::Session::Create(file, {.outputs = it.outputs}));
  }
  std::vector<double> ms;
  for (int i = 0; i < kRuns; ++i) ms.push_back(RunOnce(*session));
  std::sort(ms.begin(), ms.end());
  const ProcessMemory memory = HOLO_TRY(ReadProcessMemory());
  fmt::print("{:<24} {:<8} {:>8.2f} {:>8.2f} {:>9.1f} {:>9.2f}\n", it.model.name, it.note,
             ms.front(), ms[ms.size() / 2], static_cast<double>(memory.uss_bytes) / 1e6,
             static_cast<double>(session->arena_bytes()) / 1e6);
  return {};
}

// In a child, so that nothing of one model is counted for the next.
bool MeasureInChild(const std::filesystem::path& dir, const Case& it) {
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto measured = Measure(dir, it);
    if (!measured) fmt::print(stderr, "{}: {}\n", it.model.name, measured.error().message);
    std::fflush(stdout);
    ::_exit(measured ? 0 : 1);
  }
  int status = 0;
  return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
}

int Main(const std::filesystem::path& dir) {
  fmt::print("{:<24} {:<8} {:>8} {:>8} {:>9} {:>9}\n", "model", "", "min ms", "med ms", "USS MB",
             "arena MB");
  bool ok = true;
  for (const vision::ModelInfo& model : vision::KnownModels()) {
    ok &= MeasureInChild(dir, {model, "", {}});
    if (model.name.starts_with("pose_landmark")) {
      ok &= MeasureInChild(dir, {model, "no mask", {0, 1, 3, 4}});  // output 2 is the mask
    }
  }
  return ok ? 0 : 1;
}

}  // namespace
}  // namespace holostat

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: model_bench MODELS_DIR\n");
    return 2;
  }
  return holostat::Main(argv[1]);
}
