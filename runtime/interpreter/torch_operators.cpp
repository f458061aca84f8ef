#include "runtime/interpreter/torch_operators.h"

#include <algorithm>

#include <fmt/format.h>

#include "ops/call.h"
#include "runtime/autograd/record.h"
#include "runtime/interpreter/big_ints.h"
#include "runtime/interpreter/named_tuples.h"
#include "runtime/interpreter/numpy_values.h"
#include "runtime/interpreter/tensor_operators.h"
#include "runtime/interpreter/torch_factory_forms.h"
#include "runtime/interpreter/torch_forwarded.h"
#include "runtime/interpreter/torch_generator.h"
#include "runtime/interpreter/torch_modules.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::runtime {
namespace {

/// What a native operator calls: its data is the entry's place in the table. Each call asks, so the
/// table itself is asked for once.
const ops::OpEntry& entry_of(const NativeFunctionObject& native) {
  static const ops::OpEntry* const first = ops::op_table().data();
  return first[native.data.as_int()];
}

using ops::CallStyle;
using ops::OpEntry;
using program::ParameterKind;

/// Whether a list may be passed: of ints for a size, or of tensors.
bool accepts_items(uint16_t types, const std::vector<Value>& items) {
  auto is_size = [](const Value& item) { return item.is_int() || item.is(kSymIntKind); };
  auto is_part = [](const Value& item) { return item.is(kTensorKind); };
  return ((types & ops::kTakesSize) && std::ranges::all_of(items, is_size)) ||
         ((types & ops::kTakesTensors) && std::ranges::all_of(items, is_part));
}

/// Whether a value may be passed for a parameter, without conversion.
bool accepts(uint16_t types, const Value& value) {
  switch (value.tag()) {
    case Tag::kNone:
      return types & ops::kTakesNone;
    case Tag::kBool:
      return types & (ops::kTakesBool | ops::kTakesNumber | ops::kTakesFloat);
    case Tag::kInt:
      return types & (ops::kTakesInt | ops::kTakesNumber | ops::kTakesFloat | ops::kTakesSize);
    case Tag::kFloat:
      return types & (ops::kTakesFloat | ops::kTakesNumber);
    case Tag::kObject:
      break;
    default:
      return false;
  }
  switch (value.kind()) {
    case kTensorKind:
      return types & ops::kTakesTensor;
    case kSymIntKind:
      return types & (ops::kTakesInt | ops::kTakesNumber | ops::kTakesFloat | ops::kTakesSize);
    case kSymFloatKind:
      return types & (ops::kTakesFloat | ops::kTakesNumber);
    case kStrKind:
      return types & (ops::kTakesString | ops::kTakesDevice);
    case kDTypeKind:
      return types & ops::kTakesDType;
    case kDeviceKind:
      return types & ops::kTakesDevice;
    case kListKind:
    case kTupleKind:
      return accepts_items(types, *items_of(value));
    default:
      return false;
  }
}

/// The same for a parameter; what takes several ints takes no single one by its name.
bool accepts(const ops::Parameter& parameter, const Value& value) {
  bool lone = parameter.variadic && (value.is_int() || value.is(kSymIntKind));
  return !lone && accepts(parameter.types, value);
}

/// 0-dim tensors where only numbers are taken become those: `torch.zeros(n)`, `x.reshape(n, 2)`.
/// False if the value cannot be had now.
bool tensors_to_numbers(Interpreter& in, uint16_t types, Value& value,
                        int levels = kArgumentLevels) {
  if (types & (ops::kTakesTensor | ops::kTakesTensors)) return true;
  bool ints = types & (ops::kTakesInt | ops::kTakesSize);
  if (!ints && !(types & (ops::kTakesNumber | ops::kTakesFloat))) return true;
  if (const std::vector<Value>* items = items_of(value)) {
    if (levels == 0) return true;
    if (std::ranges::all_of(*items, [](const Value& item) { return item.is_int(); })) return true;
    std::vector<Value> numbers = *items;
    for (Value& number : numbers)
      if (!tensors_to_numbers(in, types, number, levels - 1)) return false;
    value = Value(make_tuple(std::move(numbers)));
    return true;
  }
  if (!value.is(kTensorKind)) return true;
  const Tensor tensor = tensor_of(value);
  if (tensor.rank() > 0 || (ints && is_floating(tensor.dtype()))) return true;
  value = item_of(in, tensor);
  return value.defined();
}

/// `list of [int, int]`, as PyTorch's texts about several forms name what did not fit.
std::string given_type(const Value& value) {
  const std::vector<Value>* items = items_of(value);
  if (!items) return plain_type(value);
  std::vector<std::string> parts;
  for (const Value& item : *items) parts.push_back(plain_type(item));
  bool list = value.is<ListObject>();
  std::string_view close = list ? "]" : parts.size() == 1 ? ",)" : ")";
  return fmt::format("{} of {}{}{}", type_name(value), list ? '[' : '(', fmt::join(parts, ", "),
                     close);
}

/// What PyTorch says of operators that it has in two forms, with a tensor as the last argument and
/// with a number; nothing for others, and where the arguments fit.
/// `positional`: so many were given by their place, `value=str` by name.
std::optional<std::string> two_forms_text(const OpEntry& entry, std::span<const Value> values,
                                          CallStyle style, size_t positional) {
  const OpEntry& written = entry.functional_form ? *entry.functional_form : entry;
  if (!written.takes_tensor_or_number) return std::nullopt;
  const auto& parameters = ops::signature(entry).parameters;
  size_t first = style == CallStyle::kMethod ? 1 : 0, last = parameters.size() - 1;
  std::vector<std::string> given, named;
  auto name_of = [&](size_t i) {
    return i < positional ? std::string() : parameters[i].name + "=";
  };
  bool all = true, fits = true;
  for (size_t i = first; i <= last; ++i) {
    if (values[i].defined() && i < positional) given.push_back(plain_type(values[i]));
    if (values[i].defined() && i >= positional) named.push_back(name_of(i) + plain_type(values[i]));
    all = all && values[i].defined();
    fits = fits && values[i].defined() && accepts(parameters[i], values[i]);
  }
  if (fits) return std::nullopt;
  // The names come in PyTorch's order, the last first.
  std::string_view end = given.empty() && !named.empty() ? ", " : "";
  given.insert(given.end(), named.rbegin(), named.rend());
  std::string text = fmt::format(
      "{}() received an invalid combination of arguments - got ({}{}), but expected one of:\n",
      ops::signature(entry).name, fmt::join(given, ", "), end);
  for (uint16_t form : {ops::kTakesTensor, ops::kTakesNumber}) {
    std::vector<std::string> wanted, marked;
    for (size_t i = first; i <= last; ++i) {
      uint16_t types = i == last ? form : parameters[i].types;
      std::string_view type = types & ops::kTakesTensor   ? "Tensor"
                              : types & ops::kTakesNumber ? "Number"
                                                          : "int";
      wanted.push_back(fmt::format("{} {}", type, parameters[i].name));
      if (!all) continue;
      std::string_view mark = accepts(types, values[i]) ? "" : "!";
      marked.push_back(fmt::format("{0}{1}{2}{0}", mark, name_of(i), given_type(values[i])));
    }
    text += fmt::format(" * ({})\n", fmt::join(wanted, ", "));
    if (all)
      text += fmt::format(
          "      didn't match because some of the arguments have invalid types: "
          "({}{})\n",
          fmt::join(marked, ", "), end);
  }
  return text;
}

/// What PyTorch says of a function that makes tensors, in several forms, and lacks an argument.
std::optional<std::string> lacking_text(const NativeCall& call, const ops::Signature& signature,
                                        std::span<const Value> values) {
  bool lacks = false;
  std::vector<Value> row;
  std::vector<StrObject*> names;
  for (size_t i = 0; i < values.size(); ++i) {
    const ops::Parameter& parameter = signature.parameters[i];
    lacks = lacks || (parameter.required && values[i].is_undefined());
    // What is not given may have its default by now.
    if (values[i].is_undefined()) continue;
    if (!parameter.required && values[i].identical(from_argument(parameter.default_value)))
      continue;
    row.push_back(values[i]);
    if (i >= call.positional) names.push_back(intern(parameter.name).get());
  }
  if (!lacks) return std::nullopt;
  return factory_forms_text(*call.function, {.values = row.data(),
                                             .count = row.size() - names.size(),
                                             .names = names.data(),
                                             .keyword_count = names.size()});
}

/// The slow way: `ops::bind` on everything, which raises with PyTorch's words, or finds a default
/// or a conversion that the quick way does not know.
/// `by_name` is the place of a size that was given by its name.
Value call_slowly(NativeCall& call, const OpEntry& entry, std::vector<Value> values,
                  CallStyle style, std::optional<size_t> by_name) {
  Interpreter& in = call.interpreter;
  const ops::Signature& signature = ops::signature(entry);
  std::vector<ops::Argument> positional;
  std::vector<ops::KeywordArgument> keywords;
  bool missing = false, behind_variadic = false;
  if (std::string_view(entry.name) == "copy_from_" && values[1].is_undefined())
    return call.raise("TypeError",
                      "copy_() received an invalid combination of arguments - got (), but "
                      "expected (Tensor other, bool non_blocking = False)");
  if (auto text = two_forms_text(entry, values, style, call.positional))
    return call.raise("TypeError", *text);
  if (auto text = lacking_text(call, signature, values)) return call.raise("TypeError", *text);
  try {
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i].is_undefined()) {
        missing = true;
        continue;
      }
      ops::Argument argument;
      const ops::Parameter& parameter = signature.parameters[i];
      bool known = to_argument(values[i], argument);
      // Bound, a list is no longer told from a tuple.
      bool takes_list = parameter.types & (ops::kTakesSize | ops::kTakesTensors);
      known = known && (takes_list || !values[i].is<ListObject>());
      bool named = parameter.keyword_only || i >= call.positional;
      if (!known && named) ops::wrong_type(entry, parameter.name, type_name(values[i]));
      if (!known) ops::wrong_type(entry, i, type_name(values[i]), style);
      if (missing || behind_variadic || named || by_name == i)
        keywords.push_back({parameter.name, std::move(argument)});
      else
        positional.push_back(std::move(argument));
      behind_variadic = behind_variadic || parameter.variadic;
    }
    ops::BoundArguments bound = ops::bind(entry, positional, keywords, style);
    for (size_t i = 0; i < bound.size() && i < values.size(); ++i)
      values[i] = from_argument(bound[i]);
  } catch (const ops::OpError& error) {
    return raise_op_error(in, error);
  }
  return in.call_operator(entry, values);
}

