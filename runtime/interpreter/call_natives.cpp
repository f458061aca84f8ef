// Calls of natives: arguments bound to a signature, then the C++ function.
//
//     sorted([2, 1], reverse=True)      bound: iterable, key (its default), reverse
#include <fmt/format.h>

#include <algorithm>

#include "runtime/autograd/node.h"
#include "runtime/interpreter/complex_tensors.h"
#include "runtime/interpreter/machine.h"
#include "runtime/interpreter/number_objects.h"
#include "runtime/interpreter/torch_factory_forms.h"
#include "runtime/interpreter/torch_forwarded.h"

namespace glint::runtime {

using program::ParameterKind;

/// Operators speak as PyTorch's argument parser does.
static bool is_operator(const NativeFunctionObject& native) {
  return native.module_name.starts_with("torch");
}

static std::string native_name(const NativeFunctionObject& native) {
  if (native.owner && is_operator(native)) return "TensorBase." + native.signature.name;
  if (native.owner) return native.owner->name->text + "." + native.signature.name;
  return native.signature.name;
}

/// NumPy's names of two parameters, which operators take too; PyTorch's functions in Python do not.
/// The method `split` has a name of its own for what the function calls `split_size_or_sections`.
static std::string_view operator_name(const NativeFunctionObject& native, std::string_view name) {
  const bool splits = native.signature.name == "split";
  if (!is_operator(native)) return name;
  if (splits && native.owner && name == "split_size") return "split_size_or_sections";
  if (splits || native.signature.name == "norm") return name;
  return name == "axis" ? "dim" : name == "keepdims" ? "keepdim" : name;
}

static size_t find_by_name(const NativeSignature& signature, std::string_view name) {
  size_t at = 0;
  for (; at < signature.parameters.size(); ++at) {
    const NativeParameter& parameter = signature.parameters[at];
    bool by_name = parameter.kind == ParameterKind::kPositional ||
                   parameter.kind == ParameterKind::kKeywordOnly;
    if (by_name && parameter.name == name) break;
  }
  return at;
}
/// `pin_memory=True` for a new tensor, of a function that makes tensors.
static bool asks_for_pinning(const NativeFunctionObject& native, const StrObject& key,
                             const Value& value) {
  return key.text == "pin_memory" && value.is_bool() && is_operator(native) &&
         find_by_name(native.signature, "device") < native.signature.parameters.size() &&
         find_by_name(native.signature, "requires_grad") < native.signature.parameters.size();
}

/// Special methods that CPython wraps around a slot of the type; the others are methods like any.
static bool wraps_slot(const NativeFunctionObject& native) {
  static constexpr std::string_view kMethods[] = {
      "__bytes__",         "__ceil__",    "__contains__",      "__dir__",        "__floor__",
      "__format__",        "__getitem__", "__getnewargs__",    "__getstate__",   "__length_hint__",
      "__instancecheck__", "__reduce__",  "__reduce_ex__",     "__reversed__",   "__round__",
      "__setstate__",      "__sizeof__",  "__subclasscheck__", "__subclasses__", "__trunc__"};
  std::string_view name = native.signature.name;
  if (!native.owner || is_operator(native) || name.size() < 5 || !name.starts_with("__") ||
      !name.ends_with("__"))
    return false;
  bool made = name == "__new__" || name == "__init__";
  return !made && std::ranges::find(kMethods, name) == std::end(kMethods);
}

static bool is_to_be_pinned(const NativeFunctionObject& native, const Arguments& arguments) {
  for (size_t i = 0; i < arguments.keyword_count; ++i) {
    const Value& value = arguments.values[arguments.count + i];
    if (asks_for_pinning(native, *arguments.names[i], value)) return value.as_bool();
  }
  return false;
}

/// A new tensor, in memory that the device copies from by itself.
static Value pinned(Interpreter& in, const Value& made) {
  if (!tensor_of(made).device().is_cpu())
    return in.raise("RuntimeError", "Only dense CPU tensors can be pinned");
  const Value there = in.call_method(made, "pin_memory");
  if (there.defined() && tensor_of(made)->requires_grad)
    autograd::set_requires_grad(tensor_of(there), true);
  return there;
}

/// Whether a method of a builtin type may be called with this as its self: `str.upper(3)` may not.
static bool takes_receiver(const NativeFunctionObject& native, const Value& first) {
  const ClassObject& owner = *native.owner;
  // Native data of all classes is of one kind, and laid out as its class says.
  const bool is_told_by_kind = owner.instance_kind != kNativeDataKind;
  if (is_told_by_kind && first.is_object() && first.kind() == owner.instance_kind) return true;
  if (first.is(kSymIntKind) || first.is(kSymFloatKind)) return true;
  const auto& parameters = native.signature.parameters;
  if (parameters.empty() || parameters[0].name != "self") return true;
  return is_instance(first, &owner);
}

static Value raise_receiver(Interpreter& in, const NativeFunctionObject& native,
                            const Value& first) {
  std::string owner = is_operator(native) ? "torch._C.TensorBase" : native.owner->name->text;
  const std::string& name = native.signature.name;
  return in.raise(
      "TypeError",
      wraps_slot(native)
          ? fmt::format("descriptor '{}' requires a '{}' object but received a '{}'", name, owner,
                        type_name(first))
          : fmt::format("descriptor '{}' for '{}' objects doesn't apply to a '{}' object", name,
                        owner, type_name(first)));
}

static void raise_native_count(Interpreter& in, NativeFunctionObject& native, size_t given) {
  const NativeSignature& signature = native.signature;
  size_t self = native.owner ? 1 : 0;
  size_t most = signature.positional - self;
  size_t least = signature.required > self ? signature.required - self : 0;
  given = given > self ? given - self : 0;
  std::string text;
  bool named = false;
  for (const auto& parameter : signature.parameters) {
    named |= parameter.kind == ParameterKind::kPositional;
  }
  if (wraps_slot(native) && least == most) {
    text = fmt::format("expected {} argument{}, got {}", most, most == 1 ? "" : "s", given);
  } else if (is_operator(native) && most > 0) {
    text = fmt::format("{}() takes {} positional argument{} but {} {} given", signature.name, most,
                       most == 1 ? "" : "s", given, given == 1 ? "was" : "were");
  } else if (least == most && most <= 1) {
    text = fmt::format("{}() takes {} ({} given)", native_name(native),
                       most == 0 ? "no arguments" : "exactly one argument", given);
  } else if (named) {
    text = fmt::format("{}() takes at most {} argument{} ({} given)", signature.name, most,
                       most == 1 ? "" : "s", given);
  } else {
    size_t limit = given > most ? most : least;
    std::string_view bound = least == most ? "" : given > most ? "at most " : "at least ";
    std::string_view name = wraps_slot(native) ? "" : std::string_view(signature.name);
    text = fmt::format("{} expected {}{} argument{}, got {}", name, bound, limit,
                       limit == 1 ? "" : "s", given);
  }
  in.raise("TypeError", std::move(text));
}

static void raise_unknown_keyword(Interpreter& in, const NativeFunctionObject& native,
                                  const Arguments& arguments, const StrObject& key) {
  const NativeSignature& signature = native.signature;
  size_t self = native.owner ? 1 : 0;
  std::string text;
  if (wraps_slot(native)) {
    text = fmt::format("wrapper {}() takes no keyword arguments", signature.name);
  } else if (signature.parameters.size() == self || signature.simple_only) {
    text = fmt::format("{}() takes no keyword arguments", native_name(native));
  } else if (auto forms = factory_forms_text(native, arguments)) {
    text = *forms;
  } else if (is_operator(native)) {
    text = fmt::format("{}() got an unexpected keyword argument '{}'", signature.name, key.text);
  } else {
    text = fmt::format("'{}' is an invalid keyword argument for {}()", key.text, signature.name);
  }
  in.raise("TypeError", std::move(text));
}

/// The general case: keywords, defaults, `*args`, `**kwargs`.
static bool bind_native(Interpreter& in, NativeFunctionObject& native, const Value* self,
                        const Arguments& arguments, std::vector<Value>& bound) {
  const NativeSignature& signature = native.signature;
  size_t offset = self ? 1 : 0;
  size_t given = arguments.count + offset;
  auto argument = [&](size_t i) -> const Value& {
    return i < offset ? *self : arguments.values[i - offset];
  };
  bound.assign(signature.parameters.size(), Value());
  int star = -1, keywords = -1;
  size_t next = 0;
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    ParameterKind kind = signature.parameters[i].kind;
    if (kind == ParameterKind::kStarArgs) star = static_cast<int>(i);
    if (kind == ParameterKind::kStarKeywords) keywords = static_cast<int>(i);
    bool positional = kind == ParameterKind::kPositional || kind == ParameterKind::kPositionalOnly;
    if (positional && next < given) bound[i] = argument(next++);
  }
  if (star >= 0) {
    std::vector<Value> rest;
    while (next < given) rest.push_back(argument(next++));
    bound[static_cast<size_t>(star)] = Value(make_tuple(std::move(rest)));
  } else if (next < given) {
    if (auto text = factory_forms_text(native, arguments))
      in.raise("TypeError", *text);
    else
      raise_native_count(in, native, given);
    return false;
  }
  Ref<DictObject> extra;
  if (keywords >= 0) {
    extra = make_dict();
    bound[static_cast<size_t>(keywords)] = Value(extra);
  }
  for (size_t i = 0; i < arguments.keyword_count; ++i) {
    StrObject* key = arguments.names[i];
    size_t at = find_by_name(signature, key->text);
    if (at == signature.parameters.size()) {
      at = find_by_name(signature, operator_name(native, key->text));
      if (at < bound.size() && bound[at].defined()) at = signature.parameters.size();
    }
    const Value& value = arguments.values[arguments.count + i];
    if (at < signature.parameters.size()) {
      if (bound[at].defined()) {
        in.raise("TypeError",
                 is_operator(native)
                     ? fmt::format("{}() got multiple values for argument '{}'", signature.name,
                                   key->text)
                     : fmt::format("argument for {}() given by name ('{}') and position ({})",
                                   signature.name, key->text, at + 1 - offset));
        return false;
      }
      bound[at] = value;
    } else if (asks_for_pinning(native, *key, value)) {
      continue;
    } else if (extra) {
      extra->set(Ref<StrObject>(key), value);
    } else {
      raise_unknown_keyword(in, native, arguments, *key);
      return false;
    }
  }
  for (size_t i = 0; i < bound.size(); ++i) {
    if (bound[i].defined()) continue;
    const NativeParameter& parameter = signature.parameters[i];
    if (parameter.has_default) {
      bound[i] = parameter.default_value;
    } else if (parameter.kind == ParameterKind::kPositionalOnly) {
      raise_native_count(in, native, given);
      return false;
    } else {
      in.raise("TypeError",
               fmt::format("{}() missing required argument '{}' (pos {})", signature.name,
                           parameter.name, i + 1 - (native.owner ? 1 : 0)));
      return false;
    }
  }
  return true;
}

