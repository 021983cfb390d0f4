#include "base/observers.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/heap_calls.h"

namespace holostat {
namespace {

using List = Observers<int>;

TEST(Observers, CallsEachWithWhatHappened) {
  Observers<int, const std::string&> list(2);
  std::string seen;
  const auto a = list.Add([&](int n, const std::string& s) { seen += s + std::to_string(n); });
  const auto b = list.Add([&](int n, const std::string& s) { seen += s + std::to_string(n); });
  list.Notify(7, "x");
  EXPECT_EQ(seen, "x7x7");
}

TEST(Observers, EndsTheCallsAndFreesTheCapturesWhenTheHandleIsDropped) {
  List list(2);
  const auto captured = std::make_shared<int>(0);
  {
    const auto handle = list.Add([captured](int n) { *captured += n; });
    list.Notify(1);
    EXPECT_EQ(captured.use_count(), 2);
  }
  EXPECT_EQ(captured.use_count(), 1);
  EXPECT_EQ(list.size(), 0u);
  list.Notify(1);
  EXPECT_EQ(*captured, 1);
}

TEST(Observers, KeepsNothingOfListenersThatComeAndGo) {
  List list(4);
  const auto captured = std::make_shared<int>(0);
  for (int i = 0; i < 10'000; ++i) {
    const auto handle = list.Add([captured](int) {});
    ASSERT_TRUE(handle);
  }
  EXPECT_EQ(captured.use_count(), 1);
  EXPECT_EQ(list.size(), 0u);
}

TEST(Observers, RefusesMoreThanItsCapacity) {
  List list(1);
  auto first = list.Add([](int) {});
  const auto second = list.Add([](int) {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kOverloaded);
  first->reset();
  EXPECT_TRUE(list.Add([](int) {}));
}

TEST(Observers, RefusesAnEmptyCallback) {
  List list(1);
  EXPECT_EQ(list.Add(nullptr).error().code, ErrorCode::kInvalidArgument);
}

TEST(Observers, FreesTheCapturesWhenTheListDiesFirst) {
  const auto captured = std::make_shared<int>(0);
  std::optional<List> list(std::in_place, 1);
  auto handle = list->Add([captured](int) {});
  list.reset();
  EXPECT_EQ(captured.use_count(), 1);
  handle->reset();  // outlived the list
}

TEST(Observers, MovesARegistrationWithItsHandle) {
  List list(2);
  int calls = 0;
  List::Handle handle;
  EXPECT_FALSE(handle);
  {
    auto made = list.Add([&](int) { ++calls; });
    handle = std::move(*made);
    EXPECT_FALSE(*made);
  }
  list.Notify(0);
  EXPECT_EQ(calls, 1);
  handle = *list.Add([](int) {});  // the first one ends
  list.Notify(0);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(list.size(), 1u);
}

TEST(Observers, LetsACallbackDropItsOwnHandle) {
  List list(2);
  const auto captured = std::make_shared<int>(0);
  List::Handle handle;
  handle = *list.Add([&handle, captured](int) {
    handle.reset();
    ++*captured;  // what it captured lives until it returns
  });
  list.Notify(0);
  list.Notify(0);
  EXPECT_EQ(*captured, 1);
  EXPECT_EQ(captured.use_count(), 1);
}

TEST(Observers, CallsNoListenerThatAnotherOneDropped) {
  List list(2);
  int calls = 0;
  List::Handle first, second;
  first = *list.Add([&](int) { ++calls, second.reset(); });
  second = *list.Add([&](int) { ++calls, first.reset(); });
  list.Notify(0);
  EXPECT_EQ(calls, 1) << "each drops the other one";
  EXPECT_EQ(list.size(), 1u);
}

TEST(Observers, CallsOneAddedDuringANotifyFromTheNextOneOn) {
  List list(3);
  int calls = 0;
  std::vector<List::Handle> added;
  const auto adds = list.Add([&](int) {
    if (added.empty()) added.push_back(*list.Add([&](int) { ++calls; }));
  });
  list.Notify(0);
  EXPECT_EQ(calls, 0);
  list.Notify(0);
  EXPECT_EQ(calls, 1);
}

TEST(Observers, LetsACallbackReplaceItselfInAFullList) {
  List list(1);
  int calls = 0;
  List::Handle handle;
  handle = *list.Add([&](int) {
    handle.reset();
    handle = *list.Add([&](int) { ++calls; });
  });
  list.Notify(0);
  list.Notify(0);
  EXPECT_EQ(calls, 1);
}

TEST(Observers, LetsACallbackNotifyAgain) {
  List list(1);
  int sum = 0;
  const auto handle = list.Add([&](int n) {
    sum += n;
    if (n > 0) list.Notify(n - 1);
  });
  list.Notify(3);
  EXPECT_EQ(sum, 6);
}

TEST(Observers, LetsACallbackDestroyTheList) {
  auto list = std::make_unique<List>(2);
  int calls = 0;
  const auto a = list->Add([&](int) { ++calls, list.reset(); });
  const auto b = list->Add([&](int) { ++calls, list.reset(); });
  list->Notify(0);
  EXPECT_EQ(calls, 1);
}

TEST(Observers, TakesACallbackThatHoldsAHandleOfTheSameList) {
  List list(2);
  const auto captured = std::make_shared<int>(0);
  auto inner = std::make_shared<List::Handle>(*list.Add([captured](int) {}));
  auto outer = list.Add([inner](int) {});
  inner.reset();
  EXPECT_EQ(list.size(), 2u);
  outer->reset();
  EXPECT_EQ(list.size(), 0u);
  EXPECT_EQ(captured.use_count(), 1);
}

TEST(Observers, NotifiesWithoutAHeapCall) {
  List list(8);
  int sum = 0;
  const auto a = list.Add([&](int n) { sum += n; });
  const auto b = list.Add([&](int n) { sum += n; });
  const auto before = HeapCalls();
  for (int i = 0; i < 1000; ++i) list.Notify(1);
  EXPECT_EQ(HeapCalls(), before);
  EXPECT_EQ(sum, 2000);
}

}  // namespace
}  // namespace holostat
