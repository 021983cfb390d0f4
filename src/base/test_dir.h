#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include "base/check.h"

namespace holostat {

// A new, empty folder of one test, deleted with all in it: tests of two checkouts that run at once
// never meet. Only for tests.
class TestDir {
 public:
  TestDir() {
    std::string name = (std::filesystem::path(::testing::TempDir()) / "holostat_XXXXXX").string();
    HOLO_CHECK(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  TestDir(const TestDir&) = delete;
  TestDir& operator=(const TestDir&) = delete;
  ~TestDir() {
    std::error_code ignored;  // a folder left behind is no reason to fail
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::filesystem::path& name) const { return path_ / name; }

  // Creates or replaces a file in it and gives its path.
  std::filesystem::path Write(const std::filesystem::path& name, std::string_view contents) const {
    std::ofstream file(path_ / name, std::ios::binary);
    file << contents;
    HOLO_CHECK(file.flush().good());
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace holostat
