// tuple, range and slice: how they are made, and their methods.
#include <limits>

#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/number_objects.h"

namespace glint::runtime {
namespace {

// ---- tuple -------------------------------------------------------------------------------------

Value construct_tuple(NativeCall& call) {
  if (call[0].is<TupleObject>() && !call[0].as<Object>()->flags()) return call[0];
  std::vector<Value> items;
  if (given(call[0]) && !collect(call.interpreter, call[0], items)) return Value();
  return Value(make_tuple(std::move(items)));
}

Value new_tuple(NativeCall& call) {
  std::vector<Value> items;
  if (given(call[1]) && !collect(call.interpreter, call[1], items)) return Value();
  return instance_of_first(call, Value(make_tuple(std::move(items))),
                           *call.interpreter.classes().tuple);
}

Value tuple_index(NativeCall& call) {
  auto& items = call[0].as<TupleObject>()->items;
  int64_t start = 0, stop = 0;
  if (!bounds_arguments(call, 2, static_cast<int64_t>(items.size()), start, stop)) return Value();
  for (int64_t i = start; i < stop; ++i) {
    const Value& item = items[static_cast<size_t>(i)];
    int same = item.identical(call[1]) ? 1 : equals(call.interpreter, item, call[1]);
    if (same < 0) return Value();
    if (same) return int_value(i);
  }
  return call.raise("ValueError", "tuple.index(x): x not in tuple");
}

Value tuple_count(NativeCall& call) {
  int64_t count = 0;
  for (const Value& item : call[0].as<TupleObject>()->items) {
    int same = item.identical(call[1]) ? 1 : equals(call.interpreter, item, call[1]);
    if (same < 0) return Value();
    count += same;
  }
  return int_value(count);
}

Value size_numel(NativeCall& call) {
  int64_t product = 1;
  for (const Value& size : call[0].as<TupleObject>()->items) product *= size.as_int();
  return int_value(product);
}

Value construct_size(NativeCall& call) {
  std::vector<Value> items;
  if (given(call[0]) && !collect(call.interpreter, call[0], items)) return Value();
  for (size_t i = 0; i < items.size(); ++i)
    if (!number_in(items[i]).is_integral())
      return call.raise("TypeError",
                        fmt::format("torch.Size() takes an iterable of 'int' (item {} is '{}')", i,
                                    type_name(items[i])));
  Ref<TupleObject> size = make_tuple(std::move(items));
  size->set_flag(Object::kIsSize);
  return Value(std::move(size));
}

// ---- range and slice ---------------------------------------------------------------------------

Value construct_range(NativeCall& call) {
  int64_t bounds[3] = {0, 0, 1};
  int given_count = given(call[2]) ? 3 : given(call[1]) ? 2 : 1;
  for (int i = 0; i < given_count; ++i) {
    size_t place = static_cast<size_t>(i);
    if (!int_argument(call, place, bounds[place])) return Value();
  }
  if (given_count == 1) std::swap(bounds[0], bounds[1]);
  if (bounds[2] == 0) return call.raise("ValueError", "range() arg 3 must not be zero");
  return Value(make_ref<RangeObject>(bounds[0], bounds[1], bounds[2]));
}

RangeObject& range_of(NativeCall& call) {
  return *call[0].as<RangeObject>();
}
Value range_start(NativeCall& call) {
  return int_value(range_of(call).start);
}
Value range_stop(NativeCall& call) {
  return int_value(range_of(call).stop);
}
Value range_step(NativeCall& call) {
  return int_value(range_of(call).step);
}

/// The index of an int in a range, or -1. Of numbers far apart it may need more than 63 bits.
__int128 range_place(const RangeObject& range, int64_t value) {
  __int128 offset = static_cast<__int128>(value) - range.start;
  if (offset % range.step != 0) return -1;
  __int128 place = offset / range.step;
  return place >= 0 && place < static_cast<uint64_t>(range.length()) ? place : -1;
}

Value range_index(NativeCall& call) {
  __int128 place = call[1].is_integral() ? range_place(range_of(call), call[1].as_int()) : -1;
  if (place > std::numeric_limits<int64_t>::max())
    return call.raise("OverflowError", "the index is beyond 2**63 - 1: an int has 64 bits here");
  if (place >= 0) return int_value(static_cast<int64_t>(place));
  std::string text;
  if (!repr_of(call.interpreter, call[1], text)) return Value();
  return call.raise("ValueError", text + " is not in range");
}
Value range_count(NativeCall& call) {
  bool found = call[1].is_integral() && range_place(range_of(call), call[1].as_int()) >= 0;
  return int_value(found);
}

Value construct_slice(NativeCall& call) {
  if (!given(call[1])) return Value(make_ref<SliceObject>(Value::none(), call[0], Value::none()));
  return Value(make_ref<SliceObject>(call[0], call[1], call[2]));
}
Value slice_start(NativeCall& call) {
  return call[0].as<SliceObject>()->start;
}
Value slice_stop(NativeCall& call) {
  return call[0].as<SliceObject>()->stop;
}
Value slice_step(NativeCall& call) {
  return call[0].as<SliceObject>()->step;
}
Value slice_indices(NativeCall& call) {
  int64_t length = 0;
  SliceIndices indices;
  if (!int_argument(call, 1, length)) return Value();
  if (!resolve_slice(*call[0].as<SliceObject>(), length, indices)) return Value();
  return Value(
      make_tuple({int_value(indices.start), int_value(indices.stop), int_value(indices.step)}));
}

constexpr Effects kReads{.pure = true, .reads_value = true};
constexpr Effects kReadsItems{.pure = true, .reads_elements = true, .calls_back = true};
constexpr Effects kSearches{
    .pure = true, .reads_elements = true, .calls_back = true, .searches = true};
constexpr Effects kCollects{
    .pure = true, .reads_elements = true, .calls_back = true, .advances_iterator = true};

constexpr Effects kHandsOn{.pure = true,
                           .reads_elements = true,
                           .calls_back = true,
                           .advances_iterator = true,
                           .hands_on = true};

constexpr NativeDefinition kTupleMethods[] = {
    {"index(self, value, start=None, stop=None, /)", tuple_index, kSearches,
     "the place of the first such item"},
    {"count(self, value, /)", tuple_count, kSearches, "how many items are equal to a value"},
    {"__new__(cls, iterable=..., /)", new_tuple, kCollects, "a new tuple"},
};
constexpr NativeDefinition kSizeMethods[] = {
    {"numel(self, /)", size_numel, kReadsItems, "the product of the sizes"},
};
constexpr NativeDefinition kRangeMethods[] = {
    {"index(self, value, /)", range_index, kReads, "the place of a value"},
    {"count(self, value, /)", range_count, kReads, "1 if the value is in the range, else 0"},
};
constexpr NativeDefinition kRangeProperties[] = {
    {"start(self)", range_start, kReads, "the first value"},
    {"stop(self)", range_stop, kReads, "the bound"},
    {"step(self)", range_step, kReads, "the step"},
};
constexpr NativeDefinition kSliceMethods[] = {
    {"indices(self, length, /)", slice_indices, kReads, "(start, stop, step) for a length"},
};
constexpr NativeDefinition kSliceProperties[] = {
    {"start(self)", slice_start, kReads, "the first index"},
    {"stop(self)", slice_stop, kReads, "the bound"},
    {"step(self)", slice_step, kReads, "the step"},
};

}  // namespace

void install_tuple(Interpreter& in) {
  BuiltinClasses& classes = in.classes();
  set_constructor(*classes.tuple, {"tuple(iterable=..., /)", construct_tuple, kHandsOn,
                                   "a tuple of the items of an iterable"});
  in.add_methods(*classes.tuple, kTupleMethods);
  set_constructor(*classes.size,
                  {"Size(iterable=..., /)", construct_size, kCollects, "the sizes of a tensor"});
  in.add_methods(*classes.size, kSizeMethods);
}

void install_range(Interpreter& in) {
  BuiltinClasses& classes = in.classes();
  set_constructor(*classes.range, {"range(start, stop=..., step=..., /)", construct_range, kReads,
                                   "the ints from start up to, but without, stop"});
  in.add_methods(*classes.range, kRangeMethods);
  for (const NativeDefinition& property : kRangeProperties)
    in.add_property(*classes.range, property);
  set_constructor(*classes.slice, {"slice(start, stop=..., step=None, /)", construct_slice, kReads,
                                   "what stands in x[start:stop:step]"});
  in.add_methods(*classes.slice, kSliceMethods);
  for (const NativeDefinition& property : kSliceProperties)
    in.add_property(*classes.slice, property);
}

}  // namespace glint::runtime
