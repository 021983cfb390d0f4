#pragma once

#include <filesystem>
#include <memory>

#include "engine/workspace.h"

namespace holostat::vision {

// What the models of one tracker have in common.
struct ModelSource {
  std::filesystem::path dir;                     // where the files lie
  std::shared_ptr<engine::Workspace> workspace;  // of all of them: they run in turn
};

}  // namespace holostat::vision
