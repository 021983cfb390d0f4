#include "base/heap_calls.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace holostat {
namespace {

TEST(HeapCalls, CountsEachCallOnce) {
  const auto before = HeapCalls();
  void* volatile a = std::malloc(10);
  void* volatile b = std::calloc(2, 8);
  void* volatile c = std::aligned_alloc(64, 128);
  int* volatile d = new int(1);
  std::free(a);
  std::free(b);
  std::free(c);
  delete d;
  EXPECT_EQ(HeapCalls() - before, 8u);
}

TEST(HeapCalls, ArithmeticMakesNone) {
  const auto before = HeapCalls();
  volatile int sum = 0;
  for (int i = 0; i < 1000; ++i) sum = sum + i;
  EXPECT_EQ(HeapCalls(), before);
}

}  // namespace
}  // namespace holostat