/// The arguments of a `*size` parameter: one list, or several ints, and some there must be. What is
/// neither is refused.
Value variadic_value(const Value& rest) {
  const auto& items = rest.as<TupleObject>()->items;
  if (items.empty()) return Value();
  bool ints = items[0].is_int() || items[0].is(kSymIntKind);
  return items.size() == 1 && !ints ? items[0] : rest;
}

/// `torch.return_types.max`: the class of an operator's named tuples.
ClassObject* named_tuple_class(Interpreter& in, const OpEntry& entry) {
  std::string name = ops::signature(entry).name;
  std::string key = "torch.return_types." + name;
  if (Value* found = in.modules().find(key)) return found->as<ClassObject>();
  std::string_view names = entry.output_names;
  size_t space = names.find(' ');
  const std::string_view fields[] = {names.substr(0, space), names.substr(space + 1)};
  Ref<ClassObject> cls = new_named_tuple_class(in, "torch.return_types", name, fields);
  // Kept where everything that lives as long as the interpreter is kept.
  in.modules().set(key, Value(cls));
  return cls.get();
}

Value named(Interpreter& in, const OpEntry& entry, Value result) {
  auto* tuple = result.try_as<TupleObject>();
  if (!tuple) return result;
  // max() without a dimension gives one tensor.
  if (tuple->items.size() == 1) return tuple->items[0];
  mark_subclassed(tuple, named_tuple_class(in, entry));
  return result;
}

