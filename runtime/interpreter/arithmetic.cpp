// The operators of numbers, texts and containers; special methods of everything else.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "runtime/interpreter/big_ints.h"
#include "runtime/interpreter/complex_numbers.h"
#include "runtime/interpreter/machine.h"
#include "runtime/interpreter/modules_math_functions.h"
#include "runtime/interpreter/number_objects.h"
#include "runtime/interpreter/scripted.h"
#include "runtime/interpreter/set_algebra.h"
#include "runtime/interpreter/tensor_operators.h"

namespace glint::runtime {

using program::Opcode;

namespace {

struct OperatorNames {
  Special special, reflected, in_place;
  std::string_view symbol;
};
constexpr OperatorNames kOperators[] = {
    {Special::kAdd, Special::kRAdd, Special::kIAdd, "+"},
    {Special::kSub, Special::kRSub, Special::kISub, "-"},
    {Special::kMul, Special::kRMul, Special::kIMul, "*"},
    {Special::kMatMul, Special::kRMatMul, Special::kIMatMul, "@"},
    {Special::kTrueDiv, Special::kRTrueDiv, Special::kITrueDiv, "/"},
    {Special::kFloorDiv, Special::kRFloorDiv, Special::kIFloorDiv, "//"},
    {Special::kMod, Special::kRMod, Special::kIMod, "%"},
    {Special::kPow, Special::kRPow, Special::kIPow, "** or pow()"},
    {Special::kLShift, Special::kRLShift, Special::kILShift, "<<"},
    {Special::kRShift, Special::kRRShift, Special::kIRShift, ">>"},
    {Special::kAnd, Special::kRAnd, Special::kIAnd, "&"},
    {Special::kOr, Special::kROr, Special::kIOr, "|"},
    {Special::kXor, Special::kRXor, Special::kIXor, "^"},
};

bool is_in_place(Opcode which) {
  return which >= Opcode::kAddInPlace && which <= Opcode::kBitXorInPlace;
}
Opcode plain(Opcode which) {
  if (!is_in_place(which)) return which;
  return static_cast<Opcode>(static_cast<int>(which) - static_cast<int>(Opcode::kAddInPlace) +
                             static_cast<int>(Opcode::kAdd));
}
const OperatorNames& names_of(Opcode which) {
  return kOperators[static_cast<size_t>(plain(which)) - static_cast<size_t>(Opcode::kAdd)];
}

// ---- Ints --------------------------------------------------------------------------------------

Value outgrown(Interpreter& in, Opcode which, int64_t x, int64_t y) {
  return big_operator(in, which, BigInt(x), BigInt(y));
}

Value int_power(Interpreter& in, int64_t base, int64_t exponent) {
  if (exponent < 0) {
    if (base == 0) {
      return in.raise("ZeroDivisionError", "0.0 cannot be raised to a negative power");
    }
    return Value(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  }
  std::optional<int64_t> result = integer_power(base, exponent);
  return result ? Value(*result) : outgrown(in, Opcode::kPower, base, exponent);
}

/// Whether a float holds the number, so that a quotient of two is rounded once.
bool is_exact_float(int64_t x) {
  constexpr int64_t kMost = int64_t{1} << std::numeric_limits<double>::digits;
  return x >= -kMost && x <= kMost;
}

Value int_operator(Interpreter& in, Opcode which, int64_t x, int64_t y) {
  int64_t z;
  switch (which) {
    case Opcode::kAdd:
      return __builtin_add_overflow(x, y, &z) ? outgrown(in, which, x, y) : Value(z);
    case Opcode::kSubtract:
      return __builtin_sub_overflow(x, y, &z) ? outgrown(in, which, x, y) : Value(z);
    case Opcode::kMultiply:
      return __builtin_mul_overflow(x, y, &z) ? outgrown(in, which, x, y) : Value(z);
    case Opcode::kDivide:
      if (y == 0) return in.raise("ZeroDivisionError", "division by zero");
      if (!is_exact_float(x) || !is_exact_float(y)) return outgrown(in, which, x, y);
      return Value(static_cast<double>(x) / static_cast<double>(y));
    case Opcode::kFloorDivide:
      if (y == 0) return in.raise("ZeroDivisionError", "integer division or modulo by zero");
      if (y == -1) return x == INT64_MIN ? outgrown(in, which, x, y) : Value(-x);
      return Value(x / y - ((x % y != 0) && ((x % y < 0) != (y < 0))));
    case Opcode::kModulo:
      if (y == 0) return in.raise("ZeroDivisionError", "integer modulo by zero");
      if (y == -1) return Value(int64_t{0});
      z = x % y;
      return Value(z != 0 && ((z < 0) != (y < 0)) ? z + y : z);
    case Opcode::kPower:
      return int_power(in, x, y);
    case Opcode::kLeftShift:
      if (y < 0) return in.raise("ValueError", "negative shift count");
      if (x == 0) return Value(int64_t{0});
      if (y > 62 || ((x << y) >> y) != x) return outgrown(in, which, x, y);
      return Value(x << y);
    case Opcode::kRightShift:
      if (y < 0) return in.raise("ValueError", "negative shift count");
      return Value(y > 63 ? (x < 0 ? int64_t{-1} : int64_t{0}) : x >> y);
    case Opcode::kBitAnd:
      return Value(x & y);
    case Opcode::kBitOr:
      return Value(x | y);
    case Opcode::kBitXor:
      return Value(x ^ y);
    default:
      return Value::not_implemented();
  }
}

// ---- Floats ------------------------------------------------------------------------------------

double float_modulo(double x, double y) {
  double z = std::fmod(x, y);
  if (z != 0.0) return (z < 0) != (y < 0) ? z + y : z;
  return std::copysign(0.0, y);
}
double float_floor_divide(double x, double y) {
  double z = std::fmod(x, y);
  double quotient = (x - z) / y;
  if (z != 0.0 && (z < 0) != (y < 0)) quotient -= 1.0;
  if (quotient == 0.0) return std::copysign(0.0, x / y);
  double floor = std::floor(quotient);
  return quotient - floor > 0.5 ? floor + 1.0 : floor;
}

Value float_operator(Interpreter& in, Opcode which, double x, double y) {
  switch (which) {
    case Opcode::kAdd:
      return Value(x + y);
    case Opcode::kSubtract:
      return Value(x - y);
    case Opcode::kMultiply:
      return Value(x * y);
    case Opcode::kDivide:
      if (y == 0.0) return in.raise("ZeroDivisionError", "float division by zero");
      return Value(x / y);
    case Opcode::kFloorDivide:
      if (y == 0.0) return in.raise("ZeroDivisionError", "float floor division by zero");
      return Value(float_floor_divide(x, y));
    case Opcode::kModulo:
      if (y == 0.0) return in.raise("ZeroDivisionError", "float modulo");
      return Value(float_modulo(x, y));
    case Opcode::kPower: {
      if (x == 0.0 && y < 0.0) {
        return in.raise("ZeroDivisionError", "0.0 cannot be raised to a negative power");
      }
      if (x < 0.0 && y != std::floor(y) && std::isfinite(y)) {
        return complex_operator(in, which, x, y);
      }
      double z = std::pow(x, y);
      if (std::isinf(z) && std::isfinite(x) && std::isfinite(y)) {
        return in.raise(in.classes().exceptions["OverflowError"],
                        {Value(int64_t{34}), str_value("Numerical result out of range")});
      }
      return Value(z);
    }
    default:
      return Value::not_implemented();
  }
}

Value operator_of_numbers(Interpreter& in, Opcode which, const Value& a, const Value& b) {
  if (a.is_float() || b.is_float()) {
    double x = 0, y = 0;
    if (!float_of(in, a, x) || !float_of(in, b, y)) return Value();
    return float_operator(in, which, x, y);
  }
  if (is_big_int(a) || is_big_int(b)) return big_operator(in, which, big_of(a), big_of(b));
  return int_operator(in, which, a.as_int(), b.as_int());
}

// ---- Texts and containers ----------------------------------------------------------------------

template <class T>
bool repeats(Interpreter& in, const T& items, int64_t times) {
  if (times <= 0 || items.empty()) return true;
  if (static_cast<uint64_t>(times) <= (uint64_t{1} << 34) / (items.size() * 16)) return true;
  in.raise("MemoryError", "");
  return false;
}
std::string repeated(const std::string& text, int64_t times) {
  std::string out;
  if (times > 0) out.reserve(text.size() * static_cast<size_t>(times));
  for (int64_t i = 0; i < times; ++i) out += text;
  return out;
}
std::vector<Value> repeated(const std::vector<Value>& items, int64_t times) {
  std::vector<Value> out;
  if (times > 0) out.reserve(items.size() * static_cast<size_t>(times));
  for (int64_t i = 0; i < times; ++i) out.insert(out.end(), items.begin(), items.end());
  return out;
}

Value repeat(Interpreter& in, const Value& sequence, const Value& count, bool in_place) {
  int64_t times;
  ClassObject* counts = scripted_class(count);
  bool sequential = sequence.is<StrObject>() || sequence.is<BytesObject>() ||
                    sequence.is<ListObject>() || sequence.is<TupleObject>();
  if (count.is_integral()) {
    times = count.as_int();
  } else if (sequential && (is_big_int(count) || is_any_int(number_in(count)) ||
                            (counts && counts->special(Special::kIndex).defined()))) {
    if (!index_of(in, count, times)) return Value();
  } else {
    return Value::not_implemented();
  }
  switch (sequence.kind()) {
    case kStrKind: {
      const auto& text = sequence.as<StrObject>()->text;
      return repeats(in, text, times) ? str_value(repeated(text, times)) : Value();
    }
    case kBytesKind:
      return Value(make_ref<BytesObject>(repeated(sequence.as<BytesObject>()->data, times)));
    case kTupleKind: {
      const auto& items = sequence.as<TupleObject>()->items;
      return repeats(in, items, times) ? Value(make_tuple(repeated(items, times))) : Value();
    }
    case kListKind: {
      auto* list = sequence.as<ListObject>();
      if (!repeats(in, list->items, times)) return Value();
      std::vector<Value> items = repeated(list->items, times);
      if (!in_place) return Value(make_list(std::move(items)));
      list->items = std::move(items);
      ++list->version;
      return sequence;
    }
    default:
      return Value::not_implemented();
  }
}

Value concatenate(Interpreter& in, const Value& a, const Value& b, bool in_place) {
  if (a.is<StrObject>() && b.is<StrObject>()) {
    const std::string &x = a.as<StrObject>()->text, &y = b.as<StrObject>()->text;
    std::string text;
    text.reserve(x.size() + y.size());
    text += x;
    text += y;
    return str_value(std::move(text));
  }
  if (a.is<ListObject>()) {
    auto* list = a.as<ListObject>();
    if (in_place) {
      std::vector<Value> items;
      if (!collect(in, b, items)) return Value();
      list->items.insert(list->items.end(), items.begin(), items.end());
      ++list->version;
      return a;
    }
    if (!b.is<ListObject>()) return Value::not_implemented();
    std::vector<Value> items;
    const auto& more = b.as<ListObject>()->items;
    items.reserve(list->items.size() + more.size());
    items.insert(items.end(), list->items.begin(), list->items.end());
    items.insert(items.end(), more.begin(), more.end());
    return Value(make_list(std::move(items)));
  }
  if (a.is<TupleObject>() && b.is<TupleObject>()) {
    std::vector<Value> items = a.as<TupleObject>()->items;
    const auto& more = b.as<TupleObject>()->items;
    items.insert(items.end(), more.begin(), more.end());
    Ref<TupleObject> tuple = make_tuple(std::move(items));
    if (a.as<TupleObject>()->is_size()) tuple->set_flag(Object::kIsSize);
    return Value(std::move(tuple));
  }
  if (a.is<BytesObject>() && b.is<BytesObject>()) {
    return Value(make_ref<BytesObject>(a.as<BytesObject>()->data + b.as<BytesObject>()->data));
  }
  return Value::not_implemented();
}

Value container_operator(Interpreter& in, Opcode which, const Value& a, const Value& b,
                         bool in_place) {
  switch (which) {
    case Opcode::kAdd:
      return concatenate(in, a, b, in_place);
    case Opcode::kMultiply: {
      Value result = repeat(in, a, b, in_place);
      return result.is_not_implemented() ? repeat(in, b, a, false) : result;
    }
    case Opcode::kModulo:
      if (a.is<StrObject>() || a.is<BytesObject>()) return percent_format(in, a, b);
      return Value::not_implemented();
    default:
      break;
  }
  if (a.is<DictObject>() && b.is<DictObject>() && which == Opcode::kBitOr) {
    Ref<DictObject> result(a.as<DictObject>());
    if (!in_place) {
      result = make_dict();
      result->table = a.as<DictObject>()->table;
    }
    for (const auto& entry : b.as<DictObject>()->table.entries()) {
      if (entry.key.defined()) result->table.set(entry.key, entry.hash, entry.value);
    }
    return Value(std::move(result));
  }
  return set_operator(in, which, a, b, in_place);
}

// ---- Special methods ---------------------------------------------------------------------------

/// The class that an operator of `self` and `other` asks: a script's; beside a number of a script's
/// class also that of a plain number.
ClassObject* asked_class(const Value& self, const Value& other) {
  if (ClassObject* cls = scripted_class(self)) return cls;
  const bool number = is_any_number(self) || self.is<ComplexObject>();
  return number && is_number_object(other) ? class_of(self) : nullptr;
}

Value call_special(Interpreter& in, Special which, const Value& self, const Value& other) {
  ClassObject* cls = asked_class(self, other);
  Value method = cls ? cls->special(which) : Value();
  return method.is_undefined() ? Value::not_implemented() : in.call(method, {self, other});
}

Value by_methods(Interpreter& in, Opcode which, const Value& a, const Value& b) {
  const OperatorNames& names = names_of(which);
  if (is_in_place(which)) {
    Value result = call_special(in, names.in_place, a, b);
    if (!result.is_not_implemented()) return result;
  }
  return by_special_pair(in, names.special, names.reflected, a, b);
}

Value unsupported(Interpreter& in, Opcode which, const Value& a, const Value& b) {
  if (plain(which) == Opcode::kAdd) {
    if (a.is<StrObject>()) {
      return in.raise("TypeError",
                      fmt::format("can only concatenate str (not \"{}\") to str", type_name(b)));
    }
    if (a.is<BytesObject>())
      return in.raise("TypeError", fmt::format("can't concat {} to bytes", type_name(b)));
    if (a.is<ListObject>() || a.is<TupleObject>()) {
      std::string kind = a.is<ListObject>() ? "list" : "tuple";
      return in.raise("TypeError", fmt::format("can only concatenate {} (not \"{}\") to {}", kind,
                                               type_name(b), kind));
    }
  }
  if (plain(which) == Opcode::kMultiply) {
    for (const Value* pair : {&a, &b}) {
      const Value& other = pair == &a ? b : a;
      bool sequence = pair->is<StrObject>() || pair->is<ListObject>() || pair->is<TupleObject>();
      if (sequence) {
        return in.raise("TypeError", fmt::format("can't multiply sequence by non-int of type '{}'",
                                                 type_name(other)));
      }
    }
  }
  std::string symbol(names_of(which).symbol);
  if (is_in_place(which)) symbol = plain(which) == Opcode::kPower ? "**=" : symbol + "=";
  return in.raise("TypeError", fmt::format("unsupported operand type(s) for {}: '{}' and '{}'",
                                           symbol, type_name(a), type_name(b)));
}

/// Of a pair in which one is a number of a script's class: what the classes say, else what the
/// plain number does beside what is no number: a tensor, a sequence.
Value number_object_operator(Interpreter& in, Opcode which, const Value& a, const Value& b) {
  const bool builtin_first = a.is(kTensorKind) || (a.is<StrObject>() && !scripted_class(a) &&
                                                   plain(which) == Opcode::kModulo);
  if (!builtin_first) {
    Value result = by_methods(in, which, a, b);
    if (!result.is_not_implemented()) return result;
  }
  const Value &x = number_in(a), &y = number_in(b);
  if (a.is(kTensorKind) || b.is(kTensorKind)) return binary(in, which, x, y);
  const Value& values = builtin_first ? b : y;
  Value result = container_operator(in, plain(which), x, values, is_in_place(which));
  return result.is_not_implemented() ? unsupported(in, which, a, b) : result;
}

}  // namespace

Value by_special_pair(Interpreter& in, Special special, Special reflected, const Value& a,
                      const Value& b) {
  ClassObject *left = asked_class(a, b), *right = asked_class(b, a);
  // A subclass comes first where it has a method of its own.
  bool right_first = left && right && left != right && right->is_subclass_of(left) &&
                     !left->special(reflected).identical(right->special(reflected));
  if (right_first) {
    Value result = call_special(in, reflected, b, a);
    if (!result.is_not_implemented()) return result;
  }
  Value result = call_special(in, special, a, b);
  if (!result.is_not_implemented() || right_first || (left && left == right)) return result;
  return call_special(in, reflected, b, a);
}

Value binary(Interpreter& in, Opcode which, const Value& a, const Value& b) {
  if (is_any_number(a) && is_any_number(b)) {
    Opcode operation = plain(which);
    if (a.is_bool() && b.is_bool()) {
      if (operation == Opcode::kBitAnd) return Value(a.as_bool() && b.as_bool());
      if (operation == Opcode::kBitOr) return Value(a.as_bool() || b.as_bool());
      if (operation == Opcode::kBitXor) return Value(a.as_bool() != b.as_bool());
    }
    Value result = operator_of_numbers(in, operation, a, b);
    return result.is_not_implemented() ? unsupported(in, which, a, b) : result;
  }
  if (is_number_object(a) || is_number_object(b)) return number_object_operator(in, which, a, b);
  if (a.is<ComplexObject>() || b.is<ComplexObject>()) {
    const auto x = as_complex(a), y = as_complex(b);
    Value result = x && y ? complex_operator(in, plain(which), *x, *y) : Value::not_implemented();
    if (!result.is_not_implemented()) return result;
  }
  if (a.is(kTensorKind) || b.is(kTensorKind)) {
    Value result = tensor_binary(in, which, a, b);
    if (!result.is_not_implemented()) return result;
  }
  // A text is asked first, and takes all.
  const bool formats = a.is<StrObject>() && !scripted_class(a) && plain(which) == Opcode::kModulo;
  if (!formats && (scripted_class(a) || scripted_class(b))) {
    Value result = by_methods(in, which, a, b);
    if (!result.is_not_implemented()) return result;
  }
  if (plain(which) == Opcode::kMultiply && (a.is(kTensorKind) || b.is(kTensorKind))) {
    // `[0] * n`: a tensor of one int counts as that int.
    bool left = a.is(kTensorKind);
    int64_t count = 0;
    if (!tensor_index(in, left ? a : b, count)) {
      if (in.raised()) in.take_pending();
      return unsupported(in, which, a, b);
    }
    return left ? binary(in, which, Value(count), b) : binary(in, which, a, Value(count));
  }
  if (plain(which) == Opcode::kBitOr && (a.is<ClassObject>() || b.is<ClassObject>())) {
    auto* unions = in.modules().find("types.UnionType")->as<ClassObject>();
    Value result = in.call(unions->special(Special::kOr), {a, b});
    if (!result.is_not_implemented()) return result;
  }
  if (is_traced_number(a) || is_traced_number(b))
    return binary(in, which, settled(in.tracer(), a), settled(in.tracer(), b));
  Value result = container_operator(in, plain(which), a, b, is_in_place(which));
  return result.is_not_implemented() ? unsupported(in, which, a, b) : result;
}

static Special special_of(Opcode unary) {
  return unary == Opcode::kNegative   ? Special::kNeg
         : unary == Opcode::kPositive ? Special::kPos
                                      : Special::kInvert;
}

Value unary(Interpreter& in, Opcode which, const Value& a) {
  if (which == Opcode::kNot) {
    int yes = truth(in, a);
    return yes < 0 ? Value() : Value(yes == 0);
  }
  if (a.is_float()) {
    if (which == Opcode::kNegative) return Value(-a.as_float());
    if (which == Opcode::kPositive) return a;
  } else if (a.is_integral()) {
    if (which == Opcode::kInvert) return Value(~a.as_int());
    if (which == Opcode::kPositive) return Value(a.as_int());
    return a.as_int() == INT64_MIN ? int_of(-big_of(a)) : Value(-a.as_int());
  } else if (is_big_int(a)) {
    if (which == Opcode::kPositive) return a;
    return int_of(which == Opcode::kNegative ? -big_of(a) : -big_of(a) - BigInt(1));
  } else if (a.is<ComplexObject>() && which != Opcode::kInvert) {
    return which == Opcode::kPositive ? a : complex_value(-a.as<ComplexObject>()->number);
  } else if (a.is(kTensorKind)) {
    return tensor_unary(in, which, a);
  } else if (is_number_object(a) && scripted_special(a, special_of(which)).is_undefined()) {
    if (which != Opcode::kInvert || !number_in(a).is_float()) return unary(in, which, number_in(a));
  } else if (ClassObject* cls = scripted_class(a)) {
    Value method = cls->special(special_of(which));
    if (method.defined()) return in.call(method, {a});
  } else if (is_traced_number(a)) {
    return unary(in, which, settled(in.tracer(), a));
  }
  char symbol = which == Opcode::kNegative ? '-' : which == Opcode::kPositive ? '+' : '~';
  return in.raise("TypeError",
                  fmt::format("bad operand type for unary {}: '{}'", symbol, type_name(a)));
}

bool index_of(Interpreter& in, const Value& value, int64_t& out) {
  if (value.is_integral()) {
    out = value.as_int();
    return true;
  }
  if (value.is(kTensorKind)) return tensor_index(in, value, out);
  if (is_any_int(number_in(value)) && is_number_object(value))
    return index_of(in, number_in(value), out);
  if (ClassObject* cls = scripted_class(value)) {
    Value method = cls->special(Special::kIndex);
    if (method.defined()) {
      Value result = settled(in.tracer(), in.call(method, {value}));
      if (result.is_undefined()) return false;
      if (result.is_integral()) {
        out = result.as_int();
        return true;
      }
      in.raise("TypeError", fmt::format("__index__ returned non-int (type {})", type_name(result)));
      return false;
    }
  }
  if (is_traced_number(value)) return index_of(in, settled(in.tracer(), value), out);
  if (is_big_int(value)) {
    in.raise("OverflowError", "cannot fit 'int' into an index-sized integer");
    return false;
  }
  in.raise("TypeError",
           fmt::format("'{}' object cannot be interpreted as an integer", type_name(value)));
  return false;
}

}  // namespace glint::runtime
