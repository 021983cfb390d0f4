#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/clock.h"

namespace holostat {

struct CacheOptions {
  std::size_t capacity = 0;  // entries, 1..2^31: all their places are allocated at construction
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();  // sum of the entries' costs
  std::chrono::nanoseconds ttl = std::chrono::nanoseconds::max();   // since Put; reading is no rest
};

struct CacheMetrics {
  std::uint64_t hits = 0, misses = 0;
  std::uint64_t evicted = 0;  // for want of room, or by Trim
  std::uint64_t expired = 0;
  std::uint64_t refused = 0;  // larger than the whole cache
};

// What is remembered for a while: the least recently used leaves first; nothing is given out that
// is older than its time to live, and nothing stays because nobody asks: the owner calls ExpireNow
// from a timer (NextExpiry says when).
//
// All calls are O(1) (expected, given a fair hash) for each entry that they add, find or remove.
// Places and index have their size for life: no heap call besides those of Key and Value, and no
// growth. A key or value is destroyed the moment its entry leaves.
//
// Thread-compatible. The destructor of a Value must not call into its cache.
template <class Key, class Value, class Hash = std::hash<Key>>
class LruCache {
 public:
  // `clock` outlives the cache.
  LruCache(const CacheOptions& options, const Clock& clock) : options_(options), clock_(clock) {
    HOLO_CHECK(options.capacity > 0 && options.capacity <= (std::size_t{1} << 31));
    places_.resize(options.capacity);
    index_.assign(std::bit_ceil(options.capacity), kNone);
    for (Place& place : places_) place.next_in_bucket = std::exchange(free_, NumberOf(place));
  }
  LruCache(const LruCache&) = delete;
  LruCache& operator=(const LruCache&) = delete;

  // Remembers `value`, in place of what was under `key`. Makes room: first what has expired leaves,
  // then the least recently used. False when `cost` alone is over the budget; then nothing is under
  // `key`.
  bool Put(Key key, Value value, std::size_t cost) {
    Erase(key);
    if (cost > options_.max_bytes) {
      ++metrics_.refused;
      return false;
    }
    ExpireNow();
    while (size_ == options_.capacity) Evict();
    Trim(options_.max_bytes - cost);
    Insert(std::move(key), std::move(value), cost);
    return true;
  }

  // The value under `key`, now the most recently used; null when there is none. Valid until the
  // next call that is not const.
  Value* Get(const Key& key) {
    const std::uint32_t number = Find(key);
    if (number == kNone || IsExpired(places_[number])) {
      if (number != kNone) Expire(number);
      ++metrics_.misses;
      return nullptr;
    }
    ++metrics_.hits;
    Unlink(by_use_, number);
    Append(by_use_, number);
    return &places_[number].entry->value;
  }

  // Whether something was under `key` (expired or not).
  bool Erase(const Key& key) {
    const std::uint32_t number = Find(key);
    if (number == kNone) return false;
    Remove(number);
    return true;
  }

  // Evicts the least recently used until the costs of the rest are at most `bytes`. Expired ones
  // count and leave like others. Entries that cost nothing may stay.
  void Trim(std::size_t bytes) {
    while (bytes_ > bytes) Evict();
  }

  void ExpireNow() {
    while (by_age_.first != kNone && IsExpired(places_[by_age_.first])) Expire(by_age_.first);
  }
  // When the next one expires; nothing when empty or never.
  std::optional<SteadyTime> NextExpiry() const {
    if (by_age_.first == kNone) return std::nullopt;
    const SteadyTime put_at = places_[by_age_.first].put_at;
    if (options_.ttl > SteadyTime::max() - put_at) return std::nullopt;
    return put_at + options_.ttl;
  }

  void Clear() {
    while (by_age_.first != kNone) Remove(by_age_.first);
  }

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return bytes_; }
  const CacheMetrics& metrics() const { return metrics_; }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  struct Links {
    std::uint32_t before = kNone, after = kNone;
  };
  struct Entry {
    Key key;
    Value value;
  };
  struct Place {
    std::optional<Entry> entry;
    std::size_t cost = 0;
    SteadyTime put_at;
    std::uint32_t next_in_bucket = kNone;  // or next free
    Links use, age;
  };
  // A doubly linked list through the places. As the time to live is the same for all, the order of
  // Put is the order of expiry.
  struct Order {
    Links Place::*links;
    std::uint32_t first = kNone, last = kNone;
  };

  std::uint32_t NumberOf(const Place& place) const {
    return static_cast<std::uint32_t>(&place - places_.data());
  }
  bool IsExpired(const Place& place) const { return clock_.Now() - place.put_at >= options_.ttl; }

  // std::hash of an integer is the integer: the multiplication (Fibonacci hashing) spreads keys
  // that differ in few bits; its high bits are the good ones.
  std::uint32_t& BucketOf(const Key& key) {
    const std::uint64_t spread = std::uint64_t{Hash{}(key)} * 0x9e3779b97f4a7c15u;
    return index_[(spread >> 32) & (index_.size() - 1)];
  }
  std::uint32_t Find(const Key& key) {
    std::uint32_t number = BucketOf(key);
    while (number != kNone && !(places_[number].entry->key == key)) {
      number = places_[number].next_in_bucket;
    }
    return number;
  }

  void Insert(Key key, Value value, std::size_t cost) {
    const std::uint32_t number = free_;
    Place& place = places_[number];
    free_ = place.next_in_bucket;
    std::uint32_t& bucket = BucketOf(key);
    place.next_in_bucket = std::exchange(bucket, number);
    place.entry.emplace(Entry{std::move(key), std::move(value)});
    place.cost = cost;
    place.put_at = clock_.Now();
    Append(by_use_, number);
    Append(by_age_, number);
    bytes_ += cost;
    ++size_;
  }

  void Remove(std::uint32_t number) {
    Place& place = places_[number];
    std::uint32_t* from = &BucketOf(place.entry->key);
    while (*from != number) from = &places_[*from].next_in_bucket;
    *from = place.next_in_bucket;
    Unlink(by_use_, number);
    Unlink(by_age_, number);
    bytes_ -= place.cost;
    --size_;
    place.entry.reset();
    place.next_in_bucket = std::exchange(free_, number);
  }
  void Evict() {
    Remove(by_use_.first);
    ++metrics_.evicted;
  }
  void Expire(std::uint32_t number) {
    Remove(number);
    ++metrics_.expired;
  }

  void Append(Order& order, std::uint32_t number) {
    places_[number].*order.links = {order.last, kNone};
    (order.last == kNone ? order.first : (places_[order.last].*order.links).after) = number;
    order.last = number;
  }
  void Unlink(Order& order, std::uint32_t number) {
    const Links links = places_[number].*order.links;
    (links.before == kNone ? order.first : (places_[links.before].*order.links).after) =
        links.after;
    (links.after == kNone ? order.last : (places_[links.after].*order.links).before) = links.before;
  }

  const CacheOptions options_;
  const Clock& clock_;
  std::vector<Place> places_;
  std::vector<std::uint32_t> index_;  // first place of each bucket; a power of two of them
  std::uint32_t free_ = kNone;
  Order by_use_{&Place::use}, by_age_{&Place::age};
  std::size_t size_ = 0, bytes_ = 0;
  CacheMetrics metrics_;
};

}  // namespace holostat