/// A parameter that takes several ints in place of one list: `torch.zeros(2, 3)`, and in methods a
/// size that nothing positional follows: `x.broadcast_to(2, 3)`. A function of a tensor takes a
/// list only: `torch.flip(x, (0, 1))`.
bool is_variadic(const std::vector<ops::Parameter>& parameters, size_t index, bool is_method) {
  if (parameters[index].variadic) return is_method || index == 0;
  if (!is_method || index != 1 || parameters[1].types != ops::kTakesSize || !parameters[1].required)
    return false;
  for (size_t i = 2; i < parameters.size(); ++i)
    if (!parameters[i].keyword_only) return false;
  return true;
}

const OpEntry* out_form(const OpEntry& entry) {
  return ops::find_op(std::string(entry.name) + ".out");
}

Value list_of(IntSpan sizes) {
  std::vector<Value> items;
  for (int64_t size : sizes) items.emplace_back(size);
  return Value(make_list(std::move(items)));
}

/// The library's warning of an `out` that got other sizes; false where that raises.
bool warn_of_resize(Interpreter& in, IntSpan before, IntSpan after) {
  const Value module = in.import_module("torch._output");
  if (module.is_undefined()) return false;
  const Value warn = get_attribute(in, module, intern("warn_of_resize"));
  return warn.defined() && in.call(warn, {list_of(before), list_of(after)}).defined();
}

