// set and frozenset: how they are made, and their methods.
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/set_algebra.h"

namespace glint::runtime {
namespace {

using Outcome = HashTable::Outcome;

SetObject& self_of(NativeCall& call) {
  return *call[0].as<SetObject>();
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
  return made.defined() ? instance_of_first(call, made, *call.interpreter.classes().frozenset)
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
  Value popped = self_of(call).table.pop_any();
  if (popped.defined()) return popped;
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

Value set_or_raised(Ref<SetObject> result) {
  return result ? Value(std::move(result)) : Value();
}

Value set_union(NativeCall& call) {
  return set_or_raised(union_of(call.interpreter, self_of(call), others_of(call)));
}

Ref<SetObject> shared_by_all(NativeCall& call) {
  Ref<SetObject> result =
      others_of(call).empty() ? copy_of(self_of(call)) : Ref<SetObject>(&self_of(call));
  for (const Value& other : others_of(call)) {
    result = intersection(call.interpreter, *result, other);
    if (!result) return nullptr;
  }
  return result;
}
Value set_intersection(NativeCall& call) {
  return set_or_raised(shared_by_all(call));
}
Value set_intersection_update(NativeCall& call) {
  Ref<SetObject> result = shared_by_all(call);
  if (!result) return Value();
  self_of(call).table.swap_entries(result->table);
  return Value::none();
}

Value set_difference(NativeCall& call) {
  const std::vector<Value>& others = others_of(call);
  if (others.empty()) return Value(copy_of(self_of(call)));
  Ref<SetObject> result = difference(call.interpreter, self_of(call), others[0]);
  for (size_t i = 1; result && i < others.size(); ++i)
    if (!remove_all(call.interpreter, *result, others[i])) return Value();
  return set_or_raised(std::move(result));
}
Value set_difference_update(NativeCall& call) {
  for (const Value& other : others_of(call))
    if (!remove_all(call.interpreter, self_of(call), other)) return Value();
  return Value::none();
}

Value set_symmetric_difference(NativeCall& call) {
  return set_or_raised(symmetric_difference(call.interpreter, self_of(call), call[1]));
}
Value set_symmetric_difference_update(NativeCall& call) {
  return toggle_all(call.interpreter, self_of(call), call[1]) ? Value::none() : Value();
}

/// 1 if each element of `part` is in `whole`.
int is_part(SetObject& part, SetObject& whole) {
  for (size_t i = 0; i < part.table.entries().size(); ++i) {
    auto entry = part.table.entries()[i];
    if (entry.key.is_undefined()) continue;
    if (int found = has_element(whole, entry.key, entry.hash); found <= 0) return found;
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
  Ref<SetObject> shared = intersection(call.interpreter, self_of(call), call[1]);
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
    {"intersection(self, *others)", set_intersection, kReadsAll, "the elements of all"},
    {"difference(self, *others)", set_difference, kReadsAll, "the elements of none else"},
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
    {"intersection_update(self, *others)", set_intersection_update, kMutates,
     "keeps what all have"},
    {"difference_update(self, *others)", set_difference_update, kMutates,
     "removes what others have"},
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
