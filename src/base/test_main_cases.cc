// What test_main_test.cmake runs, a few cases at a time.
#include <gtest/gtest.h>

namespace {

TEST(Case, Passes) {}
TEST(Case, Skips) { GTEST_SKIP() << "on purpose"; }
TEST(Case, Fails) { FAIL() << "on purpose"; }

}  // namespace