/// A call with `out=`.
Value call_out_form(Interpreter& in, const OpEntry& entry, std::span<const Value> values) {
  const Tensor out = tensor_of(values.back());
  const Dims before(out.sizes());
  Value result = in.call_operator(entry, values);
  if (result.is_undefined() || same_dims(out.sizes(), before)) return result;
  return warn_of_resize(in, before, out.sizes()) ? result : Value();
}

Value finish(NativeCall& call, const OpEntry& entry, Value result) {
  if (entry.output_form == ops::OutputForm::kTruth && result.defined())
    return bool_value(tensor_truth(call.interpreter, result));
  return entry.output_form == ops::OutputForm::kNamedTuple ? named(call.interpreter, entry, result)
                                                           : result;
}

template <CallStyle kStyle>
Value call_plainly(NativeCall& call) {
  constexpr bool kMethod = kStyle == CallStyle::kMethod;
  const OpEntry& entry = entry_of(*call.function);
  const auto& parameters = ops::signature(entry).parameters;
  size_t count = parameters.size();
  bool plain = true;
  for (size_t i = 0; plain && i < count; ++i)
    plain = !is_variadic(parameters, i, kMethod) && accepts(parameters[i], call[i]);
  // Behind the parameters come a `*size` by keyword, and `out`.
  for (size_t i = count; plain && i < call.count; ++i) plain = call[i].is_undefined();
  if (plain)
    return finish(call, entry, call.interpreter.call_operator(entry, {call.arguments, count}));
  std::vector<Value> values(call.arguments, call.arguments + call.count);
  if (std::ranges::any_of(values, is_big_int))
    return call.raise("OverflowError", "int too big to convert");
  for (Value& value : values)
    if (!scalars_to_numbers(call.interpreter, value)) return Value();
  for (size_t i = 0; i < call.count; ++i) {
    uint16_t types = i < count ? parameters[i].types : uint16_t{ops::kTakesSize};
    Device device;
    bool is_number = values[i].is_int() && !(types & (ops::kTakesInt | ops::kTakesNumber));
    bool names_device = (types & ops::kTakesDevice) && (is_str(values[i]) || is_number);
    if (names_device && !device_of(call.interpreter, values[i], device)) return Value();
    if (names_device && is_number) values[i] = device_value(device);
    bool is_out = i >= count && call.function->signature.parameters[i].name == "out";
    if (!is_out && !tensors_to_numbers(call.interpreter, types, values[i])) return Value();
  }
  Value by_keyword = call.count > count ? values[count] : Value();
  values.resize(count);
  Value out;
  bool all = true;
  std::optional<size_t> by_name;
  for (size_t i = count; i < call.count; ++i)
    if (call.function->signature.parameters[i].name == "out") out = call[i];
  for (size_t i = 0; i < count; ++i) {
    bool variadic = is_variadic(parameters, i, kMethod);
    if (variadic) {
      bool named = by_keyword.defined() && !out.identical(by_keyword);
      Value by_place = variadic_value(values[i]);
      if (named && by_place.defined())
        return call.raise("TypeError", fmt::format("{}() got multiple values for argument '{}'",
                                                   ops::signature(entry).name, parameters[i].name));
      values[i] = named ? by_keyword : by_place;
      if (named) by_name = i;
    }
    all = all && accepts(parameters[i], values[i]);
  }
  if (out.is(kTensorKind) && all) {
    values.push_back(out);
    return call_out_form(call.interpreter, *out_form(entry), values);
  }
  return finish(call, entry,
                all ? call.interpreter.call_operator(entry, values)
                    : call_slowly(call, entry, std::move(values), kStyle, by_name));
}

