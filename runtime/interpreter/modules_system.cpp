// The modules that speak to the machine: sys, gc, and `_random` for the library.

#include <algorithm>
#include <filesystem>
#include <limits>
#include <random>

#include "core/random/mersenne_twister.h"
#include "core/support/sha512.h"
#include "runtime/interpreter/big_ints.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/builtins_files.h"
#include "runtime/interpreter/named_tuples.h"
#include "runtime/interpreter/number_objects.h"
#include "runtime/interpreter/stale_temporaries.h"

namespace glint::runtime {
namespace {

// ---- sys ---------------------------------------------------------------------------------------

Value sys_get_int_max_str_digits(NativeCall& call) {
  return int_value(most_decimal_digits());
}
Value sys_set_int_max_str_digits(NativeCall& call) {
  int64_t digits = 0;
  if (!int_argument(call, 0, digits)) return Value();
  if (digits != 0 && digits < 640)
    return call.raise("ValueError", "maxdigits must be 0 or larger than 640");
  most_decimal_digits() = digits;
  return Value::none();
}
Value sys_getrecursionlimit(NativeCall& call) {
  return int_value(call.interpreter.recursion_limit());
}
Value sys_setrecursionlimit(NativeCall& call) {
  int64_t limit = 0;
  if (!int_argument(call, 0, limit)) return Value();
  if (limit < 1) return call.raise("ValueError", "recursion limit must be greater or equal than 1");
  call.interpreter.set_recursion_limit(static_cast<uint32_t>(std::min<int64_t>(limit, 1'000'000)));
  return Value::none();
}
Value sys_getrefcount(NativeCall& call) {
  return int_value(call[0].is_object() ? call[0].object()->ref_count() : 1);
}
Value sys_getsizeof(NativeCall& call) {
  return int_value(64);
}
Value sys_exc_info(NativeCall& call) {
  Value error = call.interpreter.handled_exception();
  if (error.is_undefined()) return Value(make_tuple({Value::none(), Value::none(), Value::none()}));
  return Value(make_tuple({Value(Ref<ClassObject>(class_of(error))), error, Value::none()}));
}
Value sys_format_exception(NativeCall& call) {
  auto* error = call[0].try_as<ExceptionObject>();
  if (!error) return call.raise("TypeError", "an exception is expected");
  // Only what nothing caught is told which name was meant, as in CPython 3.11.
  return str_value(call.interpreter.format_exception(*error, /*with_suggestions=*/false));
}
Value sys_call_place(NativeCall& call) {
  int64_t levels = 0;
  if (!int_argument(call, 0, levels)) return Value();
  for (const Frame* frame = call.interpreter.top_frame(); frame; frame = frame->caller) {
    if (!frame->code || levels-- > 0) continue;
    const program::Code& code = frame->program();
    const Span& span = code.instructions[frame->position()].span;
    Value* module = frame->globals->find("__name__");
    return Value(make_tuple({str_value(std::string(call.interpreter.sources().name(span.source))),
                             int_value(span.line), str_value(code.name),
                             module ? *module : str_value("<string>")}));
  }
  return Value::none();
}
Value sys_intern(NativeCall& call) {
  return is_str(call[0]) ? Value(intern(view_of(call[0]))) : call[0];
}

Value sys_exit(NativeCall& call) {
  std::vector<Value> arguments;
  if (!call[0].is_none()) arguments.push_back(call[0]);
  Interpreter& in = call.interpreter;
  return in.raise(in.classes().exceptions["SystemExit"], std::move(arguments));
}

constexpr NativeDefinition kSys[] = {
    {"exit(status=None, /)", sys_exit, kImpure, "ends the program"},
    {"getrecursionlimit()", sys_getrecursionlimit, kImpure, "how deep calls may nest"},
    {"get_int_max_str_digits()", sys_get_int_max_str_digits, kImpure,
     "how many decimal digits an int may have that is written or read"},
    {"set_int_max_str_digits(maxdigits)", sys_set_int_max_str_digits, kImpure,
     "sets that; 0 is no limit"},
    {"setrecursionlimit(limit, /)", sys_setrecursionlimit, kImpure, "sets how deep calls may nest"},
    {"getrefcount(object, /)", sys_getrefcount, kImpure, "how many references there are"},
    {"getsizeof(object, default=..., /)", sys_getsizeof, kImpure, "about how many bytes it takes"},
    {"exc_info()", sys_exc_info, kImpure, "the exception being handled"},
    {"_format_exception(error, /)", sys_format_exception, kImpure, "its traceback as text"},
    {"_call_place(levels, /)", sys_call_place, kImpure,
     "file, line, function and module of the call so many levels up"},
    {"intern(string, /)", sys_intern, kPure, "the one object of a text"},
};

// ---- gc ----------------------------------------------------------------------------------------

Value gc_collect(NativeCall& call) {
  drop_stale_temporaries(call.interpreter);
  return int_value(static_cast<int64_t>(collect_cycles()));
}
Value gc_nothing(NativeCall& call) {
  return Value::none();
}
Value gc_isenabled(NativeCall& call) {
  return Value(true);
}

constexpr NativeDefinition kGc[] = {
    {"collect(generation=2)", gc_collect, kImpure, "frees dead cycles"},
    {"enable()", gc_nothing, kImpure, "does nothing: the collector is always on"},
    {"disable()", gc_nothing, kImpure, "does nothing: the collector is always on"},
    {"isenabled()", gc_isenabled, kImpure, "True"},
};

// ---- _random -----------------------------------------------------------------------------------

struct GeneratorData final : NativeDataObject {
  random::MersenneTwister twister;
  explicit GeneratorData(ClassObject* of) : NativeDataObject(of) {}
};
random::MersenneTwister& generator_of(NativeCall& call) {
  return static_cast<GeneratorData*>(call[0].object())->twister;
}

Value make_generator(NativeCall& call) {
  return Value(make_ref<GeneratorData>(call.function->data.as<ClassObject>()));
}
/// A large number, given by its bytes from the highest on, as words from the lowest on.
std::vector<uint32_t> words_of(std::string_view bytes) {
  std::vector<uint32_t> words((bytes.size() + 3) / 4);
  for (size_t i = 0; i < bytes.size(); ++i) {
    uint32_t byte = static_cast<uint8_t>(bytes[bytes.size() - 1 - i]);
    words[i / 4] |= byte << (8 * (i % 4));
  }
  while (words.size() > 1 && words.back() == 0) words.pop_back();
  return words;
}
/// The bytes and their SHA-512 as one large number, the first byte highest.
void seed_by_bytes(random::MersenneTwister& generator, std::string_view bytes) {
  std::string all(bytes);
  for (uint8_t byte : sha512(bytes)) all.push_back(static_cast<char>(byte));
  generator.seed_words(words_of(all));
}

Value generator_seed(NativeCall& call) {
  const Value& seed = number_in(call[1]);
  if (seed.is_none()) {
    std::random_device device;
    generator_of(call).seed(uint64_t{device()} << 32 | device());
  } else if (seed.is_integral()) {
    int64_t value = seed.as_int();
    generator_of(call).seed(value < 0 ? uint64_t{0} - static_cast<uint64_t>(value)
                                      : static_cast<uint64_t>(value));
  } else if (is_big_int(seed)) {
    const BigInt number = sign_of(seed) < 0 ? -big_of(seed) : big_of(seed);
    std::string bytes = number.to_bytes((number.bit_length() + 7) / 8, false).value();
    std::ranges::reverse(bytes);
    generator_of(call).seed_words(words_of(bytes));
  } else if (is_str(seed)) {
    seed_by_bytes(generator_of(call), seed.as<StrObject>()->view());
  } else if (auto* bytes = seed.try_as<BytesObject>()) {
    seed_by_bytes(generator_of(call), bytes->data);
  } else if (seed.is_float()) {
    uint64_t hash = 0;
    if (!hash_of(call.interpreter, seed, hash)) return Value();
    generator_of(call).seed(hash);
  } else {
    return call.raise("TypeError",
                      "The only supported seed types are: None,\nint, float, str, bytes, and "
                      "bytearray.");
  }
  return Value::none();
}
Value generator_random(NativeCall& call) {
  return Value(generator_of(call).random());
}
Value generator_bits(NativeCall& call) {
  int64_t count = 0;
  if (!int_argument(call, 1, count)) return Value();
  if (count < 0) return call.raise("ValueError", "number of bits must be non-negative");
  if (count == 0) return int_value(0);
  if (count < 64)
    return int_value(static_cast<int64_t>(generator_of(call).bits(static_cast<int>(count))));
  if (static_cast<uint64_t>(count) > BigInt::kMostBits) throw std::bad_alloc();
  // Words of 32 bits, the lowest first; of the last, the highest bits that are still wanted.
  std::string bytes;
  for (; count > 0; count -= 32) {
    uint64_t word = generator_of(call).bits(static_cast<int>(std::min<int64_t>(count, 32)));
    for (int i = 0; i < 4; ++i, word >>= 8) bytes.push_back(static_cast<char>(word & 0xff));
  }
  return int_of(BigInt::of_bytes(bytes, false));
}
Value generator_getstate(NativeCall& call) {
  std::vector<Value> words;
  for (uint32_t word : generator_of(call).words()) words.push_back(int_value(word));
  words.push_back(int_value(static_cast<int64_t>(generator_of(call).position())));
  return Value(make_tuple(std::move(words)));
}
Value generator_setstate(NativeCall& call) {
  auto* words = call[1].try_as<TupleObject>();
  if (!words || words->items.size() != random::MersenneTwister::kWords + 1)
    return call.raise("ValueError", "state vector is the wrong size");
  for (size_t i = 0; i < random::MersenneTwister::kWords; ++i)
    generator_of(call).words()[i] = static_cast<uint32_t>(words->items[i].as_int());
  generator_of(call).position() = static_cast<size_t>(words->items.back().as_int());
  return Value::none();
}

constexpr NativeDefinition kGenerator[] = {
    {"seed(self, a=None, /)", generator_seed, kImpure, "starts a sequence"},
    {"random(self, /)", generator_random, kImpure, "a float in [0, 1)"},
    {"getrandbits(self, k, /)", generator_bits, kImpure, "an int of k random bits"},
    {"getstate(self, /)", generator_getstate, kImpure, "the state as a tuple"},
    {"setstate(self, state, /)", generator_setstate, kImpure, "goes back to a state"},
};

/// A tuple whose parts have names, of a class of its own.
Value named_parts(Interpreter& in, std::string_view name, std::span<const std::string_view> fields,
                  std::vector<Value> values) {
  Ref<TupleObject> made = make_tuple(std::move(values));
  mark_subclassed(made.get(), new_named_tuple_class(in, "sys", name, fields).get());
  return Value(std::move(made));
}

Value version_info(Interpreter& in) {
  constexpr std::string_view kFields[] = {"major", "minor", "micro", "releaselevel", "serial"};
  return named_parts(in, "version_info", kFields,
                     {int_value(3), int_value(11), int_value(0), str_value("final"), int_value(0)});
}

Value float_info(Interpreter& in) {
  using Limits = std::numeric_limits<double>;
  constexpr std::string_view kFields[] = {"max",     "max_exp",    "max_10_exp", "min",
                                          "min_exp", "min_10_exp", "dig",        "mant_dig",
                                          "epsilon", "radix",      "rounds"};
  return named_parts(
      in, "float_info", kFields,
      {Value(Limits::max()), int_value(Limits::max_exponent), int_value(Limits::max_exponent10),
       Value(Limits::min()), int_value(Limits::min_exponent), int_value(Limits::min_exponent10),
       int_value(Limits::digits10), int_value(Limits::digits), Value(Limits::epsilon()),
       int_value(Limits::radix), int_value(1)});
}

}  // namespace

void fill_sys(Interpreter& in, ModuleObject& module) {
  in.add_functions(module, kSys);
  DictObject& names = *module.dict;
  auto set_default = [&](std::string_view name, Value value) {
    if (!names.find(name)) names.set(name, std::move(value));
  };
  set_default("argv", Value(make_list({str_value("")})));
  set_default("path", Value(make_list()));
  set_default("modules", Value(Ref<DictObject>(&in.modules())));
  set_default("maxsize", int_value(INT64_MAX));
  set_default("byteorder", str_value("little"));
  set_default("platform", str_value("linux"));
  std::error_code unknown;
  set_default("executable",
              str_value(std::filesystem::read_symlink("/proc/self/exe", unknown).string()));
  set_default("version", str_value("3.11.0 (Glint)"));
  set_default("version_info", version_info(in));
  set_default("float_info", float_info(in));
  for (auto [name, own, descriptor] :
       {std::tuple("stdin", "__stdin__", 0), std::tuple("stdout", "__stdout__", 1),
        std::tuple("stderr", "__stderr__", 2)}) {
    Value stream = stream_value(in, descriptor, fmt::format("<{}>", name));
    set_default(own, stream);
    set_default(name, stream);
  }
}

void fill_gc(Interpreter& in, ModuleObject& module) {
  in.add_functions(module, kGc);
}

void fill_random(Interpreter& in, ModuleObject& module) {
  Ref<ClassObject> cls = in.new_class("Generator", in.classes().object, kNativeDataKind, "_random");
  in.add_methods(*cls, kGenerator);
  set_constructor(*cls, {"Generator()", make_generator, kImpure, "a generator of random numbers"});
  cls->construct->data = Value(cls);
  module.dict->set("Generator", Value(cls));
}

}  // namespace glint::runtime
