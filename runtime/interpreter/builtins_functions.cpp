// The builtin functions that belong to no type: print, len, isinstance, sum, getattr, ...
#include "runtime/interpreter/builtins_functions.h"

#include <cmath>
#include <limits>

#include "runtime/interpreter/big_ints.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/builtins_encodings.h"
#include "runtime/interpreter/builtins_files.h"
#include "runtime/interpreter/builtins_number_text.h"
#include "runtime/interpreter/builtins_utf8.h"
#include "runtime/interpreter/complex_numbers.h"
#include "runtime/interpreter/modules_math_functions.h"
#include "runtime/interpreter/number_objects.h"
#include "runtime/interpreter/numpy_values.h"
#include "runtime/interpreter/recursion.h"

namespace glint::runtime {
namespace {

using program::Opcode;

// ---- Output and input --------------------------------------------------------------------------

/// `sys.stdout` where a script has put something else there, else undefined.
Value replaced_stdout(Interpreter& in) {
  Value* sys = in.modules().find("sys");
  if (!sys || !sys->is<ModuleObject>()) return Value();
  DictObject& names = *sys->as<ModuleObject>()->dict;
  Value* now = names.find("stdout");
  Value* own = names.find("__stdout__");
  return now && own && !now->identical(*own) ? *now : Value();
}

bool separator_argument(NativeCall& call, size_t index, std::string_view name,
                        std::string_view standard, std::string& out) {
  out = standard;
  if (call[index].is_none()) return true;
  if (!is_str(call[index])) {
    call.raise("TypeError",
               fmt::format("{} must be None or a string, not {}", name, type_name(call[index])));
    return false;
  }
  out = view_of(call[index]);
  return true;
}

/// To an object of the script's: each item, separator and the end is a call of its `write`.
bool print_to(Interpreter& in, const Value& file, std::span<const Value> items,
              const std::string& separator, const std::string& end) {
  const auto write = [&](std::string text) {
    return in.call_method(file, "write", {str_value(std::move(text))}).defined();
  };
  for (size_t i = 0; i < items.size(); ++i) {
    std::string text;
    if ((i > 0 && !write(separator)) || !str_of(in, items[i], text) || !write(std::move(text)))
      return false;
  }
  return write(end);
}

/// To the output; where an item raises, what stands before it is written.
bool print_out(Interpreter& in, std::span<const Value> items, const std::string& separator,
               const std::string& end) {
  std::string text;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += separator;
    const size_t begin = text.size();
    if (!str_of(in, items[i], text) || !check_encodable(in, std::string_view(text).substr(begin))) {
      in.output().write_out(std::string_view(text).substr(0, begin));
      return false;
    }
  }
  return written(in, in.output().write_out(text + end));
}

Value native_print(NativeCall& call) {
  Interpreter& in = call.interpreter;
  std::string separator, end;
  if (!separator_argument(call, 1, "sep", " ", separator)) return Value();
  if (!separator_argument(call, 2, "end", "\n", end)) return Value();
  const Ref<TupleObject> items(call[0].as<TupleObject>());
  const Value file = call[3].is_none() ? replaced_stdout(in) : call[3];
  if (file.is_none()) return Value::none();  // `sys.stdout = None`
  if (file.is_undefined() ? !print_out(in, items->items, separator, end)
                          : !print_to(in, file, items->items, separator, end))
    return Value();
  const int flush = truth(in, call[4]);
  if (flush < 0) return Value();
  if (!flush) return Value::none();
  if (file.defined()) return in.call_method(file, "flush", {}).defined() ? Value::none() : Value();
  return written(in, in.output().flush()) ? Value::none() : Value();
}

Value native_input(NativeCall& call) {
  std::string prompt;
  if (given(call[0]) && !str_of(call.interpreter, call[0], prompt)) return Value();
  std::string line = call.interpreter.output().ask(prompt);
  if (call.interpreter.raise_interrupt()) return Value();
  if (line.empty()) return call.raise("EOFError", "EOF when reading a line");
  if (line.back() == '\n') line.pop_back();
  return str_value(std::move(line));
}

// ---- Questions ---------------------------------------------------------------------------------

Value native_len(NativeCall& call) {
  int64_t length = length_of(call.interpreter, call[0]);
  return length < 0 ? Value() : int_value(length);
}

Value native_isinstance(NativeCall& call) {
  return bool_value(is_instance_of(call.interpreter, call[0], call[1]));
}

int is_subclass(Interpreter& in, const Value& cls, const Value& classes) {
  if (auto* tuple = classes.try_as<TupleObject>()) {
    Recursion deeper(in, " in __subclasscheck__");
    if (!deeper.allowed()) return -1;
    for (const Value& each : tuple->items)
      if (int found = is_subclass(in, cls, each); found != 0) return found;
    return 0;
  }
  if (is_union(classes)) return is_subclass(in, cls, Value(classes.as<UnionObject>()->parts));
  if (!classes.is<ClassObject>()) {
    in.raise("TypeError", "issubclass() arg 2 must be a class, a tuple of classes, or a union");
    return -1;
  }
  const auto &inner = *cls.as<ClassObject>(), &outer = *classes.as<ClassObject>();
  if (inner.is_subclass_of(&outer) || passes_for(inner, outer)) return 1;
  const ClassObject* metaclass = class_of(classes);
  Value* hook = metaclass->native ? nullptr : metaclass->lookup("__subclasscheck__");
  if (!hook || !hook->is<FunctionObject>()) return 0;
  const Value yes = in.call(*hook, {classes, cls});
  return yes.is_undefined() ? -1 : truth(in, yes);
}

Value native_issubclass(NativeCall& call) {
  if (!call[0].is<ClassObject>())
    return call.raise("TypeError", "issubclass() arg 1 must be a class");
  return bool_value(is_subclass(call.interpreter, call[0], call[1]));
}

Value native_callable(NativeCall& call) {
  return Value(is_callable(call[0]));
}

Value native_id(NativeCall& call) {
  const Value& value = call[0];
  if (value.is_object()) return int_value(reinterpret_cast<intptr_t>(value.object()));
  // Of any number, the bits of a float too: no sum of them is too large, and none is negative.
  const uint64_t bits = value.is_number() ? static_cast<uint64_t>(value.as_int()) * 32 : 0;
  const uint64_t sum = bits + 0x9000000 + static_cast<uint64_t>(value.tag());
  return int_value(static_cast<int64_t>(sum & std::numeric_limits<int64_t>::max()));
}

Value native_hash(NativeCall& call) {
  uint64_t hash = 0;
  if (!hash_of(call.interpreter, call[0], hash)) return Value();
  return int_value(static_cast<int64_t>(hash));
}

Value native_any(NativeCall& call) {
  Interpreter& in = call.interpreter;
  Value iterator = iterator_of(in, call[0]);
  if (iterator.is_undefined()) return Value();
  for (Value item; (item = next_item(in, iterator)).defined();)
    if (int holds = truth(in, item); holds != 0) return bool_value(holds);
  return in.raised() ? Value() : Value(false);
}

Value native_all(NativeCall& call) {
  Interpreter& in = call.interpreter;
  Value iterator = iterator_of(in, call[0]);
  if (iterator.is_undefined()) return Value();
  for (Value item; (item = next_item(in, iterator)).defined();)
    if (int holds = truth(in, item); holds <= 0) return bool_value(holds);
  return in.raised() ? Value() : Value(true);
}

// ---- Attributes --------------------------------------------------------------------------------

bool name_argument(NativeCall& call, size_t index, Ref<StrObject>& name) {
  if (is_str(call[index])) {
    name = intern(view_of(call[index]));
    return true;
  }
  call.raise("TypeError",
             fmt::format("attribute name must be string, not '{}'", type_name(call[index])));
  return false;
}

Value native_getattr(NativeCall& call) {
  Interpreter& in = call.interpreter;
  Ref<StrObject> name;
  if (!name_argument(call, 1, name)) return Value();
  if (!given(call[2])) return get_attribute(in, call[0], name);
  Value found = find_attribute(in, call[0], name);
  if (found.defined()) return found;
  if (in.raised()) {
    if (!in.pending_is("AttributeError")) return Value();
    in.take_pending();
  }
  return call[2];
}

Value native_hasattr(NativeCall& call) {
  Interpreter& in = call.interpreter;
  Ref<StrObject> name;
  if (!name_argument(call, 1, name)) return Value();
  Value found = find_attribute(in, call[0], name);
  if (found.is_undefined() && in.raised()) {
    if (!in.pending_is("AttributeError")) return Value();
    in.take_pending();
  }
  return Value(found.defined());
}

Value native_setattr(NativeCall& call) {
  Ref<StrObject> name;
  if (!name_argument(call, 1, name)) return Value();
  return set_attribute(call.interpreter, call[0], name, call[2]) ? Value::none() : Value();
}

Value native_delattr(NativeCall& call) {
  Ref<StrObject> name;
  if (!name_argument(call, 1, name)) return Value();
  return delete_attribute(call.interpreter, call[0], name) ? Value::none() : Value();
}

// ---- Arithmetic --------------------------------------------------------------------------------

Value native_abs(NativeCall& call) {
  const Value& x = call[0];
  if (is_any_int(x))
    return unary(call.interpreter, sign_of(x) < 0 ? Opcode::kNegative : Opcode::kPositive, x);
  if (x.is_float()) return Value(std::fabs(x.as_float()));
  if (x.is<ComplexObject>()) return complex_size(call.interpreter, x.as<ComplexObject>()->number);
  if (is_tensor(x) || script_special(x, Special::kAbs) || is_number_object(x))
    return call.interpreter.call_method(x, "__abs__");
  return call.raise("TypeError", fmt::format("bad operand type for abs(): '{}'", type_name(x)));
}

Value round_float(NativeCall& call, double x) {
  if (!given_not_none(call[1])) {
    if (std::isnan(x)) return call.raise("ValueError", "cannot convert float NaN to integer");
    if (std::isinf(x))
      return call.raise("OverflowError", "cannot convert float infinity to integer");
    return int_of_float(std::nearbyint(x));
  }
  int64_t places = 0;
  if (!int_argument(call, 1, places)) return Value();
  return Value(round_to_places(x, places));
}

Value round_int(NativeCall& call, const Value& x) {
  int64_t places = 0;
  if (given_not_none(call[1]) && !int_argument(call, 1, places)) return Value();
  const BigInt number = big_of(x);
  if (places >= 0) return int_of(number);
  // Ten to the power of more places than the number has bits is more than twice the number.
  if (static_cast<size_t>(-places) > number.bit_length() + 1) return int_value(0);
  const BigInt unit = BigInt::power(BigInt(10), static_cast<uint64_t>(-places));
  const auto [quotient, rest] = BigInt::divide(number, unit);
  const int order = (rest + rest).compare(unit);
  const bool up = order > 0 || (order == 0 && quotient.is_odd());
  return int_of((quotient + BigInt(up)) * unit);
}

}  // namespace

