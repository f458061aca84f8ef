// What a library was asked to prepare for calls of one kind, the last few hundred of them.
//
//     PlanCache<std::array<int64_t, 4>, Plan> plans(256);
//     Plan& plan = plans.find_or_make(key, [&] { return make_plan(...); });
//
// The one that was used longest ago makes room for a new one.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <utility>

namespace glint::cuda {

template <class Key, class Plan>
class PlanCache {
 public:
  explicit PlanCache(size_t most) : most_(most) {}

  template <class F>
  Plan& find_or_make(const Key& key, const F& make) {
    if (const auto known = by_key_.find(key); known != by_key_.end()) {
      by_use_.splice(by_use_.begin(), by_use_, known->second);
      return known->second->second;
    }
    Plan made = make();
    if (by_use_.size() == most_) {
      by_key_.erase(by_use_.back().first);
      by_use_.pop_back();
    }
    by_use_.emplace_front(key, std::move(made));
    by_key_.emplace(key, by_use_.begin());
    return by_use_.front().second;
  }
  size_t size() const { return by_use_.size(); }

 private:
  using Entries = std::list<std::pair<Key, Plan>>;
  size_t most_;
  Entries by_use_;  ///< the last one first
  std::map<Key, typename Entries::iterator> by_key_;
};

}  // namespace glint::cuda
