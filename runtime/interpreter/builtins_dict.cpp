// dict: how it is made, its methods and views.
#include "runtime/interpreter/builtins.h"

namespace glint::runtime {
namespace {

using Outcome = HashTable::Outcome;

DictObject& self_of(NativeCall& call) {
  return *call[0].as<DictObject>();
}

Value raise_key_error(Interpreter& in, const Value& key) {
  return in.raise(in.classes().exceptions["KeyError"], {key});
}

bool set_entry(DictObject& dict, const Value& key, const Value& value) {
  return dict.table.set(key, value) != Outcome::kRaised;
}

/// Adds the pairs of an iterable of pairs.
bool update_from_pairs(Interpreter& in, DictObject& dict, const Value& pairs) {
  Value iterator = iterator_of(in, pairs);
  if (iterator.is_undefined()) return false;
  size_t place = 0;
  for (Value item; (item = next_item(in, iterator)).defined(); ++place) {
    std::vector<Value> pair;
    if (!collect(in, item, pair)) {
      if (in.pending_is("TypeError")) {
        in.take_pending();
        in.raise("TypeError", fmt::format("cannot convert dictionary update sequence element #{} "
                                          "to a sequence",
                                          place));
      }
      return false;
    }
    if (pair.size() != 2) {
      in.raise("ValueError", fmt::format("dictionary update sequence element #{} has length {}; "
                                         "2 is required",
                                         place, pair.size()));
      return false;
    }
    if (!set_entry(dict, pair[0], pair[1])) return false;
  }
  return !in.raised();
}

/// Adds the entries of a dict, of an object with `keys`, or of an iterable of pairs.
bool update(Interpreter& in, DictObject& dict, const Value& other) {
  if (auto* source = other.try_as<DictObject>()) {
    for (size_t i = 0; i < source->table.entries().size(); ++i) {
      auto entry = source->table.entries()[i];
      if (entry.key.is_undefined()) continue;
      // The stored hash saves asking a script's `__hash__` again.
      if (dict.table.set(entry.key, entry.hash, entry.value) == Outcome::kRaised) return false;
    }
    return true;
  }
  Value keys = find_attribute(in, other, intern("keys"));
  if (in.raised()) return false;
  if (keys.is_undefined()) return update_from_pairs(in, dict, other);
  std::vector<Value> names;
  Value listed = in.call(keys, {});
  if (listed.is_undefined() || !collect(in, listed, names)) return false;
  for (const Value& name : names) {
    Value value = get_item(in, other, name);
    if (value.is_undefined() || !set_entry(dict, name, value)) return false;
  }
  return true;
}

bool update_from_arguments(NativeCall& call, size_t first, DictObject& dict) {
  if (given(call[first]) && !update(call.interpreter, dict, call[first])) return false;
  return update(call.interpreter, dict, call[first + 1]);
}

Value construct_dict(NativeCall& call) {
  Ref<DictObject> dict = make_dict();
  return update_from_arguments(call, 0, *dict) ? Value(dict) : Value();
}
Value allocate_dict(Interpreter&, ClassObject* cls) {
  Ref<DictObject> dict = make_dict();
  mark_subclassed(dict.get(), cls);
  return Value(std::move(dict));
}
Value dict_update(NativeCall& call) {
  return update_from_arguments(call, 1, self_of(call)) ? Value::none() : Value();
}

Value dict_get(NativeCall& call) {
  Value* found = nullptr;
  switch (self_of(call).table.find(call[1], found)) {
    case Outcome::kFound:
      return *found;
    case Outcome::kAbsent:
      return call[2];
    default:
      return Value();
  }
}

Value dict_setdefault(NativeCall& call) {
  Value* found = nullptr;
  Outcome outcome = self_of(call).table.find(call[1], found);
  if (outcome == Outcome::kFound) return *found;
  if (outcome == Outcome::kRaised || !set_entry(self_of(call), call[1], call[2])) return Value();
  return call[2];
}

Value dict_pop(NativeCall& call) {
  Value removed;
  switch (self_of(call).table.erase(call[1], &removed)) {
    case Outcome::kFound:
      return removed;
    case Outcome::kAbsent:
      return given(call[2]) ? call[2] : raise_key_error(call.interpreter, call[1]);
    default:
      return Value();
  }
}

Value dict_popitem(NativeCall& call) {
  Value key, value;
  if (!self_of(call).table.pop_last(key, value))
    return call.raise("KeyError", "popitem(): dictionary is empty");
  return Value(make_tuple({key, value}));
}

Value dict_clear(NativeCall& call) {
  self_of(call).table.clear();
  return Value::none();
}
Value dict_copy(NativeCall& call) {
  Ref<DictObject> copy = make_dict();
  copy->table = self_of(call).table;
  return Value(std::move(copy));
}

Value view_value(const Value& dict, DictViewObject::What what) {
  return Value(make_ref<DictViewObject>(Ref<DictObject>(dict.as<DictObject>()), what));
}
Value dict_keys(NativeCall& call) {
  return view_value(call[0], DictViewObject::What::kKeys);
}
Value dict_values(NativeCall& call) {
  return view_value(call[0], DictViewObject::What::kValues);
}
Value dict_items(NativeCall& call) {
  return view_value(call[0], DictViewObject::What::kItems);
}

Value dict_fromkeys(NativeCall& call) {
  Interpreter& in = call.interpreter;
  std::vector<Value> keys;
  if (!collect(in, call[1], keys)) return Value();
  bool plain = call[0].identical(Value(in.classes().dict));
  Value made = plain ? Value(make_dict()) : in.call(call[0], {});
  if (made.is_undefined()) return Value();
  for (const Value& key : keys)
    if (!set_item(in, made, key, call[2])) return Value();
  return made;
}

// Called as `dict.__eq__(a, b)` and through `super()`; the operators do not come here.
Value dict_eq(NativeCall& call) {
  if (!call[1].is<DictObject>()) return Value::not_implemented();
  DictObject& other = *call[1].as<DictObject>();
  if (self_of(call).size() != other.size()) return Value(false);
  for (size_t i = 0; i < self_of(call).table.entries().size(); ++i) {
    auto entry = self_of(call).table.entries()[i];
    if (entry.key.is_undefined()) continue;
    Value* found = nullptr;
    Outcome outcome = other.table.find(entry.key, entry.hash, found);
    if (outcome == Outcome::kRaised) return Value();
    if (outcome == Outcome::kAbsent) return Value(false);
    Value theirs = *found;
    int same = entry.value.identical(theirs) ? 1 : equals(call.interpreter, entry.value, theirs);
    if (same <= 0) return bool_value(same);
  }
  return Value(true);
}
Value dict_getitem(NativeCall& call) {
  Value* found = nullptr;
  Outcome outcome = self_of(call).table.find(call[1], found);
  if (outcome == Outcome::kFound) return *found;
  if (outcome == Outcome::kRaised) return Value();
  if (const Value* missing = script_special(call[0], Special::kMissing)) {
    Value function = *missing;
    return call.interpreter.call(function, {call[0], call[1]});
  }
  return raise_key_error(call.interpreter, call[1]);
}
Value dict_setitem(NativeCall& call) {
  return set_entry(self_of(call), call[1], call[2]) ? Value::none() : Value();
}
Value dict_delitem(NativeCall& call) {
  Outcome outcome = self_of(call).table.erase(call[1]);
  if (outcome == Outcome::kFound) return Value::none();
  return outcome == Outcome::kRaised ? Value() : raise_key_error(call.interpreter, call[1]);
}
Value dict_contains(NativeCall& call) {
  Value* found = nullptr;
  Outcome outcome = self_of(call).table.find(call[1], found);
  return outcome == Outcome::kRaised ? Value() : Value(outcome == Outcome::kFound);
}

Value view_isdisjoint(NativeCall& call) {
  std::vector<Value> items;
  if (!collect(call.interpreter, call[1], items)) return Value();
  for (const Value& item : items)
    if (int found = contains(call.interpreter, call[0], item); found != 0)
      return found < 0 ? Value() : Value(false);
  return Value(true);
}
Value view_mapping(NativeCall& call) {
  return Value(call[0].as<DictViewObject>()->dict);
}

constexpr Effects kFindsKey{.pure = true, .reads_keys = true, .calls_back = true, .searches = true};
constexpr Effects kReadsAll{.pure = true,
                            .reads_keys = true,
                            .reads_elements = true,
                            .calls_back = true,
                            .advances_iterator = true};
constexpr Effects kMutates{.reads_keys = true, .mutates = true, .calls_back = true};
constexpr Effects kSparesItems{
    .reads_keys = true, .mutates = true, .calls_back = true, .spares_items = true};
constexpr Effects kViews{.pure = true,
                         .hands_out_items = true,
                         .hands_on = true,
                         .takes_varying = true,
                         .spares_items = true};

/// All that `kReadsAll` does; what it reads it puts under keys, looking at these alone.
constexpr Effects kCollects{.pure = true,
                            .reads_keys = true,
                            .reads_elements = true,
                            .calls_back = true,
                            .advances_iterator = true,
                            .hashes = Hashes::kKeys};

constexpr NativeDefinition kMethods[] = {
    {"__init__(self, iterable=..., /, **kwargs)",
     dict_update,
     {.reads_keys = true,
      .mutates = true,
      .calls_back = true,
      .hands_on = true,
      .takes_varying = true,
      .hashes = Hashes::kKeys},
     "fills the dict"},
    {"get(self, key, default=None, /)",
     dict_get,
     {.pure = true,
      .reads_keys = true,
      .reads_elements = true,
      .calls_back = true,
      .hands_out_items = true,
      .hands_on = true,
      .takes_varying = true,
      .looks_up = true},
     "the value of a key, or a default"},
    {"setdefault(self, key, default=None, /)",
     dict_setdefault,
     {.reads_keys = true,
      .mutates = true,
      .calls_back = true,
      .hands_on = true,
      .takes_varying = true,
      .looks_up = true},
     "the value of a key, which is set to a default where it is missing"},
    {"pop(self, key, default=..., /)", dict_pop, kSparesItems,
     "removes a key and returns its value"},
    {"popitem(self, /)", dict_popitem, kSparesItems, "removes and returns the last (key, value)"},
    {"update(self, iterable=..., /, **kwargs)",
     dict_update,
     {.reads_keys = true,
      .mutates = true,
      .calls_back = true,
      .spares_items = true,
      .hashes = Hashes::kKeys},
     "adds the entries of another dict, or pairs"},
    {"clear(self, /)", dict_clear, {.mutates = true, .spares_items = true}, "removes all entries"},
    {"copy(self, /)",
     dict_copy,
     {.pure = true,
      .reads_keys = true,
      .reads_elements = true,
      .calls_back = true,
      .advances_iterator = true,
      .spares_items = true},
     "a new dict, same entries"},
    {"keys(self, /)", dict_keys, kViews, "a view of the keys"},
    {"values(self, /)", dict_values, kViews, "a view of the values"},
    {"items(self, /)", dict_items, kViews, "a view of the (key, value) pairs"},
    {"__eq__(self, other, /)", dict_eq, kReadsAll, "whether the entries are the same"},
    {"__getitem__(self, key, /)", dict_getitem, kReadsAll, "the value of a key"},
    {"__setitem__(self, key, value, /)", dict_setitem, kSparesItems, "sets the value of a key"},
    {"__delitem__(self, key, /)", dict_delitem, kMutates, "removes a key"},
    {"__contains__(self, key, /)", dict_contains, kFindsKey, "whether there is a key"},
};
constexpr NativeDefinition kClassMethods[] = {
    {"fromkeys(cls, iterable, value=None, /)", dict_fromkeys, kReadsAll,
     "a new dict of keys with one value"},
};
constexpr NativeDefinition kViewMethods[] = {
    {"isdisjoint(self, other, /)", view_isdisjoint, kReadsAll, "whether no item is in both"},
};
constexpr NativeDefinition kViewMapping = {
    "mapping(self)", view_mapping, {.pure = true}, "the dict that is viewed"};

}  // namespace

void install_dict(Interpreter& in) {
  ClassObject& cls = *in.classes().dict;
  set_constructor(cls, {"dict(iterable=..., /, **kwargs)", construct_dict, kCollects,
                        "a new dict of entries, pairs or keywords"});
  cls.allocate = allocate_dict;
  in.add_methods(cls, kMethods);
  add_class_methods(cls, kClassMethods);
  for (auto* view : {in.classes().dict_keys.get(), in.classes().dict_items.get()})
    in.add_methods(*view, kViewMethods);
  for (auto* view : {in.classes().dict_keys.get(), in.classes().dict_values.get(),
                     in.classes().dict_items.get()})
    in.add_property(*view, kViewMapping);
}

}  // namespace glint::runtime