Value native_round(NativeCall& call) {
  const Value& x = call[0];
  if (x.is_float()) return round_float(call, x.as_float());
  if (is_any_int(x)) return round_int(call, x);
  if (const Value* method = script_special(x, Special::kRound)) {
    Value function = *method;
    if (!given(call[1])) return call.interpreter.call(function, {x});
    return call.interpreter.call(function, {x, call[1]});
  }
  if (is_number_object(x)) {
    const Value plain[] = {number_in(x), call[1]};
    NativeCall inner{call.interpreter, plain, 2, call.function, 2};
    return native_round(inner);
  }
  return call.raise("TypeError",
                    fmt::format("type {} doesn't define __round__ method", type_name(x)));
}

Value native_divmod(NativeCall& call) {
  Interpreter& in = call.interpreter;
  if (!is_any_number(call[0]) || !is_any_number(call[1])) {
    Value pair = by_special_pair(in, Special::kDivMod, Special::kRDivMod, call[0], call[1]);
    if (!pair.is_not_implemented()) return pair;
    return call.raise("TypeError",
                      fmt::format("unsupported operand type(s) for divmod(): '{}' and '{}'",
                                  type_name(call[0]), type_name(call[1])));
  }
  bool floats = call[0].is_float() || call[1].is_float();
  if (floats && call[1].is_number() && call[1].to_double() == 0.0)
    return call.raise("ZeroDivisionError", "float divmod()");
  Value quotient = binary(in, Opcode::kFloorDivide, call[0], call[1]);
  if (quotient.is_undefined()) return Value();
  Value rest = binary(in, Opcode::kModulo, call[0], call[1]);
  if (rest.is_undefined()) return Value();
  return Value(make_tuple({quotient, rest}));
}

