// Which groups come before which, while groups are being merged.
//
//     %a (group 0) -> %b (group 1) -> %c (group 2),   %a -> %c
//
// 0 and 2 may not become one group while 1 stands apart: it would have to run in their midst.
// `between(0, 2)` says so. After `merge(1, 0)` nothing is left between, and `find(1)` is 0.
//
// A group's ancestors are a set of bits, kept closed under "comes before": a question costs one
// look, a merge one pass over the groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace glint::passes {

class GroupRelations {
 public:
  /// One more group, whose number is the next.
  void add();

  /// The present number of a group that may have been merged into others.
  int find(int id) const;

  /// `earlier`, and all that comes before it, comes before `later`, a group that nothing reads yet.
  void put_before(int earlier, int later);
  /// A group that members of `reader` read, and that comes before it.
  void add_producer(int reader, int producer);

  /// Whether `earlier` comes before `later`, by any path.
  bool comes_before(int earlier, int later) const;
  /// Whether another group has to run after `from` and before `into`, which reads it.
  bool between(int from, int into) const;

  /// What `conflict` remembers: these two, and what they are merged with, stay apart.
  void keep_apart(int from, int into);
  bool conflict(int from, int into) const;

  /// `merged` becomes part of `into`, which takes over its relations.
  void merge(int merged, int into);

 private:
  struct Relation {
    std::vector<uint64_t> ancestors;
    std::vector<int> producers;
    std::vector<int> conflicts;
    int merged_into;
    bool alive = true;
  };

  Relation& of(int id) { return relations_[static_cast<size_t>(id)]; }
  const Relation& of(int id) const { return relations_[static_cast<size_t>(id)]; }
  bool has_conflict(int id, int other) const;

  std::vector<Relation> relations_;
};

}  // namespace glint::passes
