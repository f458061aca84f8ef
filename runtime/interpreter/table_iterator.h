// The iterator over a dict, over a view of one, or over a set.
//
//     for key in {1: 2}:
#pragma once

#include "runtime/interpreter/object.h"

namespace glint::runtime {

/// Notices a change of size.
struct TableIterator final : IteratorObject {
  using What = DictViewObject::What;
  Ref<Container> owner;
  HashTable* table;
  What what;
  bool of_dict;  ///< also when it has ended, and `owner` is gone
  size_t at = 0, given = 0;
  size_t expected;
  TableIterator(Container* holder, HashTable* of, What kind_of_item)
      : owner(holder),
        table(of),
        what(kind_of_item),
        of_dict(holder->kind() == kDictKind),
        expected(of->size()) {
    gives_pairs = what == What::kItems;
  }
  /// Null at the end, and when it raised.
  const HashTable::Entry* next_entry(Interpreter& in);
  Value next(Interpreter& in) override;
  bool next_pair(Interpreter& in, Value& key, Value& value) override;
  /// As if so many had been given.
  void skip(size_t count);
  std::string_view type_name() const override;
  void traverse(Visitor& visit) override { visit(owner); }
  void clear() override { owner = nullptr; }
};

}  // namespace glint::runtime