namespace {

Value big_modular_power(NativeCall& call) {
  BigInt base = big_of(call[0]), exponent = big_of(call[1]);
  const BigInt modulus = big_of(call[2]);
  if (exponent.is_negative()) {
    std::optional<BigInt> inverse = BigInt::inverse_modulo(base, modulus);
    if (!inverse) return call.raise("ValueError", "base is not invertible for the given modulus");
    base = std::move(*inverse);
    exponent = -exponent;
  }
  return int_of(BigInt::power_modulo(base, exponent, modulus));
}

}  // namespace

Value native_pow(NativeCall& call) {
  if (!given_not_none(call[2])) return binary(call.interpreter, Opcode::kPower, call[0], call[1]);
  if (const Value* method = script_special(call[0], Special::kPow)) {
    Value result = call.interpreter.call(Value(*method), {call[0], call[1], call[2]});
    if (!result.is_not_implemented()) return result;
  }
  if (std::any_of(call.arguments, call.arguments + call.count, is_number_object)) {
    const Value plain[] = {number_in(call[0]), number_in(call[1]), number_in(call[2])};
    NativeCall inner{call.interpreter, plain, 3, call.function, 3};
    return native_pow(inner);
  }
  bool numbers = is_any_number(call[0]) && is_any_number(call[1]) && is_any_number(call[2]);
  if (!numbers)
    return call.raise("TypeError",
                      fmt::format("unsupported operand type(s) for ** or pow(): '{}', '{}', '{}'",
                                  type_name(call[0]), type_name(call[1]), type_name(call[2])));
  if (!is_any_int(call[0]) || !is_any_int(call[1]) || !is_any_int(call[2]))
    return call.raise("TypeError",
                      "pow() 3rd argument not allowed unless all arguments are integers");
  if (sign_of(call[2]) == 0) return call.raise("ValueError", "pow() 3rd argument cannot be 0");
  bool small = call[0].is_integral() && call[1].is_integral() && call[2].is_integral();
  if (!small || call[1].as_int() < 0) return big_modular_power(call);
  return int_value(modular_power(call[0].as_int(), call[1].as_int(), call[2].as_int()));
}

