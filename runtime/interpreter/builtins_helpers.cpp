// What natives are written with: arguments as C++ values, attributes, constructors of builtin
// types.
//
//     double x;
//     if (!float_argument(call, 0, x)) return Value();      a TypeError is pending
#include <algorithm>

#include "runtime/interpreter/big_ints.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/number_objects.h"

namespace glint::runtime {

bool text_argument(NativeCall& call, size_t index, std::string_view& out) {
  if (!is_str(call[index])) {
    call.raise("TypeError", fmt::format("{}() argument must be str, not {}",
                                        call.function->signature.name, type_name(call[index])));
    return false;
  }
  out = view_of(call[index]);
  return true;
}

bool float_argument(NativeCall& call, size_t index, double& out) {
  const Value& value = call[index];
  if (is_any_number(value)) return float_of(call.interpreter, value, out);
  // As in CPython, a float is what it is, and an int what its class makes of it.
  const bool converts = is_number_object(value) && script_special(value, Special::kFloat) &&
                        !number_in(value).is_float();
  if (is_number_object(value) && !converts)
    return float_of(call.interpreter, number_in(value), out);
  if (is_tensor(value) || script_special(value, Special::kFloat)) {
    Value number =
        settled(call.interpreter.tracer(), call.interpreter.call_method(value, "__float__"));
    if (!number.is_float()) {
      if (!call.interpreter.raised())
        call.raise("TypeError", fmt::format("{}.__float__ returned non-float (type {})",
                                            type_name(value), type_name(number)));
      return false;
    }
    return out = number.as_float(), true;
  }
  if (script_special(value, Special::kIndex)) {
    int64_t integer = 0;
    if (!index_of(call.interpreter, value, integer)) return false;
    return out = static_cast<double>(integer), true;
  }
  call.raise("TypeError", fmt::format("must be real number, not {}", type_name(value)));
  return false;
}

int64_t clamp_index(int64_t index, int64_t length) {
  if (index < 0) index += length;
  return std::clamp<int64_t>(index, 0, length);
}

bool bounds_arguments(NativeCall& call, size_t first, int64_t length, int64_t& start,
                      int64_t& stop) {
  start = 0;
  stop = length;
  if (given_not_none(call[first])) {
    if (!int_argument(call, first, start)) return false;
    if (start < 0) start = std::max<int64_t>(0, start + length);
  }
  if (given_not_none(call[first + 1])) {
    if (!int_argument(call, first + 1, stop)) return false;
    stop = clamp_index(stop, length);
  }
  return true;
}

std::vector<std::pair<StrObject*, Value>> keyword_pairs(const Value& kwargs) {
  std::vector<std::pair<StrObject*, Value>> pairs;
  if (auto* dict = kwargs.try_as<DictObject>())
    for (const auto& entry : dict->table.entries())
      if (auto* name = entry.key.try_as<StrObject>()) pairs.emplace_back(name, entry.value);
  return pairs;
}

bool is_union(const Value& value) {
  if (!value.is(kNativeDataKind)) return false;
  Value* cls = Interpreter::current().modules().find("types.UnionType");
  return cls && class_of(value) == cls->as<ClassObject>();
}

void add_static_methods(ClassObject& cls, std::span<const NativeDefinition> definitions) {
  for (const NativeDefinition& definition : definitions) {
    Ref<NativeFunctionObject> native = make_native(definition);
    std::string name = native->signature.name;
    cls.set_attribute(intern(name), Value(make_ref<WrappedMethodObject>(kStaticMethodKind,
                                                                        Value(std::move(native)))));
  }
}

void add_class_methods(ClassObject& cls, std::span<const NativeDefinition> definitions) {
  for (const NativeDefinition& definition : definitions) {
    Ref<NativeFunctionObject> native = make_native(definition);
    std::string name = native->signature.name;
    cls.set_attribute(intern(name), Value(make_ref<WrappedMethodObject>(kClassMethodKind,
                                                                        Value(std::move(native)))));
  }
}

void set_constructor(ClassObject& cls, const NativeDefinition& definition) {
  cls.construct = make_native(definition);
}

std::string full_name(const ClassObject& cls) {
  const bool named = is_str(cls.module_name) && view_of(cls.module_name) != "builtins";
  return named ? fmt::format("{}.{}", view_of(cls.module_name), cls.name->view())
               : std::string(cls.name->view());
}

Value instance_of_first(NativeCall& call, Value object, const ClassObject& exact) {
  const std::string_view type = exact.name->view();
  auto* wanted = call[0].try_as<ClassObject>();
  if (!wanted)
    return call.raise("TypeError", fmt::format("{}.__new__(X): X is not a type object ({})", type,
                                               type_name(call[0])));
  if (wanted == &exact) return object;
  const std::string type_text = wanted->native ? full_name(*wanted) : wanted->name->text;
  if (!wanted->is_subclass_of(&exact))
    return call.raise(
        "TypeError", fmt::format("{0}.__new__({1}): {1} is not a subtype of {0}", type, type_text));
  // A builtin subclass has parts that its own constructor checks.
  const ClassObject* builtin = wanted;
  while (!builtin->native) builtin = builtin->base.get();
  if (builtin != &exact)
    return call.raise("TypeError", fmt::format("{}.__new__({}) is not safe, use {}.__new__()", type,
                                               type_text, full_name(*builtin)));
  if (is_any_number(object)) object = Value(make_ref<NumberObject>(object));
  mark_subclassed(static_cast<Object*>(object.object()), wanted);
  return object;
}

}  // namespace glint::runtime
