// The main of every test binary. To ctest a test that was skipped is one that did not run: with
// HOLOSTAT_SKIPPED_IF in the environment, "all" or "any" cases skipped make it exit with 77. A
// failure goes first, which ctest's SKIP_REGULAR_EXPRESSION would hide behind a skipped case.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

namespace {

constexpr int kSkipped = 77;  // SKIP_RETURN_CODE

bool IsSkipped(std::string_view condition) {
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  if (tests.skipped_test_count() == 0) return false;
  return condition == "any" || (condition == "all" && tests.successful_test_count() == 0);
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  if (RUN_ALL_TESTS() != 0) return EXIT_FAILURE;
  const char* condition = std::getenv("HOLOSTAT_SKIPPED_IF");
  return condition != nullptr && IsSkipped(condition) ? kSkipped : EXIT_SUCCESS;
}