/// Operators that draw take `generator=`, which is no business of the operator's either.
template <CallStyle kStyle>
Value call_drawing(NativeCall& call) {
  size_t count = ops::signature(entry_of(*call.function)).parameters.size();
  while (count < call.count && call.function->signature.parameters[count].name != "generator")
    ++count;
  if (count >= call.count || call[count].is_undefined()) return call_plainly<kStyle>(call);
  Interpreter& in = call.interpreter;
  if (!call[count].is_none() && !is_generator(in, call[count]))
    return call.raise("TypeError",
                      fmt::format("expected a 'torch._C.Generator' object for argument "
                                  "'generator' but got {}",
                                  type_name(call[count])));
  // A trace knows no other generator than the default one: it ends at what looks at another.
  if (in.tracer() && !call[count].is_none() &&
      in.call_method(call[count], "get_state").is_undefined())
    return Value();
  std::vector<Value> values(call.arguments, call.arguments + call.count);
  values[count] = Value();
  GeneratorScope scope(in, call[count]);
  NativeCall inner{in, values.data(), call.count, call.function, call.positional};
  return call_plainly<kStyle>(inner);
}

template <CallStyle kStyle>
Value call_entry(NativeCall& call) {
  if (entry_of(*call.function).effects.random) return call_drawing<kStyle>(call);
  return call_plainly<kStyle>(call);
}

/// Creation functions take `requires_grad`, which is no business of the operator's.
template <CallStyle kStyle>
Value call_creation(NativeCall& call) {
  Value made = call_entry<kStyle>(call);
  if (!made.is(kTensorKind)) return made;
  // The values that it starts with count as no write.
  if (Storage* storage = made.as<TensorImpl>()->storage.get()) storage->reset_version();
  const OpEntry& entry = entry_of(*call.function);
  std::optional<size_t> place = ops::signature(entry).find("requires_grad");
  if (!place || !call[*place].is_bool() || !call[*place].as_bool()) return made;
  auto* tensor = made.as<TensorImpl>();
  if (!is_floating(tensor->dtype))
    return call.raise("RuntimeError",
                      "Only Tensors of floating point and complex dtype can require "
                      "gradients");
  tensor->requires_grad = true;
  tensor->meta = TensorMetaId::kUnknown;
  return made;
}

bool shows_window(const OpEntry& entry) {
  return std::string_view(entry.name) == "as_strided";
}

/// Methods that give a tensor other sizes and strides over its own memory, `x.t_()`: what the entry
/// gives is a view, and the tensor becomes that.
bool restrides(std::string_view name, const OpEntry& entry) {
  bool makes_view = entry.lowers_to<ops::View>() || shows_window(entry);
  return makes_view && name.ends_with('_') && !name.ends_with("__");
}

bool converts(const OpEntry& entry) {
  return std::string_view(entry.name) == "to_any";
}

Value made_window(NativeCall& call, Value made) {
  if (!shows_window(entry_of(*call.function)) || !made.is(kTensorKind)) return made;
  autograd::show_window(tensor_of(made), tensor_of(call[0]));
  return made;
}

template <CallStyle kStyle>
Value call_window(NativeCall& call) {
  try {
    return made_window(call, call_plainly<kStyle>(call));
  } catch (const ops::OpError& error) {
    return raise_op_error(call.interpreter, error);
  }
}

Value call_restriding(NativeCall& call) {
  if (!call[0].is(kTensorKind)) return call_plainly<CallStyle::kMethod>(call);
  Tensor self = tensor_of(call[0]);
  try {
    autograd::check_may_restride(self);
    Value made = made_window(call, call_plainly<CallStyle::kMethod>(call));
    if (!made.is(kTensorKind)) return Value();
    autograd::become_view(self, tensor_of(made));
  } catch (const ops::OpError& error) {
    return raise_op_error(call.interpreter, error);
  }
  return value_of(self);
}

NativeFunction function_of(std::string_view name, const OpEntry& entry, bool is_method) {
  if (restrides(name, entry)) return call_restriding;
  if (converts(entry)) return call_conversion;
  if (shows_window(entry))
    return is_method ? call_window<CallStyle::kMethod> : call_window<CallStyle::kFunction>;
  bool creates = ops::signature(entry).find("requires_grad").has_value();
  if (is_method)
    return creates ? call_creation<CallStyle::kMethod> : call_entry<CallStyle::kMethod>;
  return creates ? call_creation<CallStyle::kFunction> : call_entry<CallStyle::kFunction>;
}