/// Whether the first parameter takes all of a call without names, and the rest have defaults:
/// `max(*args, key=None)`.
static bool takes_row(const NativeSignature& signature) {
  const auto& parameters = signature.parameters;
  if (parameters.empty() || parameters[0].kind != ParameterKind::kStarArgs) return false;
  return std::all_of(parameters.begin() + 1, parameters.end(),
                     [](const NativeParameter& parameter) { return parameter.has_default; });
}

static Value invoke(Interpreter& in, NativeFunctionObject& native, const Value* values,
                    size_t count, size_t positional) {
  if (in.tracer() && !in.tracer()->entering_native(native, values, count)) {
    if (!in.raised()) Machine::request_stop(in);
    return Value();
  }
  AtWork scope(in.tracer(), &native);
  if (native.takes_plain_numbers && std::any_of(values, values + count, is_number_object)) {
    std::vector<Value> plain;
    for (size_t i = 0; i < count; ++i) plain.push_back(number_in(values[i]));
    NativeCall call{in, plain.data(), count, &native, positional};
    return native.function(call);
  }
  NativeCall call{in, values, count, &native, positional};
  return native.function(call);
}

/// The call as the library's form of the operator takes it; nothing where there is none.
static std::optional<Value> call_other_form(Interpreter& in, NativeFunctionObject& native,
                                            const Value* self, const Arguments& arguments) {
  std::vector<Value> positional(arguments.values, arguments.values + arguments.count);
  if (self) positional.insert(positional.begin(), *self);
  Value form =
      other_form(in, native.signature.name, positional, {arguments.names, arguments.keyword_count},
                 native.module_name == "torch.nn.functional");
  if (form.is_undefined()) return in.raised() ? std::optional(Value()) : std::nullopt;
  std::vector<std::pair<StrObject*, Value>> keywords;
  for (size_t i = 0; i < arguments.keyword_count; ++i)
    keywords.emplace_back(arguments.names[i], arguments.values[arguments.count + i]);
  return in.call_with_keywords(form, positional, keywords);
}

