// set and frozenset: how they are made, and their methods.
#include "runtime/interpreter/builtins.h"

namespace glint::runtime {
namespace {

using Outcome = HashTable::Outcome;

SetObject& self_of(NativeCall& call) {
  return *call[0].as<SetObject>();
}

/// Calls `f(key, hash)` for each element of a set or iterable; false if it raised or `f` says so.
template <class F>
bool for_each_element(Interpreter& in, const Value& elements, F f) {
  if (SetObject* set = as_any_set(elements)) {
    // By index: `f` may run script code that changes the set.
    for (size_t i = 0; i < set->table.entries().size(); ++i) {
      auto entry = set->table.entries()[i];
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

bool add_all(Interpreter& in, SetObject& set, const Value& elements) {
  return for_each_element(in, elements, [&](const Value& key, uint64_t hash) {
    return set.table.set(key, hash, Value::none()) != Outcome::kRaised;
  });
}

Ref<SetObject> copy_of(const SetObject& set) {
  auto copy = make_ref<SetObject>(set.kind());
  copy->table = set.table;
  return copy;
}

/// A set to compare with or look in: the argument itself, or its elements collected.
Ref<SetObject> as_set(Interpreter& in, const Value& value) {
  if (SetObject* set = as_any_set(value)) return Ref<SetObject>(set);
  auto set = make_ref<SetObject>();
  if (!add_all(in, *set, value)) return nullptr;
  return set;
}

/// 1 if the set has the key, 0 if not, -1 if it raised.
int has(SetObject& set, const Value& key, uint64_t hash) {
  Value* found = nullptr;
  Outcome outcome = set.table.find(key, hash, found);
  return outcome == Outcome::kRaised ? -1 : outcome == Outcome::kFound;
}

// ---- Making ------------------------------------------------------------------------------------

Value make_from(NativeCall& call, ObjectKind kind, size_t index) {
  auto set = make_ref<SetObject>(kind);
  if (given(call[index]) && !add_all(call.interpreter, *set, call[index])) return Value();
  return Value(std::move(set));
}
Value construct_set(NativeCall& call) {
  return make_from(call, kSetKind, 0);
}
Value construct_frozenset(NativeCall& call) {
  if (call[0].is(kFrozenSetKind) && !call[0].as<Object>()->flags()) return call[0];
  return make_from(call, kFrozenSetKind, 0);
}
Value new_frozenset(NativeCall& call) {
  Value made = make_from(call, kFrozenSetKind, 1);
  return made.defined() ? subclassed(made, call[0], call.interpreter.classes().frozenset.get())
                        : Value();
}
Value allocate_set(Interpreter&, ClassObject* cls) {
  auto set = make_ref<SetObject>();
  mark_subclassed(set.get(), cls);
  return Value(std::move(set));
}
Value set_init(NativeCall& call) {
  self_of(call).table.clear();
  if (given(call[1]) && !add_all(call.interpreter, self_of(call), call[1])) return Value();
  return Value::none();
}

// ---- One element -------------------------------------------------------------------------------

Value set_add(NativeCall& call) {
  Outcome outcome = self_of(call).table.set(call[1], Value::none());
  return outcome == Outcome::kRaised ? Value() : Value::none();
}
Value set_discard(NativeCall& call) {
  return self_of(call).table.erase(call[1]) == Outcome::kRaised ? Value() : Value::none();
}
Value set_remove(NativeCall& call) {
  Outcome outcome = self_of(call).table.erase(call[1]);
  if (outcome == Outcome::kFound) return Value::none();
  if (outcome == Outcome::kRaised) return Value();
  return call.interpreter.raise(call.interpreter.classes().exceptions["KeyError"], {call[1]});
}
Value set_pop(NativeCall& call) {
  for (const auto& entry : self_of(call).table.entries()) {
    if (entry.key.is_undefined()) continue;
    Value key = entry.key;
    if (self_of(call).table.erase(key) == Outcome::kRaised) return Value();
    return key;
  }
  return call.interpreter.raise(call.interpreter.classes().exceptions["KeyError"],
                                {str_value("pop from an empty set")});
}
Value set_clear(NativeCall& call) {
  self_of(call).table.clear();
  return Value::none();
}
Value set_copy(NativeCall& call) {
  return Value(copy_of(self_of(call)));
}

// ---- Whole sets --------------------------------------------------------------------------------

const std::vector<Value>& others_of(NativeCall& call) {
  return call[1].as<TupleObject>()->items;
}

Value set_update(NativeCall& call) {
  for (const Value& other : others_of(call))
    if (!add_all(call.interpreter, self_of(call), other)) return Value();
  return Value::none();
}
Value set_union(NativeCall& call) {
  Ref<SetObject> result = copy_of(self_of(call));
  for (const Value& other : others_of(call))
    if (!add_all(call.interpreter, *result, other)) return Value();
  return Value(std::move(result));
}

/// Keeps (or drops) the elements of `set` that are in `other`.
Ref<SetObject> filtered(Interpreter& in, SetObject& set, const Value& other, bool keep) {
  Ref<SetObject> wanted = as_set(in, other);
  if (!wanted) return nullptr;
  auto result = make_ref<SetObject>(set.kind());
  for (size_t i = 0; i < set.table.entries().size(); ++i) {
    auto entry = set.table.entries()[i];
    if (entry.key.is_undefined()) continue;
    int found = has(*wanted, entry.key, entry.hash);
    if (found < 0) return nullptr;
    if ((found == 1) == keep) result->table.set(entry.key, entry.hash, Value::none());
  }
  return result;
}

Ref<SetObject> filtered_by_all(NativeCall& call, bool keep) {
  Ref<SetObject> result = copy_of(self_of(call));
  for (const Value& other : others_of(call)) {
    result = filtered(call.interpreter, *result, other, keep);
    if (!result) return nullptr;
  }
  return result;
}
template <bool kKeep>
Value set_filtered(NativeCall& call) {
  Ref<SetObject> result = filtered_by_all(call, kKeep);
  return result ? Value(result) : Value();
}
template <bool kKeep>
Value set_filter(NativeCall& call) {
  Ref<SetObject> result = filtered_by_all(call, kKeep);
  if (!result) return Value();
  self_of(call).table = result->table;
  return Value::none();
}

Ref<SetObject> symmetric(NativeCall& call) {
  Interpreter& in = call.interpreter;
  Ref<SetObject> other = as_set(in, call[1]);
  if (!other) return nullptr;
  Ref<SetObject> result = filtered(in, self_of(call), Value(other), false);
  if (!result) return nullptr;
  for (const auto& entry : other->table.entries()) {
    if (entry.key.is_undefined()) continue;
    int found = has(self_of(call), entry.key, entry.hash);
    if (found < 0) return nullptr;
    if (!found) result->table.set(entry.key, entry.hash, Value::none());
  }
  return result;
}
Value set_symmetric_difference(NativeCall& call) {
  Ref<SetObject> result = symmetric(call);
  return result ? Value(result) : Value();
}
Value set_symmetric_difference_update(NativeCall& call) {
  Ref<SetObject> result = symmetric(call);
  if (!result) return Value();
  self_of(call).table = result->table;
  return Value::none();
}

/// 1 if each element of `part` is in `whole`.
int is_part(SetObject& part, SetObject& whole) {
  for (size_t i = 0; i < part.table.entries().size(); ++i) {
    auto entry = part.table.entries()[i];
    if (entry.key.is_undefined()) continue;
    if (int found = has(whole, entry.key, entry.hash); found <= 0) return found;
  }
  return 1;
}
Value set_issubset(NativeCall& call) {
  Ref<SetObject> other = as_set(call.interpreter, call[1]);
  return other ? bool_value(is_part(self_of(call), *other)) : Value();
}
Value set_issuperset(NativeCall& call) {
  Ref<SetObject> other = as_set(call.interpreter, call[1]);
  return other ? bool_value(is_part(*other, self_of(call))) : Value();
}
Value set_isdisjoint(NativeCall& call) {
  Ref<SetObject> shared = filtered(call.interpreter, self_of(call), call[1], true);
  return shared ? Value(shared->table.empty()) : Value();
}

constexpr Effects kReadsAll{
    .pure = true, .reads_elements = true, .calls_back = true, .advances_iterator = true};
constexpr Effects kMutates{
    .reads_elements = true, .mutates = true, .calls_back = true, .advances_iterator = true};

constexpr Effects kSparesItems{.reads_elements = true,
                               .mutates = true,
                               .calls_back = true,
                               .advances_iterator = true,
                               .spares_items = true};

constexpr NativeDefinition kMethods[] = {
    {"copy(self, /)",
     set_copy,
     {.pure = true,
      .reads_elements = true,
      .calls_back = true,
      .advances_iterator = true,
      .spares_items = true},
     "a new set, same elements"},
    {"union(self, *others)", set_union, kReadsAll, "the elements of any"},
    {"intersection(self, *others)", set_filtered<true>, kReadsAll, "the elements of all"},
    {"difference(self, *others)", set_filtered<false>, kReadsAll, "the elements of none else"},
    {"symmetric_difference(self, other, /)", set_symmetric_difference, kReadsAll,
     "the elements of one, not both"},
    {"issubset(self, other, /)", set_issubset, kReadsAll, "whether the other has all of these"},
    {"issuperset(self, other, /)", set_issuperset, kReadsAll, "whether this has all of the other"},
    {"isdisjoint(self, other, /)", set_isdisjoint, kReadsAll, "whether no element is in both"},
};
constexpr NativeDefinition kMutableMethods[] = {
    {"__init__(self, iterable=..., /)",
     set_init,
     {.reads_elements = true,
      .mutates = true,
      .calls_back = true,
      .advances_iterator = true,
      .hands_on = true,
      .takes_varying = true,
      .hashes = Hashes::kItems},
     "fills the set"},
    {"add(self, element, /)", set_add, kSparesItems, "adds an element"},
    {"discard(self, element, /)", set_discard, kSparesItems, "removes an element if it is there"},
    {"remove(self, element, /)",
     set_remove,
     {.reads_elements = true,
      .mutates = true,
      .calls_back = true,
      .advances_iterator = true,
      .searches = true},
     "removes an element, which must be there"},
    {"pop(self, /)", set_pop, kSparesItems, "removes and returns an element"},
    {"clear(self, /)", set_clear, {.mutates = true, .spares_items = true}, "removes all elements"},
    {"update(self, *others)", set_update, kSparesItems, "adds the elements of others"},
    {"intersection_update(self, *others)", set_filter<true>, kMutates, "keeps what all have"},
    {"difference_update(self, *others)", set_filter<false>, kMutates, "removes what others have"},
    {"symmetric_difference_update(self, other, /)", set_symmetric_difference_update, kMutates,
     "keeps what one has, not both"},
};
constexpr NativeDefinition kFrozenMethods[] = {
    {"__new__(cls, iterable=..., /)", new_frozenset, kReadsAll, "a new frozenset"},
};

}  // namespace

void install_set(Interpreter& in) {
  BuiltinClasses& classes = in.classes();
  set_constructor(*classes.set, {"set(iterable=..., /)", construct_set, kReadsAll,
                                 "a new set of the items of an iterable"});
  classes.set->allocate = allocate_set;
  in.add_methods(*classes.set, kMethods);
  in.add_methods(*classes.set, kMutableMethods);
  set_constructor(*classes.frozenset, {"frozenset(iterable=..., /)", construct_frozenset, kReadsAll,
                                       "a set that cannot be changed"});
  in.add_methods(*classes.frozenset, kMethods);
  in.add_methods(*classes.frozenset, kFrozenMethods);
}

}  // namespace glint::runtime