NativeParameter keyword_only(std::string name) {
  NativeParameter parameter;
  parameter.name = std::move(name);
  parameter.kind = ParameterKind::kKeywordOnly;
  parameter.has_default = true;
  return parameter;
}

NativeSignature signature_of(std::string_view name, const OpEntry& entry, bool is_method) {
  if (converts(entry)) return conversion_signature();
  NativeSignature result;
  result.name = name;
  const auto& parameters = ops::signature(entry).parameters;
  const size_t most = most_by_position(name);
  std::string variadic;
  for (size_t i = 0; i < parameters.size(); ++i) {
    NativeParameter mine;
    mine.name = parameters[i].name;
    mine.has_default = true;
    if (!parameters[i].required) mine.default_value = from_argument(parameters[i].default_value);
    if (is_variadic(parameters, i, is_method)) {
      mine.kind = ParameterKind::kStarArgs;
      variadic = mine.name;
    } else if (parameters[i].keyword_only || !variadic.empty() || i >= most) {
      mine.kind = ParameterKind::kKeywordOnly;
    } else {
      ++result.positional;
    }
    result.parameters.push_back(std::move(mine));
  }
  if (!variadic.empty()) result.parameters.push_back(keyword_only(variadic));
  if (entry.effects.random) result.parameters.push_back(keyword_only("generator"));
  if (!is_method && out_form(entry)) result.parameters.push_back(keyword_only("out"));
  result.simple = result.positional == result.parameters.size();
  if (std::optional<size_t> least = least_of_own_form(name)) {
    result.required = *least;
    result.simple = result.simple && *least <= result.positional;
  }
  result.complete = completes_itself(result);
  return result;
}

}  // namespace

ClassObject* return_type(Interpreter& in, std::string_view name) {
  const auto is_it = [&](const OpEntry& entry) {
    return *entry.output_names != '\0' && ops::signature(entry).name == name;
  };
  const auto found = std::ranges::find_if(ops::op_table(), is_it);
  return found == ops::op_table().end() ? nullptr : named_tuple_class(in, *found);
}

std::string plain_type(const Value& value) {
  return value.is(kDTypeKind) ? "torch.dtype" : std::string(type_name(value));
}

Ref<NativeFunctionObject> make_operator(std::string_view name, const OpEntry& entry,
                                        bool is_method) {
  Effects effects{.pure = !entry.effects.random && !entry.effects.mutates,
                  .reads_value = true,
                  .mutates = entry.effects.mutates,
                  .traceable = true};
  if (restrides(name, entry) || shows_window(entry)) effects = kImpure;
  Ref<NativeFunctionObject> native =
      make_native({"operator()", function_of(name, entry, is_method), effects, entry.doc});
  native->signature = signature_of(name, entry, is_method);
  native->module_name = "torch";
  native->data = Value(static_cast<int64_t>(&entry - ops::op_table().data()));
  return native;
}

const OpEntry* operator_of(const NativeFunctionObject& native) {
  bool is_operator = native.function == call_entry<CallStyle::kMethod> ||
                     native.function == call_entry<CallStyle::kFunction> ||
                     native.function == call_creation<CallStyle::kMethod> ||
                     native.function == call_creation<CallStyle::kFunction> ||
                     native.function == call_conversion;
  return is_operator ? &entry_of(native) : nullptr;
}

void add_operators(ModuleObject& module, ops::PythonPlace place) {
  for (const auto& [name, entry] : ops::python_names(place)) {
    Ref<NativeFunctionObject> native = make_operator(name, *entry, false);
    if (place == ops::PythonPlace::kFunctional) native->module_name = "torch.nn.functional";
    module.dict->set(name, Value(std::move(native)));
  }
}

void add_operator_methods(ClassObject& cls) {
  for (const auto& [name, entry] : ops::python_names(ops::PythonPlace::kMethod)) {
    Ref<NativeFunctionObject> native = make_operator(name, *entry, true);
    native->owner = &cls;
    cls.dict->set(name, Value(std::move(native)));
  }
  cls.changed();
}

}  // namespace glint::runtime
