// Comparisons that need neither a special method nor the interpreter: of ints, floats and strs, and
// of rows of them.
//
//     int equal = plain_equals(a, b);                 // 1 or 0
//     if (equal < 0) equal = equals(in, a, b);        // -1: anything else
#pragma once

#include <vector>

#include "runtime/interpreter/object.h"

namespace glint::runtime {

/// A str whose class is no script's.
inline bool plain_text(const Value& value) {
  return value.is<StrObject>() && !value.as<Object>()->flag(Object::kSubclassed);
}

/// Whether two values of one plain kind are equal; -1 where that takes `equals`.
inline int plain_equals(const Value& a, const Value& b) {
  if (a.is_int() && b.is_int()) return a.as_int() == b.as_int();
  if (a.is_float() && b.is_float()) return a.as_float() == b.as_float();
  if (plain_text(a) && plain_text(b))
    return a.object() == b.object() || a.as<StrObject>()->text == b.as<StrObject>()->text;
  return -1;
}

/// a < b of two values of one plain kind; -1 where that takes `less_than`.
inline int plain_less(const Value& a, const Value& b) {
  if (a.is_int() && b.is_int()) return a.as_int() < b.as_int();
  if (a.is_float() && b.is_float()) return a.as_float() < b.as_float();
  if (plain_text(a) && plain_text(b)) return a.as<StrObject>()->text < b.as<StrObject>()->text;
  return -1;
}

/// The items of a list or tuple whose class is no script's; null for all else.
inline const std::vector<Value>* plain_row(const Value& value) {
  bool is_list = value.is(kListKind);
  if (!is_list && !value.is(kTupleKind)) return nullptr;
  if (value.as<Object>()->flag(Object::kSubclassed)) return nullptr;
  return is_list ? &value.as<ListObject>()->items : &value.as<TupleObject>()->items;
}

/// The first place where two rows differ, or where it takes `equals` to know; the shorter one's
/// length if there is none.
inline size_t equal_so_far(const std::vector<Value>& a, const std::vector<Value>& b) {
  size_t size = a.size() < b.size() ? a.size() : b.size(), at = 0;
  while (at < size && (a[at].identical(b[at]) || plain_equals(a[at], b[at]) == 1)) ++at;
  return at;
}

}  // namespace glint::runtime