Value Machine::run_native(Interpreter& in, NativeFunctionObject& native, const Value* self,
                          const Arguments& arguments) {
  if (complex_in_use()) [[unlikely]] {
    std::optional<Value> result = call_if_complex(in, native, self, arguments);
    if (result) return std::move(*result);
  }
  const NativeSignature& signature = native.signature;
  size_t wanted = signature.parameters.size();
  size_t given = arguments.count + (self ? 1 : 0);
  if (native.owner && !self && given > 0 && !takes_receiver(native, arguments.values[0]))
    return raise_receiver(in, native, arguments.values[0]);
  if (signature.complete && arguments.keyword_count == 0 && given >= signature.required &&
      given <= signature.positional) {
    if (given == wanted && !self) return invoke(in, native, arguments.values, wanted, wanted);
    Borrowed row(wanted);
    size_t at = 0;
    if (self) row.set(at++, *self);
    for (size_t i = 0; i < arguments.count; ++i) row.set(at++, arguments.values[i]);
    for (; at < wanted; ++at) row.set(at, signature.parameters[at].default_value);
    return invoke(in, native, row.begin(), wanted, given);
  }
  if (!self && arguments.keyword_count == 0 && !is_operator(native) && takes_row(signature)) {
    Value values(
        make_tuple(std::vector<Value>(arguments.values, arguments.values + arguments.count)));
    Borrowed row(wanted);
    row.set(0, values);
    for (size_t at = 1; at < wanted; ++at) row.set(at, signature.parameters[at].default_value);
    return invoke(in, native, row.begin(), wanted, wanted);
  }
  if (is_operator(native) || native.owner == in.classes().tensor.get()) {
    std::optional<Value> result = call_other_form(in, native, self, arguments);
    if (result) return std::move(*result);
  }
  std::vector<Value> bound;
  if (!bind_native(in, native, self, arguments, bound)) return Value();
  Value made = invoke(in, native, bound.data(), bound.size(), given);
  return made.defined() && is_to_be_pinned(native, arguments) ? pinned(in, made) : made;
}

}  // namespace glint::runtime
