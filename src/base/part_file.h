#pragma once

#include <filesystem>
#include <memory>
#include <utility>

#include "base/result.h"

namespace holostat {

// A file that comes into being whole or not at all: written under a name beside its own, which
// Commit gives it. A file that is replaced keeps its permissions; through a symbolic link the file
// it names is replaced. A device or a pipe is written to directly.
class PartFile {
 public:
  // Makes the folders it lies in. Error: kUnavailable, with the system's reason.
  static Result<std::unique_ptr<PartFile>> Create(const std::filesystem::path& path);
  // Removes what was not committed.
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  int fd() const { return fd_; }
  // Whether it has a place of its own, and can be sought in: no device, no pipe.
  bool is_regular() const { return !part_.empty(); }
  const std::filesystem::path& path() const { return path_; }

  // Closes the file and puts it in its place. Errors: kUnavailable. REQUIRES: not called before.
  Result<void> Commit();

 private:
  PartFile(std::filesystem::path path, std::filesystem::path target, std::filesystem::path part,
           int fd)
      : path_(std::move(path)), target_(std::move(target)), part_(std::move(part)), fd_(fd) {}

  std::filesystem::path path_;    // as it was asked for
  std::filesystem::path target_;  // what that names in the end
  std::filesystem::path part_;    // the name until then; empty: written directly, or committed
  int fd_;                        // -1: closed. No UniqueFd, for what closing says is of interest
};

}  // namespace holostat
