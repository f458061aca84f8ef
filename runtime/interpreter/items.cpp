// Lengths, subscripts, membership and iteration.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ops/op.h"
#include "runtime/interpreter/big_ints.h"
#include "runtime/interpreter/machine.h"
#include "runtime/interpreter/number_objects.h"
#include "runtime/interpreter/plain_items.h"
#include "runtime/interpreter/plain_values.h"
#include "runtime/interpreter/scripted.h"
#include "runtime/interpreter/tensor_operators.h"

namespace glint::runtime {
namespace {

std::string_view sequence_name(const Value& value) {
  switch (value.kind()) {
    case kListKind:
      return "list";
    case kTupleKind:
      return "tuple";
    case kStrKind:
      return "string";
    case kRangeKind:
      return "range object";
    default:
      return "";
  }
}

Value out_of_range(Interpreter& in, const Value& object, std::string_view action) {
  std::string subject = fmt::format("{}{}", sequence_name(object), action);
  return in.raise("IndexError", subject + (subject.empty() ? "" : " ") + "index out of range");
}

bool index_in(Interpreter& in, const Value& object, const Value& key, int64_t length,
              std::string_view action, int64_t& index) {
  if (!index_of(in, key, index)) return false;
  if (index < 0) index += length;
  if (index >= 0 && index < length) return true;
  out_of_range(in, object, action);
  return false;
}

bool is_indexable(const Value& key) {
  return is_any_int(number_in(key)) || scripted_special(key, Special::kIndex).defined() ||
         key.is(kTensorKind);
}

std::vector<Value> sliced(const std::vector<Value>& items, const SliceIndices& at) {
  std::vector<Value> out;
  out.reserve(static_cast<size_t>(at.length));
  for (int64_t i = 0, from = at.start; i < at.length; ++i, from += at.step) {
    out.push_back(items[static_cast<size_t>(from)]);
  }
  return out;
}

/// The nearest int of 64 bits: a bound of a range stays beyond its items.
int64_t narrowed(__int128 value) {
  constexpr __int128 kLeast = std::numeric_limits<int64_t>::min();
  constexpr __int128 kMost = std::numeric_limits<int64_t>::max();
  return static_cast<int64_t>(std::clamp(value, kLeast, kMost));
}

int64_t range_item(const RangeObject& range, int64_t index) {
  return narrowed(range.start + static_cast<__int128>(range.step) * index);
}

Value get_slice(Interpreter& in, const Value& object, const SliceObject& slice) {
  SliceIndices at;
  switch (object.kind()) {
    case kListKind: {
      const auto& items = object.as<ListObject>()->items;
      Ref<SliceObject> plain = with_plain_bounds(slice);
      if (!plain || !resolve_slice(*plain, static_cast<int64_t>(items.size()), at)) return Value();
      return Value(make_list(sliced(items, at)));
    }
    case kTupleKind: {
      auto* tuple = object.as<TupleObject>();
      if (!resolve_slice(slice, static_cast<int64_t>(tuple->items.size()), at)) return Value();
      Ref<TupleObject> result = make_tuple(sliced(tuple->items, at));
      if (tuple->is_size()) result->set_flag(Object::kIsSize);
      return Value(std::move(result));
    }
    case kStrKind: {
      auto* text = object.as<StrObject>();
      if (!resolve_slice(slice, text->length, at)) return Value();
      if (at.step == 1) {
        return str_value(std::string(code_point_slice(*text, at.start, at.start + at.length)));
      }
      std::string out;
      for (int64_t i = 0, from = at.start; i < at.length; ++i, from += at.step) {
        out += code_point_slice(*text, from, from + 1);
      }
      return str_value(std::move(out));
    }
    case kBytesKind: {
      const auto& data = object.as<BytesObject>()->data;
      if (!resolve_slice(slice, static_cast<int64_t>(data.size()), at)) return Value();
      std::string out;
      for (int64_t i = 0, from = at.start; i < at.length; ++i, from += at.step) {
        out += data[static_cast<size_t>(from)];
      }
      return Value(make_ref<BytesObject>(std::move(out)));
    }
    default: {
      auto* range = object.as<RangeObject>();
      if (range->length() < 0)
        return in.raise("OverflowError",
                        "a slice of more than 2**63 - 1 items: an int has 64 bits here");
      if (!resolve_slice(slice, range->length(), at)) return Value();
      return Value(make_ref<RangeObject>(range_item(*range, at.start), range_item(*range, at.stop),
                                         narrowed(static_cast<__int128>(range->step) * at.step)));
    }
  }
}

Value get_at(Interpreter& in, const Value& object, const Value& given) {
  int64_t index;
  if (is_big_int(number_in(given)))
    return in.raise("IndexError", "cannot fit 'int' into an index-sized integer");
  if (!index_of(in, given, index)) return Value();
  Value key(index);
  switch (object.kind()) {
    case kListKind: {
      const auto& items = object.as<ListObject>()->items;
      if (!index_in(in, object, key, static_cast<int64_t>(items.size()), "", index)) return Value();
      return items[static_cast<size_t>(index)];
    }
    case kTupleKind: {
      const auto& items = object.as<TupleObject>()->items;
      if (!index_in(in, object, key, static_cast<int64_t>(items.size()), "", index)) return Value();
      return items[static_cast<size_t>(index)];
    }
    case kStrKind: {
      auto* text = object.as<StrObject>();
      if (!index_in(in, object, key, text->length, "", index)) return Value();
      return Value(intern(code_point_slice(*text, index, index + 1)));
    }
    case kBytesKind: {
      const auto& data = object.as<BytesObject>()->data;
      if (!index_in(in, object, key, static_cast<int64_t>(data.size()), "", index)) return Value();
      return Value(int64_t{static_cast<unsigned char>(data[static_cast<size_t>(index)])});
    }
    default: {
      auto* range = object.as<RangeObject>();
      int64_t length = range->length();
      if (length >= 0) {
        if (!index_in(in, object, key, length, "", index)) return Value();
        return Value(range_item(*range, index));
      }
      // More items than an index counts up to: any index is inside.
      uint64_t place = static_cast<uint64_t>(index) + static_cast<uint64_t>(index < 0 ? length : 0);
      return Value(static_cast<int64_t>(static_cast<uint64_t>(range->start) +
                                        place * static_cast<uint64_t>(range->step)));
    }
  }
}

Value dict_item(Interpreter& in, const Value& object, const Value& key) {
  Value* found = nullptr;
  switch (object.as<DictObject>()->table.find(key, found)) {
    case HashTable::Outcome::kFound:
      return *found;
    case HashTable::Outcome::kRaised:
      return Value();
    case HashTable::Outcome::kAbsent:
      break;
  }
  if (ClassObject* cls = scripted_class(object)) {
    Value missing = cls->special(Special::kMissing);
    if (missing.defined()) return in.call(missing, {object, key});
  }
  return in.raise(in.classes().exceptions["KeyError"], {key});
}

bool set_slice(Interpreter& in, ListObject& list, const SliceObject& slice, const Value& value) {
  std::vector<Value> fresh;
  if (!value.is(kTensorKind) && value.is_object()) {
    if (!collect(in, value, fresh)) return false;
  } else {
    in.raise("TypeError", "can only assign an iterable");
    return false;
  }
  SliceIndices at;
  Ref<SliceObject> plain = with_plain_bounds(slice);
  if (!plain || !resolve_slice(*plain, static_cast<int64_t>(list.items.size()), at)) return false;
  ++list.version;
  auto count = static_cast<int64_t>(fresh.size());
  if (at.step == 1) {
    auto begin = list.items.begin() + at.start;
    auto end = begin + at.length;
    std::vector<Value> dead(std::make_move_iterator(begin), std::make_move_iterator(end));
    list.items.erase(begin, end);
    list.items.insert(list.items.begin() + at.start, fresh.begin(), fresh.end());
    return true;
  }
  if (count != at.length) {
    in.raise("ValueError",
             fmt::format("attempt to assign sequence of size {} to extended slice of size {}",
                         count, at.length));
    return false;
  }
  for (int64_t i = 0; i < count; ++i) {
    list.items[static_cast<size_t>(at.start + i * at.step)] = fresh[static_cast<size_t>(i)];
  }
  return true;
}

bool delete_from_list(Interpreter& in, const Value& object, const Value& key) {
  auto* list = object.as<ListObject>();
  ++list->version;
  auto* slice = key.try_as<SliceObject>();
  if (!slice) {
    int64_t index;
    if (!index_of(in, key, index)) return false;
    auto length = static_cast<int64_t>(list->items.size());
    if (!index_in(in, object, Value(index), length, " assignment", index)) return false;
    Value dead = list->items[static_cast<size_t>(index)];
    list->items.erase(list->items.begin() + index);
    return true;
  }
  SliceIndices at;
  Ref<SliceObject> plain = with_plain_bounds(*slice);
  if (!plain) return false;
  auto length = static_cast<int64_t>(list->items.size());
  if (!resolve_slice(*plain, length, at)) return false;
  std::vector<int64_t> places;
  for (int64_t i = 0, from = at.start; i < at.length; ++i, from += at.step) places.push_back(from);
  std::sort(places.begin(), places.end());
  std::vector<Value> kept, dead;
  size_t next = 0;
  for (int64_t i = 0; i < length; ++i) {
    bool gone = next < places.size() && places[next] == i;
    if (gone) ++next;
    (gone ? dead : kept).push_back(std::move(list->items[static_cast<size_t>(i)]));
  }
  list->items = std::move(kept);
  return true;
}

bool is_builtin_sequence(const Value& value) {
  switch (value.kind()) {
    case kListKind:
    case kTupleKind:
    case kStrKind:
    case kBytesKind:
    case kRangeKind:
      return true;
    default:
      return false;
  }
}

}  // namespace

// ---- Length ------------------------------------------------------------------------------------

int64_t length_of(Interpreter& in, const Value& value) {
  if (value.kind() == kTensorKind) return tensor_length(in, value);
  Value method = scripted_special(value, Special::kLen);
  if (method.defined()) {
    Value result = in.call(method, {value});
    if (result.is_undefined()) return -1;
    int64_t length;
    if (!index_of(in, result, length)) return -1;
    if (length >= 0) return length;
    in.raise("ValueError", "__len__() should return >= 0");
    return -1;
  }
  return plain_length(in, value);
}

int64_t plain_length(Interpreter& in, const Value& value) {
  switch (value.kind()) {
    case kStrKind:
      return value.as<StrObject>()->length;
    case kBytesKind:
      return static_cast<int64_t>(value.as<BytesObject>()->data.size());
    case kListKind:
      return static_cast<int64_t>(value.as<ListObject>()->items.size());
    case kTupleKind:
      return static_cast<int64_t>(value.as<TupleObject>()->items.size());
    case kDictKind:
      return static_cast<int64_t>(value.as<DictObject>()->size());
    case kSetKind:
    case kFrozenSetKind:
      return static_cast<int64_t>(value.as<SetObject>()->table.size());
    case kRangeKind:
      if (int64_t length = value.as<RangeObject>()->length(); length >= 0) return length;
      in.raise("OverflowError", "Python int too large to convert to C ssize_t");
      return -1;
    case kDictViewKind:
      return static_cast<int64_t>(value.as<DictViewObject>()->dict->size());
    default:
      in.raise("TypeError", fmt::format("object of type '{}' has no len()", type_name(value)));
      return -1;
  }
}

// ---- Subscripts --------------------------------------------------------------------------------

Value get_item(Interpreter& in, const Value& object, const Value& key) {
  if (object.kind() == kTensorKind) return tensor_item(in, object, key);
  Value method = scripted_special(object, Special::kGetItem);
  if (method.defined()) return in.call(method, {object, key});
  return plain_item(in, object, key);
}

Value plain_item(Interpreter& in, const Value& object, const Value& key) {
  if (is_builtin_sequence(object)) {
    if (auto* slice = key.try_as<SliceObject>()) return get_slice(in, object, *slice);
    if (is_indexable(key)) return get_at(in, object, key);
    std::string name = object.is<StrObject>()     ? "string"
                       : object.is<BytesObject>() ? "byte"
                                                  : type_name(object);
    return in.raise("TypeError", fmt::format("{} indices must be integers{}, not {}{}{}", name,
                                             object.is<StrObject>() ? "" : " or slices",
                                             object.is<StrObject>() ? "'" : "", type_name(key),
                                             object.is<StrObject>() ? "'" : ""));
  }
  if (object.is<DictObject>()) return dict_item(in, object, key);
  if (auto* cls = object.try_as<ClassObject>()) {
    Value* hook = cls->lookup("__class_getitem__");
    if (!hook && cls->native) return object;  // list[int], dict[str, int]: annotations
    if (hook) {
      Value bound = hook->is(kClassMethodKind) ? hook->as<WrappedMethodObject>()->function : *hook;
      return in.call(bound, {object, key});
    }
    return in.raise("TypeError", fmt::format("type '{}' is not subscriptable", cls->name->text));
  }
  return in.raise("TypeError", fmt::format("'{}' object is not subscriptable", type_name(object)));
}

static bool check_list_index(Interpreter& in, const Value& key) {
  if (is_indexable(key)) return true;
  in.raise("TypeError",
           fmt::format("list indices must be integers or slices, not {}", type_name(key)));
  return false;
}

bool set_item(Interpreter& in, const Value& object, const Value& key, const Value& value) {
  if (object.kind() == kTensorKind) return tensor_set_item(in, object, key, value);
  Value method = scripted_special(object, Special::kSetItem);
  if (method.defined()) return in.call(method, {object, key, value}).defined();
  if (object.is<DictObject>()) {
    return object.as<DictObject>()->table.set(key, value) != HashTable::Outcome::kRaised;
  }
  if (auto* list = object.try_as<ListObject>()) {
    if (auto* slice = key.try_as<SliceObject>()) return set_slice(in, *list, *slice, value);
    if (!check_list_index(in, key)) return false;
    int64_t index;
    if (!index_of(in, key, index)) return false;
    auto length = static_cast<int64_t>(list->items.size());
    if (!index_in(in, object, Value(index), length, " assignment", index)) return false;
    ++list->version;
    list->items[static_cast<size_t>(index)] = value;
    return true;
  }
  in.raise("TypeError",
           fmt::format("'{}' object does not support item assignment", type_name(object)));
  return false;
}

/// Of what has CPython's sequence protocol, if only for `len` or `in`: there an index is refused in
/// other words.
static bool counts_as_sequence(const Value& object) {
  return object.is<TupleObject>() || object.is<StrObject>() || object.is<BytesObject>() ||
         object.is<RangeObject>() || object.is<DictViewObject>() || as_any_set(object) ||
         scripted_class(object);
}

bool delete_item(Interpreter& in, const Value& object, const Value& key) {
  Value method = scripted_special(object, Special::kDelItem);
  if (method.defined()) return in.call(method, {object, key}).defined();
  if (object.is<DictObject>()) {
    auto outcome = object.as<DictObject>()->table.erase(key);
    if (outcome == HashTable::Outcome::kAbsent) {
      in.raise(in.classes().exceptions["KeyError"], {key});
    }
    return outcome == HashTable::Outcome::kFound;
  }
  if (object.is<ListObject>()) {
    bool fits = key.is<SliceObject>() || check_list_index(in, key);
    return fits && delete_from_list(in, object, key);
  }
  const bool is_index = counts_as_sequence(object) && is_indexable(key);
  in.raise("TypeError", fmt::format("'{}' object {} support item deletion", type_name(object),
                                    is_index ? "doesn't" : "does not"));
  return false;
}

// ---- Membership --------------------------------------------------------------------------------

static int contains_in_table(HashTable& table, const Value& item) {
  Value* found;
  switch (table.find(item, found)) {
    case HashTable::Outcome::kFound:
      return 1;
    case HashTable::Outcome::kAbsent:
      return 0;
    case HashTable::Outcome::kRaised:
      break;
  }
  return -1;
}

static int contains_by_search(Interpreter& in, const Value& container, const Value& item) {
  if (const std::vector<Value>* row = plain_row(container)) {
    // What `==` runs may change the list: it is asked for its size each time.
    for (size_t i = 0; i < row->size(); ++i) {
      if ((*row)[i].identical(item)) return 1;
      int equal = plain_equals((*row)[i], item);
      if (equal < 0) equal = equals(in, Value((*row)[i]), item);
      if (equal != 0) return equal;
    }
    return 0;
  }
  Value iterator = iterator_of(in, container);
  if (iterator.is_undefined()) {
    if (in.pending_is("TypeError")) {
      in.take_pending();
      in.raise("TypeError",
               fmt::format("argument of type '{}' is not iterable", type_name(container)));
    }
    return -1;
  }
  for (Value one; (one = next_item(in, iterator)).defined();) {
    if (one.identical(item)) return 1;
    int equal = equals(in, one, item);
    if (equal != 0) return equal;
  }
  return in.raised() ? -1 : 0;
}

int contains(Interpreter& in, const Value& container, const Value& item) {
  Value method = scripted_special(container, Special::kContains);
  if (method.defined()) {
    Value result = in.call(method, {container, item});
    return result.is_undefined() ? -1 : truth(in, result);
  }
  bool compares = number_in(item).is_number() || is_traced_number(item) || item.is(kTensorKind);
  if (container.is(kTensorKind) && !compares) {
    std::string cls;
    if (repr_of(in, Value(Ref<ClassObject>(class_of(item))), cls))
      in.raise("RuntimeError",
               "Tensor.__contains__ only supports Tensor or scalar, but you passed "
               "in a " +
                   cls + ".");
    return -1;
  }
  if (container.is(kTensorKind)) {
    Value equal = compare(in, program::Opcode::kEqual, item, container);
    if (equal.is_undefined()) return -1;
    Value any = is_tensor(equal) ? in.call_method(equal, "any") : equal;
    return any.is_undefined() ? -1 : truth(in, any);
  }
  return plain_contains(in, container, item);
}

int plain_contains(Interpreter& in, const Value& container, const Value& item) {
  if (SetObject* set = as_any_set(container)) return contains_in_table(set->table, item);
  switch (container.kind()) {
    case kDictKind:
      return contains_in_table(container.as<DictObject>()->table, item);
    case kDictViewKind:
      if (container.as<DictViewObject>()->what == DictViewObject::What::kKeys) {
        return contains_in_table(container.as<DictViewObject>()->dict->table, item);
      }
      break;
    case kStrKind:
      if (!item.is<StrObject>()) {
        in.raise("TypeError", fmt::format("'in <string>' requires string as left operand, not {}",
                                          type_name(item)));
        return -1;
      }
      return container.as<StrObject>()->text.find(item.as<StrObject>()->text) != std::string::npos;
    case kRangeKind:
      if (number_in(item).is_integral() && scripted_special(item, Special::kEq).is_undefined()) {
        auto* range = container.as<RangeObject>();
        int64_t number = number_in(item).as_int();
        bool inside = range->step > 0 ? range->start <= number && number < range->stop
                                      : range->stop < number && number <= range->start;
        // Of numbers far apart, the distance may need more than 64 bits.
        return inside && (static_cast<__int128>(number) - range->start) % range->step == 0;
      }
      break;
    case kBytesKind:
      if (item.is<BytesObject>()) {
        return container.as<BytesObject>()->data.find(item.as<BytesObject>()->data) !=
               std::string::npos;
      }
      break;
    default:
      break;
  }
  return contains_by_search(in, container, item);
}

}  // namespace glint::runtime