namespace {

/// Adds up the list's ints, up to the first item that is none or does not fit.
int64_t sum_ints(ListIterator& over, int64_t total) {
  const std::vector<Value>& items = over.list->items;
  for (; over.index < items.size() && items[over.index].is_int(); ++over.index)
    if (__builtin_add_overflow(total, items[over.index].as_int(), &total)) {
      // The builtin wrote the wrapped sum.
      total = static_cast<int64_t>(static_cast<uint64_t>(total) -
                                   static_cast<uint64_t>(items[over.index].as_int()));
      break;
    }
  return total;
}

Value native_sum(NativeCall& call) {
  Interpreter& in = call.interpreter;
  Value total = call[1];
  if (is_str(total))
    return call.raise("TypeError", "sum() can't sum strings [use ''.join(seq) instead]");
  Value iterator = iterator_of(in, call[0]);
  if (iterator.is_undefined()) return Value();
  if (auto* over = iterator.try_as<IteratorObject>();
      over && over->which == IteratorObject::Which::kList && total.is_int()) {
    // At its end a list's iterator lets go of the list.
    auto* list = static_cast<ListIterator*>(over);
    if (list->list) total = Value(sum_ints(*list, total.as_int()));
  }
  for (Value item; (item = next_item(in, iterator)).defined();) {
    int64_t integer = 0;
    if (total.is_int() && item.is_int() &&
        !__builtin_add_overflow(total.as_int(), item.as_int(), &integer)) {
      total = int_value(integer);
    } else if (total.is_float() && item.is_float()) {
      total = Value(total.as_float() + item.as_float());
    } else {
      total = binary(in, Opcode::kAdd, total, item);
      if (total.is_undefined()) return Value();
    }
  }
  return in.raised() ? Value() : total;
}

// ---- Numbers as text ---------------------------------------------------------------------------

Value digits_text(NativeCall& call, unsigned base, std::string_view prefix) {
  Value number = number_in(call[0]);
  if (!is_any_int(number)) {
    int64_t value = 0;
    if (!int_argument(call, 0, value)) return Value();
    number = Value(value);
  }
  return str_value(fmt::format("{}{}{}", sign_of(number) < 0 ? "-" : "", prefix,
                               *digits_of(call.interpreter, number, base)));
}
Value native_bin(NativeCall& call) {
  return digits_text(call, 2, "0b");
}
Value native_oct(NativeCall& call) {
  return digits_text(call, 8, "0o");
}
Value native_hex(NativeCall& call) {
  return digits_text(call, 16, "0x");
}

Value native_chr(NativeCall& call) {
  if (is_big_int(number_in(call[0])))
    return call.raise("OverflowError", "Python int too large to convert to C int");
  int64_t code = 0;
  if (!int_argument(call, 0, code)) return Value();
  if (code < 0 || code > 0x10ffff)
    return call.raise("ValueError", "chr() arg not in range(0x110000)");
  return str_value(encode_code_point(static_cast<uint32_t>(code)));
}

Value native_ord(NativeCall& call) {
  if (auto* bytes = call[0].try_as<BytesObject>(); bytes && bytes->data.size() == 1)
    return int_value(static_cast<unsigned char>(bytes->data[0]));
  auto* text = call[0].try_as<StrObject>();
  if (!text)
    return call.raise("TypeError", fmt::format("ord() expected string of length 1, but {} found",
                                               type_name(call[0])));
  if (text->length != 1)
    return call.raise(
        "TypeError",
        fmt::format("ord() expected a character, but string of length {} found", text->length));
  return int_value(decode_code_point(text->view(), 0).value);
}

Value native_repr(NativeCall& call) {
  std::string text;
  return repr_of(call.interpreter, call[0], text) ? str_value(std::move(text)) : Value();
}

Value native_ascii(NativeCall& call) {
  std::string text;
  return ascii_of(call.interpreter, call[0], text) ? str_value(std::move(text)) : Value();
}

Value native_format(NativeCall& call) {
  std::string_view spec;
  std::string text;
  if (given(call[1])) {
    if (!is_str(call[1]))
      return call.raise("TypeError",
                        fmt::format("format() argument 2 must be str, not {}", type_name(call[1])));
    spec = view_of(call[1]);
  }
  return format_of(call.interpreter, call[0], spec, text) ? str_value(std::move(text)) : Value();
}

/// `exit`, `quit`, and `sys.exit`, which is the same function.
Value native_exit(NativeCall& call) {
  Interpreter& in = call.interpreter;
  std::vector<Value> arguments;
  if (!call[0].is_none()) arguments.push_back(call[0]);
  return in.raise(in.classes().exceptions["SystemExit"], std::move(arguments));
}

constexpr Effects kReadsValue{.pure = true, .reads_value = true};
constexpr Effects kLooksAtKind{.pure = true, .reads_value = true, .looks_at_kind = true};
constexpr Effects kFolds{
    .pure = true, .reads_elements = true, .calls_back = true, .advances_iterator = true};

constexpr NativeDefinition kFunctions[] = {
    {"print(*args, sep=None, end=None, file=None, flush=False)",
     native_print,
     {.prints = true},
     "writes the arguments as text, separated by spaces, and a newline"},
    {"input(prompt=..., /)", native_input, kImpure, "reads a line from standard input"},
    {"exit(code=None, /)", native_exit, kImpure, "ends the program"},
    {"quit(code=None, /)", native_exit, kImpure, "ends the program"},
    {"len(obj, /)", native_len, {.pure = true, .reads_length = true}, "the number of items"},
    {"isinstance(obj, class_or_tuple, /)",
     native_isinstance,
     {.pure = true,
      .reads_value = true,
      .hands_on = true,
      .takes_varying = true,
      .looks_at_kind = true},
     "whether an object is an instance of a class or of one of several"},
    {"issubclass(cls, class_or_tuple, /)", native_issubclass, kLooksAtKind,
     "whether a class is another or derived from it"},
    {"callable(obj, /)",
     native_callable,
     {.pure = true, .reads_value = true, .looks_at_kind = true, .spares_sizes = true},
     "whether an object can be called"},
    {"id(obj, /)",
     native_id,
     {.impure = true, .spares_sizes = true},
     "a number that no other living object has"},
    {"hash(obj, /)",
     native_hash,
     {.pure = true, .reads_value = true, .calls_back = true},
     "the hash value of an object"},
    {"any(iterable, /)", native_any, kFolds, "whether any item is true"},
    {"all(iterable, /)", native_all, kFolds, "whether all items are true"},
    {"getattr(object, name, default=..., /)",
     native_getattr,
     {.pure = true,
      .reads_value = true,
      .calls_back = true,
      .hands_on = true,
      .query = AttributeQuery::kValue},
     "an attribute by name"},
    {"hasattr(obj, name, /)",
     native_hasattr,
     {.pure = true,
      .reads_value = true,
      .calls_back = true,
      .looks_at_kind = true,
      .spares_sizes = true,
      .query = AttributeQuery::kPresence},
     "whether there is an attribute"},
    {"setattr(obj, name, value, /)",
     native_setattr,
     {.mutates = true, .calls_back = true, .looks_at_kind = true},
     "sets an attribute by name"},
    {"delattr(obj, name, /)",
     native_delattr,
     {.mutates = true, .calls_back = true},
     "deletes an attribute by name"},
    {"abs(x, /)",
     native_abs,
     {.pure = true, .reads_value = true, .calls_back = true},
     "the absolute value"},
    {"round(number, ndigits=...)",
     native_round,
     {.pure = true, .reads_value = true, .calls_back = true},
     "rounded to a number of decimal places, halves to even"},
    {"divmod(x, y, /)",
     native_divmod,
     {.pure = true, .reads_value = true, .calls_back = true},
     "the pair (x // y, x % y)"},
    {"pow(base, exp, mod=None)",
     native_pow,
     {.pure = true, .reads_value = true, .calls_back = true},
     "base ** exp, or that modulo mod"},
    {"sum(iterable, /, start=0)", native_sum, kFolds, "the sum of the items and a start value"},
    {"bin(number, /)", native_bin, kReadsValue, "an int in binary, '0b101'"},
    {"oct(number, /)", native_oct, kReadsValue, "an int in octal, '0o17'"},
    {"hex(number, /)", native_hex, kReadsValue, "an int in hexadecimal, '0xff'"},
    {"chr(i, /)", native_chr, kReadsValue, "the character of a code point"},
    {"ord(c, /)", native_ord, kReadsValue, "the code point of a character"},
    {"repr(obj, /)",
     native_repr,
     {.pure = true, .reads_elements = true, .calls_back = true},
     "an object as text for programmers"},
    {"ascii(obj, /)",
     native_ascii,
     {.pure = true, .reads_elements = true, .calls_back = true},
     "repr with everything beyond ASCII escaped"},
    {"format(value, format_spec=..., /)",
     native_format,
     {.pure = true, .reads_elements = true, .calls_back = true},
     "a value as a format spec says"},
};

}  // namespace

void install_functions(Interpreter& in) {
  for (const NativeDefinition& definition : kFunctions) in.add_builtin(definition);
}

}  // namespace glint::runtime
