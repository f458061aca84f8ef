#include "runtime/interpreter/set_algebra.h"

#include <algorithm>
#include <optional>

#include "runtime/interpreter/machine.h"
#include "runtime/interpreter/plain_values.h"

namespace glint::runtime {

using Outcome = HashTable::Outcome;
using program::Opcode;

namespace {

/// A dict that no script's class may iterate otherwise; null for any other value.
DictObject* as_plain_dict(const Value& value) {
  auto* dict = value.try_as<DictObject>();
  return dict && !dict->flag(Object::kSubclassed) ? dict : nullptr;
}

/// Calls `f(key, hash)` for each element of a set, dict or iterable; false if it raised or `f` says
/// so.
template <class F>
bool for_each_element(Interpreter& in, const Value& elements, F f) {
  const HashTable* table = nullptr;
  Value kept = elements;  // `f` may run script code that drops it
  if (SetObject* set = as_any_set(elements)) table = &set->table;
  if (DictObject* dict = as_plain_dict(elements)) table = &dict->table;
  if (table) {
    // By index: the script code may change the table too.
    for (size_t i = 0; i < table->entries().size(); ++i) {
      auto entry = table->entries()[i];
      if (entry.key.defined() && !f(entry.key, entry.hash)) return false;
    }
    return true;
  }
  Value iterator = iterator_of(in, elements);
  if (iterator.is_undefined()) return false;
  for (Value item; (item = next_item(in, iterator)).defined();) {
    uint64_t hash = 0;
    if (!hash_of(in, item, hash) || !f(item, hash)) return false;
  }
  return !in.raised();
}

bool add(SetObject& set, const Value& key, uint64_t hash) {
  return set.table.set(key, hash, Value::none()) != Outcome::kRaised;
}

/// How many elements a set or dict has.
std::optional<size_t> size_of_table(const Value& value) {
  if (SetObject* set = as_any_set(value)) return set->table.size();
  if (DictObject* dict = as_plain_dict(value)) return dict->size();
  return std::nullopt;
}

/// A set of the elements that `other` has, or has not.
Ref<SetObject> filtered(Interpreter& in, const Value& elements, SetObject& other, bool keep,
                        ObjectKind kind) {
  auto result = make_ref<SetObject>(kind);
  bool done = for_each_element(in, elements, [&](const Value& key, uint64_t hash) {
    int found = has_element(other, key, hash);
    return found >= 0 && ((found == 1) != keep || add(*result, key, hash));
  });
  return done ? result : nullptr;
}

bool is_view_of_keys(const Value& value) {
  auto* view = value.try_as<DictViewObject>();
  return view && view->what != DictViewObject::What::kValues;
}

/// A new set of what a set holds, or of the keys or items of a dict.
Ref<SetObject> new_set_of(Interpreter& in, const Value& value) {
  auto result = make_ref<SetObject>();
  auto* view = value.try_as<DictViewObject>();
  bool keys = view && view->what == DictViewObject::What::kKeys;
  return add_all(in, *result, keys ? Value(view->dict) : value) ? result : nullptr;
}

size_t size_of(const Value& set_or_view) {
  SetObject* set = as_any_set(set_or_view);
  return set ? set->table.size() : set_or_view.as<DictViewObject>()->dict->size();
}

/// `a & b` where one is the keys or items of a dict: goes over the smaller.
Ref<SetObject> intersection_of_view(Interpreter& in, const Value& a, const Value& b) {
  const Value& view = is_view_of_keys(a) ? a : b;
  const Value& other = is_view_of_keys(a) ? b : a;
  bool over_view = other.is(kSetKind) ? size_of(view) <= size_of(other)
                                      : is_view_of_keys(other) && size_of(other) > size_of(view);
  Ref<SetObject> wanted = as_set(in, over_view ? other : view);
  return wanted ? filtered(in, over_view ? view : other, *wanted, true, kSetKind) : nullptr;
}

/// Where the first operand changes: itself, or a set made for the purpose.
bool change(Interpreter& in, Opcode which, SetObject& set, const Value& other) {
  switch (which) {
    case Opcode::kBitOr:
      return add_all(in, set, other);
    case Opcode::kBitXor:
      return toggle_all(in, set, other);
    case Opcode::kSubtract:
      return remove_all(in, set, other);
    default:
      return keep_shared(in, set, other);
  }
}

Ref<SetObject> combination(Interpreter& in, Opcode which, SetObject& set, const Value& other) {
  switch (which) {
    case Opcode::kBitAnd:
      return intersection(in, set, other);
    case Opcode::kBitXor:
      return symmetric_difference(in, set, other);
    case Opcode::kSubtract:
      return difference(in, set, other);
    default:
      return union_of(in, set, {&other, 1});
  }
}

}  // namespace

int has_element(SetObject& set, const Value& key, uint64_t hash) {
  Value* found = nullptr;
  Outcome outcome = set.table.find(key, hash, found);
  return outcome == Outcome::kRaised ? -1 : outcome == Outcome::kFound;
}

bool add_all(Interpreter& in, SetObject& set, const Value& elements) {
  if (SetObject* other = as_any_set(elements)) {
    if (other == &set) return true;
    if (set.table.never_filled()) return set.table.take_all(other->table), true;
  }
  if (auto more = size_of_table(elements); more && *more > 0) set.table.make_room(*more);
  return for_each_element(in, elements,
                          [&](const Value& key, uint64_t hash) { return add(set, key, hash); });
}

bool remove_all(Interpreter& in, SetObject& set, const Value& other) {
  Value from = other;
  if (SetObject* removed = as_any_set(other)) {
    if (removed == &set) return set.table.clear(), true;
    // Much larger than this one: only what both have.
    constexpr size_t kMuchLarger = 8;
    if (removed->table.size() / kMuchLarger > set.table.size()) {
      Ref<SetObject> both = intersection(in, set, other);
      if (!both) return false;
      from = Value(std::move(both));
    }
  }
  bool done = for_each_element(in, from, [&](const Value& key, uint64_t hash) {
    return set.table.erase(key, hash) != Outcome::kRaised;
  });
  if (done) set.table.drop_erased();
  return done;
}

bool keep_shared(Interpreter& in, SetObject& set, const Value& other) {
  Ref<SetObject> both = intersection(in, set, other);
  if (both) set.table.swap_entries(both->table);
  return both != nullptr;
}

bool toggle_all(Interpreter& in, SetObject& set, const Value& other) {
  if (as_any_set(other) == &set) return set.table.clear(), true;
  Value elements = other;
  if (!size_of_table(other)) {
    Ref<SetObject> collected = as_set(in, other);
    if (!collected) return false;
    elements = Value(std::move(collected));
  }
  return for_each_element(in, elements, [&](const Value& key, uint64_t hash) {
    Outcome erased = set.table.erase(key, hash);
    return erased == Outcome::kFound || (erased == Outcome::kAbsent && add(set, key, hash));
  });
}

Ref<SetObject> copy_of(const SetObject& set) {
  auto copy = make_ref<SetObject>(set.kind());
  copy->table.take_all(set.table);
  return copy;
}

Ref<SetObject> as_set(Interpreter& in, const Value& value) {
  if (SetObject* set = as_any_set(value)) return Ref<SetObject>(set);
  auto set = make_ref<SetObject>();
  return add_all(in, *set, value) ? set : nullptr;
}

Ref<SetObject> union_of(Interpreter& in, SetObject& set, std::span<const Value> others) {
  Ref<SetObject> result = copy_of(set);
  for (const Value& other : others)
    if (as_any_set(other) != &set && !add_all(in, *result, other)) return nullptr;
  return result;
}

Ref<SetObject> intersection(Interpreter& in, SetObject& set, const Value& other) {
  SetObject* second = as_any_set(other);
  if (second == &set) return copy_of(set);
  if (second && second->table.size() > set.table.size())
    return filtered(in, Value(&set), *second, true, set.kind());
  return filtered(in, other, set, true, set.kind());
}

Ref<SetObject> difference(Interpreter& in, SetObject& set, const Value& other) {
  std::optional<size_t> size = size_of_table(other);
  if (!size || set.table.size() / 4 > *size) {
    Ref<SetObject> result = copy_of(set);
    return remove_all(in, *result, other) ? result : nullptr;
  }
  Ref<SetObject> wanted = as_set(in, other);
  return wanted ? filtered(in, Value(&set), *wanted, false, set.kind()) : nullptr;
}

Ref<SetObject> symmetric_difference(Interpreter& in, SetObject& set, const Value& other) {
  auto result = make_ref<SetObject>(set.kind());
  if (!add_all(in, *result, other)) return nullptr;
  return toggle_all(in, *result, Value(&set)) ? result : nullptr;
}

Value set_operator(Interpreter& in, Opcode which, const Value& a, const Value& b, bool in_place) {
  constexpr Opcode kOperators[] = {Opcode::kBitOr, Opcode::kBitAnd, Opcode::kSubtract,
                                   Opcode::kBitXor};
  SetObject* set = as_any_set(a);
  bool views = is_view_of_keys(a) || is_view_of_keys(b);
  bool sets = (set || is_view_of_keys(a)) && (as_any_set(b) || is_view_of_keys(b));
  if (!sets || std::ranges::find(kOperators, which) == std::end(kOperators))
    return Value::not_implemented();
  Ref<SetObject> result;
  if (in_place && a.is(kSetKind) && !views) {
    if (change(in, which, *set, b)) result = Ref<SetObject>(set);
  } else if (!views) {
    result = combination(in, which, *set, b);
  } else if (which == Opcode::kBitAnd) {
    result = intersection_of_view(in, a, b);
  } else {
    result = new_set_of(in, a);
    if (result && !change(in, which, *result, b)) return Value();
  }
  return result ? Value(std::move(result)) : Value();
}

}  // namespace glint::runtime
