// What is dear to make, by what it was made for; the least recently used goes.
//
//     RecentlyMade<Key, Product> products(512);
//     Product* product = products.get(key, [&](Product& made) { return made.create(problem); });
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace glint {

/// `Key` is an array of int64_t; `Made` needs no move. The newest is looked at first.
template <class Key, class Made>
class RecentlyMade {
 public:
  explicit RecentlyMade(size_t capacity) : capacity_(capacity) {}

  /// The one for `key`, made by `make(Made&)` if need be; null where that gives false. It stays
  /// until `capacity` others were asked for.
  template <class Make>
  Made* get(const Key& key, Make&& make) {
    if (!entries_.empty() && entries_.front().first == key) return &entries_.front().second;
    if (auto found = by_key_.find(key); found != by_key_.end()) {
      entries_.splice(entries_.begin(), entries_, found->second);
      return &entries_.front().second;
    }
    entries_.emplace_front(std::piecewise_construct, std::forward_as_tuple(key),
                           std::forward_as_tuple());
    if (!make(entries_.front().second)) {
      entries_.pop_front();
      return nullptr;
    }
    ++created_;
    by_key_.emplace(key, entries_.begin());
    if (entries_.size() > capacity_) {
      by_key_.erase(entries_.back().first);
      entries_.pop_back();
    }
    return &entries_.front().second;
  }

  int64_t size() const { return int64_t(entries_.size()); }
  int64_t created() const { return created_; }

 private:
  struct Hash {
    size_t operator()(const Key& key) const {
      uint64_t hash = 0x9e3779b97f4a7c15u;
      for (int64_t number : key) hash = (hash ^ uint64_t(number)) * 0x9fb21c651e98df25u;
      return size_t(hash ^ (hash >> 32));
    }
  };

  size_t capacity_;
  std::list<std::pair<Key, Made>> entries_;
  std::unordered_map<Key, typename std::list<std::pair<Key, Made>>::iterator, Hash> by_key_;
  int64_t created_ = 0;
};

}  // namespace glint
