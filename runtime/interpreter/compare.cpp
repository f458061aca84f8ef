// Equality, order, hashes and truth of any two values.
#include <fmt/format.h>

#include <cmath>

#include "runtime/interpreter/big_ints.h"
#include "runtime/interpreter/complex_numbers.h"
#include "runtime/interpreter/machine.h"
#include "runtime/interpreter/number_objects.h"
#include "runtime/interpreter/plain_values.h"
#include "runtime/interpreter/recursion.h"
#include "runtime/interpreter/scripted.h"
#include "runtime/interpreter/tensor_operators.h"

namespace glint::runtime {

using program::Opcode;

// ---- Numbers -----------------------------------------------------------------------------------

/// Exact order of an int and a float: -1, 0, 1, or 2 when the float is NaN.
static int order_of(int64_t x, double y) {
  if (std::isnan(y)) return 2;
  if (y >= 9223372036854775808.0) return -1;
  if (y < -9223372036854775808.0) return 1;
  auto whole = static_cast<int64_t>(y);
  if (x != whole) return x < whole ? -1 : 1;
  double rest = y - static_cast<double>(whole);
  return rest > 0 ? -1 : rest < 0 ? 1 : 0;
}
static int order_of(const Value& a, const Value& b) {
  if (is_big_int(a) || is_big_int(b)) return order_of_big(a, b);
  if (a.is_integral() && b.is_integral()) {
    return a.as_int() < b.as_int() ? -1 : a.as_int() > b.as_int();
  }
  if (a.is_float() && b.is_float()) {
    double x = a.as_float(), y = b.as_float();
    return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
  }
  if (a.is_float()) {
    int order = order_of(b.as_int(), a.as_float());
    return order == 2 ? 2 : -order;
  }
  return order_of(a.as_int(), b.as_float());
}
/// What an operator says of an order; 2 is unordered.
static bool holds(Opcode which, int order) {
  switch (which) {
    case Opcode::kLess:
      return order == -1;
    case Opcode::kLessEqual:
      return order == -1 || order == 0;
    case Opcode::kGreater:
      return order == 1;
    case Opcode::kGreaterEqual:
      return order == 1 || order == 0;
    case Opcode::kEqual:
      return order == 0;
    default:
      return order != 0;
  }
}

// ---- Equality ----------------------------------------------------------------------------------

static int same_items(Interpreter& in, const std::vector<Value>& a, const std::vector<Value>& b) {
  if (a.size() != b.size()) return 0;
  size_t first = equal_so_far(a, b);
  if (first == a.size()) return 1;
  if (plain_equals(a[first], b[first]) == 0) return 0;
  Recursion deeper(in, " in comparison");
  if (!deeper.allowed()) return -1;
  for (size_t i = first; i < a.size() && i < b.size(); ++i) {
    if (a[i].identical(b[i])) continue;
    Value x = a[i], y = b[i];
    int equal = equals(in, x, y);
    if (equal != 1) return equal;
  }
  return 1;
}

static int same_table(Interpreter& in, HashTable& a, HashTable& b, bool values) {
  if (a.size() != b.size()) return 0;
  Recursion deeper(in, " in comparison");
  if (!deeper.allowed()) return -1;
  for (size_t i = 0; i < a.entries().size(); ++i) {
    HashTable::Entry entry = a.entries()[i];
    if (entry.key.is_undefined()) continue;
    Value* found = nullptr;
    switch (b.find(entry.key, entry.hash, found)) {
      case HashTable::Outcome::kRaised:
        return -1;
      case HashTable::Outcome::kAbsent:
        return 0;
      case HashTable::Outcome::kFound:
        break;
    }
    if (!values || entry.value.identical(*found)) continue;
    Value other = *found;
    int equal = equals(in, entry.value, other);
    if (equal != 1) return equal;
  }
  return 1;
}

/// Builtin objects of one kind; 2: nothing is known of them beyond identity.
static int builtin_equals(Interpreter& in, const Value& a, const Value& b) {
  if (SetObject* x = as_any_set(a)) {
    SetObject* y = as_any_set(b);
    if (b.is(kDictViewKind)) return builtin_equals(in, b, a);
    return y ? same_table(in, x->table, y->table, false) : 2;
  }
  if (SetObject* keys = as_any_set(b); keys && a.is(kDictViewKind)) {
    auto* view = a.as<DictViewObject>();
    if (view->what != DictViewObject::What::kKeys) return 2;
    return same_table(in, view->dict->table, keys->table, false);
  }
  if (a.kind() != b.kind()) return 2;
  switch (a.kind()) {
    case kStrKind:
      return a.as<StrObject>()->text == b.as<StrObject>()->text;
    case kBytesKind:
      return a.as<BytesObject>()->data == b.as<BytesObject>()->data;
    case kListKind:
      return same_items(in, a.as<ListObject>()->items, b.as<ListObject>()->items);
    case kTupleKind:
      return same_items(in, a.as<TupleObject>()->items, b.as<TupleObject>()->items);
    case kDictKind:
      return same_table(in, a.as<DictObject>()->table, b.as<DictObject>()->table, true);
    case kRangeKind: {
      auto *x = a.as<RangeObject>(), *y = b.as<RangeObject>();
      int64_t length = x->length();
      if (length != y->length()) return 0;
      return length == 0 || (x->start == y->start && (length == 1 || x->step == y->step));
    }
    case kSliceKind: {
      auto *x = a.as<SliceObject>(), *y = b.as<SliceObject>();
      for (auto part : {&SliceObject::start, &SliceObject::stop, &SliceObject::step}) {
        int equal = equals(in, x->*part, y->*part);
        if (equal != 1) return equal;
      }
      return 1;
    }
    case kDTypeKind:
      return a.as<DTypeObject>()->dtype == b.as<DTypeObject>()->dtype;
    case kDeviceKind:
      return a.as<DeviceObject>()->type == b.as<DeviceObject>()->type &&
             a.as<DeviceObject>()->index == b.as<DeviceObject>()->index;
    case kBoundMethodKind:
      return a.as<BoundMethodObject>()->self.identical(b.as<BoundMethodObject>()->self) &&
             a.as<BoundMethodObject>()->function.identical(b.as<BoundMethodObject>()->function);
    case kBoundNativeKind:
      return a.as<BoundNativeObject>()->self.identical(b.as<BoundNativeObject>()->self) &&
             a.as<BoundNativeObject>()->function == b.as<BoundNativeObject>()->function;
    case kDictViewKind: {
      auto *x = a.as<DictViewObject>(), *y = b.as<DictViewObject>();
      if (x->what != y->what || x->what == DictViewObject::What::kValues) return 2;
      return same_table(in, x->dict->table, y->dict->table,
                        x->what == DictViewObject::What::kItems);
    }
    default:
      return 2;
  }
}

// ---- Comparison --------------------------------------------------------------------------------

struct ComparisonNames {
  Special special, reflected;
  std::string_view symbol;
};
static const ComparisonNames& names_of(Opcode which) {
  static const ComparisonNames kNames[] = {
      {Special::kLt, Special::kGt, "<"},  {Special::kLe, Special::kGe, "<="},
      {Special::kEq, Special::kEq, "=="}, {Special::kNe, Special::kNe, "!="},
      {Special::kGt, Special::kLt, ">"},  {Special::kGe, Special::kLe, ">="}};
  return kNames[static_cast<size_t>(which) - static_cast<size_t>(Opcode::kLess)];
}

/// Calls a special method of either operand; NotImplemented if none knows.
static Value compare_by_methods(Interpreter& in, Opcode which, const Value& a, const Value& b) {
  const ComparisonNames& names = names_of(which);
  // Beside a number of a script's class, a plain one is asked as well.
  const bool numbers = is_number_object(a) || is_number_object(b);
  auto asked = [&](const Value& value) {
    const bool plain = is_any_number(value) || value.is<ComplexObject>();
    return numbers && plain ? class_of(value) : scripted_class(value);
  };
  ClassObject *left = asked(a), *right = asked(b);
  auto attempt = [&](ClassObject* cls, Special special, const Value& self,
                     const Value& other) -> Value {
    if (!cls) return Value::not_implemented();
    Value method = cls->special(special);
    if (method.defined() && !method.is_none()) return in.call(method, {self, other});
    if (special != Special::kNe) return Value::not_implemented();
    Value equal = cls->special(Special::kEq);
    if (equal.is_undefined() || equal.is_none()) return Value::not_implemented();
    Value result = in.call(equal, {self, other});
    if (result.is_undefined() || result.is_not_implemented()) return result;
    int yes = truth(in, result);
    return yes < 0 ? Value() : Value(yes == 0);
  };
  bool right_first = left && right && left != right && right->is_subclass_of(left);
  if (right_first) {
    Value result = attempt(right, names.reflected, b, a);
    if (!result.is_not_implemented()) return result;
  }
  Value result = attempt(left, names.special, a, b);
  if (!result.is_not_implemented() || right_first) return result;
  return attempt(right, names.reflected, b, a);
}

static Value compare_items(Interpreter& in, Opcode which, const std::vector<Value>& a,
                           const std::vector<Value>& b) {
  size_t first = equal_so_far(a, b);
  bool numbers =
      first < a.size() && first < b.size() && is_any_number(a[first]) && is_any_number(b[first]);
  if (numbers && order_of(a[first], b[first]) != 0)
    return Value(holds(which, order_of(a[first], b[first])));
  Recursion deeper(in, " in comparison");
  if (!deeper.allowed()) return Value();
  for (size_t i = first; i < a.size() && i < b.size(); ++i) {
    Value x = a[i], y = b[i];
    if (x.identical(y)) continue;
    int equal = equals(in, x, y);
    if (equal < 0) return Value();
    if (equal == 0) return compare(in, which, x, y);
  }
  int order = a.size() < b.size() ? -1 : a.size() > b.size();
  return Value(holds(which, order));
}

static bool contains_all(Interpreter& in, HashTable& inner, HashTable& outer, bool& all) {
  all = true;
  for (const auto& entry : inner.entries()) {
    if (entry.key.is_undefined()) continue;
    Value* found;
    auto outcome = outer.find(entry.key, entry.hash, found);
    if (outcome == HashTable::Outcome::kRaised) return false;
    if (outcome == HashTable::Outcome::kAbsent) {
      all = false;
      return true;
    }
  }
  return true;
}

static Value compare_sets(Interpreter& in, Opcode which, SetObject& a, SetObject& b) {
  bool up = which == Opcode::kLess || which == Opcode::kLessEqual;
  SetObject &inner = up ? a : b, &outer = up ? b : a;
  bool strict = which == Opcode::kLess || which == Opcode::kGreater;
  bool all;
  if (!contains_all(in, inner.table, outer.table, all)) return Value();
  return Value(all && (!strict || inner.table.size() < outer.table.size()));
}

Value compare(Interpreter& in, Opcode which, const Value& a, const Value& b) {
  if (is_any_number(a) && is_any_number(b)) return Value(holds(which, order_of(a, b)));
  if (const auto *x = plain_row(a), *y = plain_row(b); x && y && a.kind() == b.kind()) {
    if (which != Opcode::kEqual && which != Opcode::kNotEqual)
      return compare_items(in, which, *x, *y);
    int equal = same_items(in, *x, *y);
    return equal < 0 ? Value() : Value((equal == 1) == (which == Opcode::kEqual));
  }
  if (a.is(kTensorKind) || b.is(kTensorKind)) {
    Value result = tensor_binary(in, which, number_in(a), number_in(b));
    if (!result.is_not_implemented()) return result;
  }
  if (scripted_class(a) || scripted_class(b)) {
    Value result = compare_by_methods(in, which, a, b);
    if (!result.is_not_implemented()) return result;
  }
  if (is_traced_number(a) || is_traced_number(b))
    return compare(in, which, settled(in.tracer(), a), settled(in.tracer(), b));
  bool equality = which == Opcode::kEqual || which == Opcode::kNotEqual;
  if (equality && (a.is<ComplexObject>() || b.is<ComplexObject>())) {
    const auto x = as_complex(a), y = as_complex(b);
    return Value((x && y && *x == *y) == (which == Opcode::kEqual));
  }
  if (equality) {
    int equal = a.is_object() && b.is_object() ? builtin_equals(in, a, b) : 2;
    if (equal < 0) return Value();
    if (equal == 2) equal = a.identical(b);
    return Value((equal == 1) == (which == Opcode::kEqual));
  }
  if (a.is_object() && b.is_object()) {
    if (a.is<StrObject>() && b.is<StrObject>()) {
      int order = a.as<StrObject>()->text.compare(b.as<StrObject>()->text);
      return Value(holds(which, order < 0 ? -1 : order > 0));
    }
    if (a.is<BytesObject>() && b.is<BytesObject>()) {
      int order = a.as<BytesObject>()->data.compare(b.as<BytesObject>()->data);
      return Value(holds(which, order < 0 ? -1 : order > 0));
    }
    if (a.is<ListObject>() && b.is<ListObject>()) {
      return compare_items(in, which, a.as<ListObject>()->items, b.as<ListObject>()->items);
    }
    if (a.is<TupleObject>() && b.is<TupleObject>()) {
      return compare_items(in, which, a.as<TupleObject>()->items, b.as<TupleObject>()->items);
    }
    if (as_any_set(a) && as_any_set(b)) {
      return compare_sets(in, which, *as_any_set(a), *as_any_set(b));
    }
  }
  return in.raise("TypeError", fmt::format("'{}' not supported between instances of '{}' and '{}'",
                                           names_of(which).symbol, type_name(a), type_name(b)));
}

int equals(Interpreter& in, const Value& a, const Value& b) {
  if (is_any_number(a) && is_any_number(b)) return order_of(a, b) == 0;
  if (plain_text(a) && plain_text(b)) return a.as<StrObject>()->text == b.as<StrObject>()->text;
  Value result = compare(in, Opcode::kEqual, a, b);
  return result.is_undefined() ? -1 : truth(in, result);
}

int less_than(Interpreter& in, const Value& a, const Value& b) {
  if (int less = plain_less(a, b); less >= 0) return less;
  Value result = compare(in, Opcode::kLess, a, b);
  return result.is_undefined() ? -1 : truth(in, result);
}

// ---- Truth -------------------------------------------------------------------------------------

/// What a script class's methods say; none: nothing, so that the builtin type it may extend
/// decides.
static std::optional<int> truth_by_method(Interpreter& in, ClassObject& cls, const Value& value) {
  Value method = cls.special(Special::kBool);
  if (method.defined()) {
    Value result = in.call(method, {value});
    if (result.is_undefined()) return -1;
    if (result.is_bool()) return result.as_bool();
    in.raise("TypeError",
             fmt::format("__bool__ should return bool, returned {}", type_name(result)));
    return -1;
  }
  if (cls.special(Special::kLen).is_undefined()) return std::nullopt;
  int64_t length = length_of(in, value);
  return length < 0 ? -1 : length != 0;
}

int truth(Interpreter& in, const Value& value) {
  switch (value.tag()) {
    case Tag::kUndefined:
    case Tag::kNone:
      return 0;
    case Tag::kBool:
    case Tag::kInt:
      return value.as_int() != 0;
    case Tag::kFloat:
      return value.as_float() != 0.0;
    case Tag::kEllipsis:
    case Tag::kNotImplemented:
      return 1;
    case Tag::kObject:
      break;
  }
  if (value.kind() == kTensorKind) return tensor_truth(in, value);
  if (ClassObject* cls = scripted_class(value))
    if (std::optional<int> told = truth_by_method(in, *cls, value)) return *told;
  switch (value.kind()) {
    case kSymIntKind:
    case kSymFloatKind:
      return truth(in, settled(in.tracer(), value));
    case kNumberKind:
      return truth(in, number_in(value));
    case kStrKind:
      return !value.as<StrObject>()->text.empty();
    case kBytesKind:
      return !value.as<BytesObject>()->data.empty();
    case kComplexKind:
      return value.as<ComplexObject>()->number != 0.0;
    case kListKind:
      return !value.as<ListObject>()->items.empty();
    case kTupleKind:
      return !value.as<TupleObject>()->items.empty();
    case kDictKind:
      return !value.as<DictObject>()->table.empty();
    case kSetKind:
    case kFrozenSetKind:
      return !value.as<SetObject>()->table.empty();
    case kRangeKind:
      return value.as<RangeObject>()->length() != 0;
    case kDictViewKind:
      return !value.as<DictViewObject>()->dict->table.empty();
    default:
      return 1;
  }
}

}  // namespace glint::runtime
