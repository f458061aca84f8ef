#include "passes/group_relations.h"

#include <algorithm>

namespace glint::passes {

namespace {

constexpr int kBits = 64;

}  // namespace

void GroupRelations::add() {
  const auto number = static_cast<int>(relations_.size());
  relations_.push_back({.ancestors = {}, .producers = {}, .conflicts = {}, .merged_into = number});
}

int GroupRelations::find(int id) const {
  while (of(id).merged_into != id) id = of(id).merged_into;
  return id;
}

void GroupRelations::put_before(int earlier, int later) {
  auto& into = of(later).ancestors;
  const auto& bits = of(earlier).ancestors;
  const size_t word = static_cast<size_t>(earlier) / kBits;
  if (into.size() < std::max(bits.size(), word + 1)) into.resize(std::max(bits.size(), word + 1));
  for (size_t i = 0; i < bits.size(); ++i) into[i] |= bits[i];
  into[word] |= uint64_t(1) << (earlier % kBits);
}

void GroupRelations::add_producer(int reader, int producer) {
  of(reader).producers.push_back(producer);
}

bool GroupRelations::comes_before(int earlier, int later) const {
  const size_t word = static_cast<size_t>(earlier) / kBits;
  const auto& bits = of(later).ancestors;
  return word < bits.size() && (bits[word] >> (earlier % kBits) & 1);
}

bool GroupRelations::between(int from, int into) const {
  return std::ranges::any_of(of(into).producers, [&](int producer) {
    const int other = find(producer);
    return other != from && other != into && comes_before(from, other);
  });
}

void GroupRelations::keep_apart(int from, int into) {
  of(into).conflicts.push_back(from);
}

bool GroupRelations::has_conflict(int id, int other) const {
  return std::ranges::any_of(of(id).conflicts, [&](int each) { return find(each) == other; });
}

bool GroupRelations::conflict(int from, int into) const {
  return has_conflict(into, from) || has_conflict(from, into);
}

void GroupRelations::merge(int merged, int into) {
  of(merged).merged_into = into;
  of(merged).alive = false;
  const auto before = of(into).ancestors;
  put_before(merged, into);
  auto clear = [&](int bit) {
    const size_t word = static_cast<size_t>(bit) / kBits;
    auto& bits = of(into).ancestors;
    if (word < bits.size()) bits[word] &= ~(uint64_t(1) << (bit % kBits));
  };
  clear(merged);
  clear(into);
  auto take = [](std::vector<int>& all, const std::vector<int>& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  take(of(into).producers, of(merged).producers);
  take(of(into).conflicts, of(merged).conflicts);
  const bool grown = before != of(into).ancestors;
  for (size_t other = 0; other < relations_.size(); ++other) {
    const auto id = static_cast<int>(other);
    if (!relations_[other].alive || id == into) continue;
    if (comes_before(merged, id) || (grown && comes_before(into, id))) put_before(into, id);
  }
}

}  // namespace glint::passes
