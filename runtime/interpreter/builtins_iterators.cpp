// Iterators made of iterators (enumerate, zip, map, filter, reversed) and iter, next.
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/builtins_utf8.h"
#include "runtime/interpreter/recursion.h"

namespace glint::runtime {
namespace {

// ---- The iterators -----------------------------------------------------------------------------

/// `next_item`, with the commonest source at once. Iterators of iterators of iterators recurse as
/// deep as they are nested, which the C++ stack bounds.
inline Value step(Interpreter& in, const Value& source) {
  if (source.is<IteratorObject>()) {
    auto* iterator = source.as<IteratorObject>();
    if (iterator->which == IteratorObject::Which::kList) {
      auto* over = static_cast<ListIterator*>(iterator);
      if (over->list && over->index < over->list->items.size())
        return over->list->items[over->index++];
    }
    if (iterator->which == IteratorObject::Which::kOther && !stack_has_room())
      return in.raise("RecursionError", "maximum recursion depth exceeded");
    return handed_on(in.tracer(), iterator->next(in));
  }
  return next_item(in, source);
}

struct EnumerateIterator final : IteratorObject {
  Value source;
  int64_t index;
  EnumerateIterator(Value items, int64_t start) : source(std::move(items)), index(start) {
    gives_pairs = true;
  }
  Value next(Interpreter& in) override {
    Value place, item;
    if (!next_pair(in, place, item)) return Value();
    return Value(make_pair(std::move(place), std::move(item)));
  }
  bool next_pair(Interpreter& in, Value& place, Value& item) override {
    item = step(in, source);
    if (item.is_undefined()) return false;
    place.put(index++);
    return true;
  }
  std::string_view type_name() const override { return "enumerate"; }
  void traverse(Visitor& visit) override { visit(source); }
  void clear() override { source = Value(); }
};

struct ZipIterator final : IteratorObject {
  std::vector<Value> sources;
  bool strict;
  ZipIterator(std::vector<Value> iterators, bool same_length)
      : sources(std::move(iterators)), strict(same_length) {
    gives_pairs = sources.size() == 2;
  }
  bool next_pair(Interpreter& in, Value& first, Value& second) override {
    first = step(in, sources[0]);
    if (first.is_undefined()) {
      if (strict && !in.raised()) ended(in, 0);
      return false;
    }
    second = step(in, sources[1]);
    if (second.defined()) return true;
    if (strict && !in.raised()) ended(in, 1);
    return false;
  }
  Value next(Interpreter& in) override {
    std::vector<Value> row;
    row.reserve(sources.size());
    for (size_t i = 0; i < sources.size(); ++i) {
      Value item = step(in, sources[i]);
      if (item.is_undefined()) return in.raised() || !strict ? Value() : ended(in, i);
      row.push_back(std::move(item));
    }
    return row.empty() ? Value() : Value(make_tuple(std::move(row)));
  }
  /// The source at `place` has ended: with `strict`, all must have.
  Value ended(Interpreter& in, size_t place) {
    auto arguments = [](size_t last) {
      return last == 1 ? std::string("argument 1") : fmt::format("arguments 1-{}", last);
    };
    if (place > 0)
      return in.raise("ValueError", fmt::format("zip() argument {} is shorter than {}", place + 1,
                                                arguments(place)));
    for (size_t i = 1; i < sources.size(); ++i) {
      Value item = next_item(in, sources[i]);
      if (in.raised()) return Value();
      if (item.defined())
        return in.raise("ValueError",
                        fmt::format("zip() argument {} is longer than {}", i + 1, arguments(i)));
    }
    return Value();
  }
  std::string_view type_name() const override { return "zip"; }
  void traverse(Visitor& visit) override {
    for (const Value& source : sources) visit(source);
  }
  void clear() override { sources.clear(); }
};

struct MapIterator final : IteratorObject {
  Value function;
  std::vector<Value> sources;
  MapIterator(Value callable, std::vector<Value> iterators)
      : function(std::move(callable)), sources(std::move(iterators)) {}
  Value next(Interpreter& in) override {
    std::vector<Value> row;
    row.reserve(sources.size());
    for (const Value& source : sources) {
      Value item = step(in, source);
      if (item.is_undefined()) return Value();
      row.push_back(std::move(item));
    }
    return in.call(function, row);
  }
  std::string_view type_name() const override { return "map"; }
  void traverse(Visitor& visit) override {
    visit(function);
    for (const Value& source : sources) visit(source);
  }
  void clear() override {
    function = Value();
    sources.clear();
  }
};

struct FilterIterator final : IteratorObject {
  Value function, source;
  FilterIterator(Value predicate, Value items)
      : function(std::move(predicate)), source(std::move(items)) {}
  Value next(Interpreter& in) override {
    for (Value item; (item = step(in, source)).defined();) {
      Value verdict = function.is_none() ? item : in.call(function, {item});
      if (verdict.is_undefined()) return Value();
      int holds = truth(in, verdict);
      if (holds < 0) return Value();
      if (holds) return item;
    }
    return Value();
  }
  std::string_view type_name() const override { return "filter"; }
  void traverse(Visitor& visit) override {
    visit(function);
    visit(source);
  }
  void clear() override { function = source = Value(); }
};

struct ReversedListIterator final : IteratorObject {
  Ref<ListObject> list;
  int64_t index;
  explicit ReversedListIterator(Ref<ListObject> of)
      : list(std::move(of)), index(static_cast<int64_t>(list->items.size()) - 1) {}
  Value next(Interpreter&) override {
    if (!list || index < 0 || index >= static_cast<int64_t>(list->items.size())) return Value();
    return list->items[static_cast<size_t>(index--)];
  }
  std::string_view type_name() const override { return "list_reverseiterator"; }
  void traverse(Visitor& visit) override { visit(list); }
  void clear() override { list = nullptr; }
};

/// Over a copy of the items, from the last.
struct ReversedItemsIterator final : IteratorObject {
  std::vector<Value> items;
  explicit ReversedItemsIterator(std::vector<Value> all) : items(std::move(all)) {}
  Value next(Interpreter&) override {
    if (items.empty()) return Value();
    Value item = std::move(items.back());
    items.pop_back();
    return item;
  }
  std::string_view type_name() const override { return "reversed"; }
  void traverse(Visitor& visit) override {
    for (const Value& item : items) visit(item);
  }
  void clear() override { items.clear(); }
};

/// `reversed(x)` of an object with `__len__` and `__getitem__`.
struct ReversedSequenceIterator final : IteratorObject {
  Value sequence;
  int64_t index;
  ReversedSequenceIterator(Value of, int64_t length) : sequence(std::move(of)), index(length - 1) {}
  Value next(Interpreter& in) override {
    return index < 0 ? Value() : get_item(in, sequence, Value(index--));
  }
  std::string_view type_name() const override { return "reversed"; }
  void traverse(Visitor& visit) override { visit(sequence); }
  void clear() override { sequence = Value(); }
};

/// `iter(callable, sentinel)`.
struct CallIterator final : IteratorObject {
  Value function, sentinel;
  CallIterator(Value callable, Value end)
      : function(std::move(callable)), sentinel(std::move(end)) {}
  Value next(Interpreter& in) override {
    if (function.is_undefined()) return Value();
    Value item = in.call(function, {});
    if (item.is_undefined()) return Value();
    int ended = equals(in, item, sentinel);
    if (ended == 0) return item;
    if (ended > 0) function = Value();
    return Value();
  }
  std::string_view type_name() const override { return "callable_iterator"; }
  void traverse(Visitor& visit) override {
    visit(function);
    visit(sentinel);
  }
  void clear() override { function = sentinel = Value(); }
};

// ---- The natives -------------------------------------------------------------------------------

/// The iterators of a `*iterables` tuple; false if it raised.
bool iterators_of(NativeCall& call, const Value& iterables, std::vector<Value>& out) {
  for (const Value& iterable : iterables.as<TupleObject>()->items) {
    Value iterator = iterator_of(call.interpreter, iterable);
    if (iterator.is_undefined()) return false;
    out.push_back(std::move(iterator));
  }
  return true;
}

Value native_enumerate(NativeCall& call) {
  int64_t start = 0;
  if (!int_argument(call, 1, start)) return Value();
  Value iterator = iterator_of(call.interpreter, call[0]);
  if (iterator.is_undefined()) return Value();
  return Value(make_ref<EnumerateIterator>(std::move(iterator), start));
}

Value native_zip(NativeCall& call) {
  std::vector<Value> sources;
  if (!iterators_of(call, call[0], sources)) return Value();
  int strict = truth(call.interpreter, call[1]);
  if (strict < 0) return Value();
  return Value(make_ref<ZipIterator>(std::move(sources), strict == 1));
}

Value native_map(NativeCall& call) {
  if (call[1].as<TupleObject>()->items.empty())
    return call.raise("TypeError", "map() must have at least two arguments.");
  std::vector<Value> sources;
  if (!iterators_of(call, call[1], sources)) return Value();
  return Value(make_ref<MapIterator>(call[0], std::move(sources)));
}

Value native_filter(NativeCall& call) {
  Value iterator = iterator_of(call.interpreter, call[1]);
  if (iterator.is_undefined()) return Value();
  return Value(make_ref<FilterIterator>(call[0], std::move(iterator)));
}

Value reversed_dict(DictObject* dict, DictViewObject::What what) {
  std::vector<Value> items;
  for (const auto& entry : dict->table.entries()) {
    if (entry.key.is_undefined()) continue;
    using What = DictViewObject::What;
    items.push_back(what == What::kKeys     ? entry.key
                    : what == What::kValues ? entry.value
                                            : Value(make_tuple({entry.key, entry.value})));
  }
  return Value(make_ref<ReversedItemsIterator>(std::move(items)));
}

Value native_reversed(NativeCall& call) {
  Interpreter& in = call.interpreter;
  const Value& value = call[0];
  if (const Value* method = script_special(value, Special::kReversed)) {
    Value function = *method;
    return in.call(function, {value});
  }
  switch (value.kind()) {
    case kListKind:
      return Value(make_ref<ReversedListIterator>(Ref<ListObject>(value.as<ListObject>())));
    case kTupleKind:
      return Value(make_ref<ReversedItemsIterator>(value.as<TupleObject>()->items));
    case kRangeKind: {
      auto* range = value.as<RangeObject>();
      auto backwards = make_ref<RangeIterator>(*range);
      // The distance may need more than 64 bits, the last item does not.
      uint64_t distance =
          static_cast<uint64_t>(range->length() - 1) * static_cast<uint64_t>(range->step);
      backwards->current = static_cast<int64_t>(static_cast<uint64_t>(range->start) + distance);
      backwards->step = -range->step;
      return Value(std::move(backwards));
    }
    case kDictKind:
      return reversed_dict(value.as<DictObject>(), DictViewObject::What::kKeys);
    case kDictViewKind:
      return reversed_dict(value.as<DictViewObject>()->dict.get(),
                           value.as<DictViewObject>()->what);
    case kStrKind: {
      std::vector<Value> characters;
      for_each_code_point(view_of(value), [&](uint32_t c) {
        characters.push_back(str_value(encode_code_point(c)));
      });
      return Value(make_ref<ReversedItemsIterator>(std::move(characters)));
    }
    case kTensorKind:
      if (value.as<TensorImpl>()->sizes.empty()) return value;
      return in.call_method(value, "flip", {Value(int64_t{0})});
    case kBytesKind:
    case kInstanceKind:
      break;
    default:
      return call.raise("TypeError",
                        fmt::format("'{}' object is not reversible", type_name(value)));
  }
  if (value.is(kInstanceKind) &&
      (!script_special(value, Special::kLen) || !script_special(value, Special::kGetItem)))
    return call.raise("TypeError", fmt::format("'{}' object is not reversible", type_name(value)));
  int64_t length = length_of(in, value);
  if (length < 0) return Value();
  return Value(make_ref<ReversedSequenceIterator>(value, length));
}

Value native_iter(NativeCall& call) {
  if (!given(call[1])) return iterator_of(call.interpreter, call[0]);
  if (!is_callable(call[0])) return call.raise("TypeError", "iter(v, w): v must be callable");
  return Value(make_ref<CallIterator>(call[0], call[1]));
}

Value native_next(NativeCall& call) {
  Interpreter& in = call.interpreter;
  const Value& iterator = call[0];
  bool is_iterator = iterator.is(kIteratorKind) || iterator.is(kGeneratorKind) ||
                     script_special(iterator, Special::kNext) || iterator.is(kNativeDataKind);
  if (!is_iterator)
    return call.raise("TypeError",
                      fmt::format("'{}' object is not an iterator", type_name(iterator)));
  if (!given(call[1]) && !iterator.is(kIteratorKind)) return in.call_method(iterator, "__next__");
  Value item = next_item(in, iterator);
  if (item.defined() || in.raised()) return item;
  if (given(call[1])) return call[1];
  return in.raise(in.classes().exceptions["StopIteration"], {});
}

constexpr Effects kMakes{.pure = true, .reads_value = true, .calls_back = true, .hands_on = true};
constexpr Effects kHandsOut{.pure = true,
                            .reads_value = true,
                            .calls_back = true,
                            .hands_out_items = true,
                            .hands_on = true,
                            .takes_varying = true};
constexpr Effects kAdvances{
    .reads_value = true, .calls_back = true, .advances_iterator = true, .hands_on = true};

constexpr NativeDefinition kFunctions[] = {
    {"enumerate(iterable, start=0)", native_enumerate, kHandsOut, "pairs of index and item"},
    {"zip(*iterables, strict=False)", native_zip, kHandsOut, "tuples of the iterables' items"},
    {"map(func, *iterables)", native_map, kMakes, "func of each item"},
    {"filter(function, iterable, /)", native_filter, kMakes, "the items that function holds for"},
    {"reversed(sequence, /)", native_reversed, kHandsOut, "the items from the last to the first"},
    {"iter(object, sentinel=..., /)", native_iter, kHandsOut, "an iterator over the items"},
    {"next(iterator, default=..., /)", native_next, kAdvances, "the next item of an iterator"},
};

}  // namespace

void install_iterators(Interpreter& in) {
  for (const NativeDefinition& definition : kFunctions) in.add_builtin(definition);
}

}  // namespace glint::runtime
