#include "base/lru_cache.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/heap_calls.h"

namespace holostat {
namespace {

using std::chrono::seconds;
using Cache = LruCache<int, std::string>;

TEST(LruCache, GivesBackWhatWasPut) {
  const ManualClock clock;
  Cache cache({.capacity = 2}, clock);
  EXPECT_EQ(cache.Get(1), nullptr);
  EXPECT_TRUE(cache.Put(1, "one", 3));
  ASSERT_NE(cache.Get(1), nullptr);
  EXPECT_EQ(*cache.Get(1), "one");
  EXPECT_EQ(cache.metrics().hits, 2u);
  EXPECT_EQ(cache.metrics().misses, 1u);
}

TEST(LruCache, EvictsTheLeastRecentlyUsedWhenFull) {
  const ManualClock clock;
  Cache cache({.capacity = 2}, clock);
  cache.Put(1, "one", 1);
  cache.Put(2, "two", 1);
  cache.Get(1);
  cache.Put(3, "three", 1);
  EXPECT_NE(cache.Get(1), nullptr);
  EXPECT_EQ(cache.Get(2), nullptr);
  EXPECT_NE(cache.Get(3), nullptr);
  EXPECT_EQ(cache.metrics().evicted, 1u);
}

TEST(LruCache, StaysWithinItsBytes) {
  const ManualClock clock;
  Cache cache({.capacity = 10, .max_bytes = 100}, clock);
  cache.Put(1, "a", 60);
  cache.Put(2, "b", 30);
  cache.Put(3, "c", 70);
  EXPECT_EQ(cache.Get(1), nullptr);
  EXPECT_NE(cache.Get(2), nullptr);
  EXPECT_EQ(cache.bytes(), 100u);
}

TEST(LruCache, RefusesWhatIsLargerThanAllOfItAndKeepsNothingStale) {
  const ManualClock clock;
  Cache cache({.capacity = 10, .max_bytes = 100}, clock);
  cache.Put(1, "old", 60);
  cache.Put(2, "other", 30);
  EXPECT_FALSE(cache.Put(1, "new", 101));
  EXPECT_EQ(cache.Get(1), nullptr);
  EXPECT_NE(cache.Get(2), nullptr) << "nothing else had to leave";
  EXPECT_EQ(cache.metrics().refused, 1u);
}

TEST(LruCache, NeverGivesOutWhatHasExpired) {
  ManualClock clock;
  Cache cache({.capacity = 10, .ttl = seconds(10)}, clock);
  cache.Put(1, "one", 1);
  clock.Advance(seconds(9));
  EXPECT_NE(cache.Get(1), nullptr);
  clock.Advance(seconds(1));
  EXPECT_EQ(cache.Get(1), nullptr) << "reading does not make it younger";
  EXPECT_EQ(cache.size(), 0u);
  EXPECT_EQ(cache.metrics().expired, 1u);
}

TEST(LruCache, ExpiresWhenIdle) {
  ManualClock clock;
  LruCache<int, std::shared_ptr<int>> cache({.capacity = 10, .ttl = seconds(10)}, clock);
  EXPECT_EQ(cache.NextExpiry(), std::nullopt);
  const auto value = std::make_shared<int>(1);
  cache.Put(1, value, 1);
  clock.Advance(seconds(5));
  cache.Put(2, value, 1);
  EXPECT_EQ(cache.NextExpiry(), clock.Now() + seconds(5));
  clock.Advance(seconds(5));
  cache.ExpireNow();
  EXPECT_EQ(value.use_count(), 2) << "the value is freed, not only hidden";
  EXPECT_EQ(cache.NextExpiry(), clock.Now() + seconds(5));
  clock.Advance(seconds(5));
  cache.ExpireNow();
  EXPECT_EQ(value.use_count(), 1);
  EXPECT_EQ(cache.bytes(), 0u);
}

TEST(LruCache, NeverExpiresWithoutATimeToLive) {
  ManualClock clock;
  Cache cache({.capacity = 1}, clock);
  cache.Put(1, "one", 1);
  clock.Advance(std::chrono::hours(100'000));
  cache.ExpireNow();
  EXPECT_NE(cache.Get(1), nullptr);
  EXPECT_EQ(cache.NextExpiry(), std::nullopt);
}

TEST(LruCache, MakesRoomFromTheExpiredFirst) {
  ManualClock clock;
  Cache cache({.capacity = 2, .ttl = seconds(10)}, clock);
  cache.Put(1, "one", 1);
  clock.Advance(seconds(6));
  cache.Put(2, "two", 1);
  cache.Get(1);  // now 2 is the least recently used, and 1 the first to expire
  clock.Advance(seconds(5));
  cache.Put(3, "three", 1);
  EXPECT_NE(cache.Get(2), nullptr);
  EXPECT_EQ(cache.metrics().evicted, 0u);
}

TEST(LruCache, TrimsToTheBytesAskedFor) {
  const ManualClock clock;
  Cache cache({.capacity = 10}, clock);
  for (int key = 0; key < 10; ++key) cache.Put(key, "x", 10);
  cache.Trim(35);
  EXPECT_EQ(cache.bytes(), 30u);
  EXPECT_NE(cache.Get(9), nullptr) << "the most recent stay";
  EXPECT_EQ(cache.Get(6), nullptr);
  cache.Trim(0);
  EXPECT_EQ(cache.size(), 0u);
  EXPECT_EQ(cache.metrics().evicted, 10u);
}

TEST(LruCache, FreesWhatIsReplacedErasedOrCleared) {
  const ManualClock clock;
  LruCache<int, std::shared_ptr<int>> cache({.capacity = 4}, clock);
  const auto value = std::make_shared<int>(1);
  cache.Put(1, value, 1);
  cache.Put(1, nullptr, 1);
  EXPECT_EQ(value.use_count(), 1);
  cache.Put(2, value, 1);
  EXPECT_TRUE(cache.Erase(2));
  EXPECT_FALSE(cache.Erase(2));
  EXPECT_EQ(value.use_count(), 1);
  cache.Put(3, value, 1);
  cache.Clear();
  EXPECT_EQ(value.use_count(), 1);
  EXPECT_EQ(cache.size(), 0u);
}

TEST(LruCache, NeverCallsTheHeapOnceMade) {
  ManualClock clock;
  LruCache<std::uint64_t, std::uint64_t> cache(
      {.capacity = 64, .max_bytes = 1000, .ttl = seconds(50)}, clock);
  std::mt19937 random(3);
  const auto before = HeapCalls();
  for (int i = 0; i < 100'000; ++i) {
    cache.Put(random() % 1000, 1, random() % 60);
    cache.Get(random() % 1000);
    if (i % 16 == 0) clock.Advance(seconds(1));
  }
  EXPECT_EQ(HeapCalls(), before);
}

// Does the same with a plain vector, in order of use, searched from end to end.
class NaiveCache {
 public:
  NaiveCache(const CacheOptions& options, const Clock& clock) : options_(options), clock_(clock) {}

  bool Put(int key, int value, std::size_t cost) {
    Erase(key);
    if (cost > options_.max_bytes) return false;
    ExpireNow();
    while (entries_.size() >= options_.capacity) entries_.erase(entries_.begin());
    Trim(options_.max_bytes - cost);
    entries_.push_back({key, value, cost, clock_.Now()});
    return true;
  }
  std::optional<int> Get(int key) {
    const auto it = Find(key);
    if (it == entries_.end()) return std::nullopt;
    const Entry entry = *it;
    entries_.erase(it);
    if (clock_.Now() - entry.put_at >= options_.ttl) return std::nullopt;
    entries_.push_back(entry);
    return entry.value;
  }
  bool Erase(int key) {
    const auto it = Find(key);
    if (it == entries_.end()) return false;
    entries_.erase(it);
    return true;
  }
  void Trim(std::size_t bytes) {
    while (this->bytes() > bytes) entries_.erase(entries_.begin());
  }
  void ExpireNow() {
    std::erase_if(entries_,
                  [&](const Entry& e) { return clock_.Now() - e.put_at >= options_.ttl; });
  }
  std::size_t size() const { return entries_.size(); }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const Entry& entry : entries_) sum += entry.cost;
    return sum;
  }

 private:
  struct Entry {
    int key, value;
    std::size_t cost;
    SteadyTime put_at;
  };
  std::vector<Entry>::iterator Find(int key) {
    return std::find_if(entries_.begin(), entries_.end(),
                        [&](const Entry& e) { return e.key == key; });
  }
  const CacheOptions options_;
  const Clock& clock_;
  std::vector<Entry> entries_;
};

struct BadHash {  // chains get long
  std::size_t operator()(int key) const { return static_cast<std::size_t>(key % 3); }
};

template <class Tested>
void BehavesLikeTheNaiveOne(std::uint32_t seed) {
  std::mt19937 random(seed);
  ManualClock clock;
  const CacheOptions options{
      .capacity = 1 + random() % 12, .max_bytes = 20 + random() % 100, .ttl = seconds(20)};
  Tested cache(options, clock);
  NaiveCache model(options, clock);
  for (int step = 0; step < 3000; ++step) {
    const int key = static_cast<int>(random() % 20);
    switch (random() % 8) {
      case 0:
        clock.Advance(seconds(random() % 5));
        break;
      case 1:
        EXPECT_EQ(cache.Erase(key), model.Erase(key));
        break;
      case 2: {
        const std::size_t bytes = random() % 120;
        cache.Trim(bytes), model.Trim(bytes);
        break;
      }
      case 3:
        cache.ExpireNow(), model.ExpireNow();
        break;
      case 4:
      case 5: {
        const std::size_t cost = random() % 40;
        EXPECT_EQ(cache.Put(key, step, cost), model.Put(key, step, cost));
        break;
      }
      default: {
        const int* value = cache.Get(key);
        EXPECT_EQ(value == nullptr ? std::optional<int>() : *value, model.Get(key));
      }
    }
    ASSERT_EQ(cache.size(), model.size()) << "step " << step;
    ASSERT_EQ(cache.bytes(), model.bytes()) << "step " << step;
    ASSERT_LE(cache.size(), options.capacity);
    ASSERT_LE(cache.bytes(), options.max_bytes);
  }
}

TEST(LruCache, BehavesLikeANaiveModel) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    BehavesLikeTheNaiveOne<LruCache<int, int>>(seed);
    BehavesLikeTheNaiveOne<LruCache<int, int, BadHash>>(seed);
  }
}

}  // namespace
}  // namespace holostat
