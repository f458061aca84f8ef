// repr, str and format of every kind of value.
//
// A script's own `__repr__`, `__str__` or `__format__` comes first; then the builtin way of the
// kind. Containers recurse in C++ as deep as they nest, within a bound; a container that is being
// printed already prints as `[...]`.
#include <algorithm>
#include <cmath>

#include "runtime/interpreter/big_ints.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/builtins_format_spec.h"
#include "runtime/interpreter/builtins_number_text.h"
#include "runtime/interpreter/builtins_utf8.h"
#include "runtime/interpreter/complex_numbers.h"
#include "runtime/interpreter/exception_text.h"
#include "runtime/interpreter/number_objects.h"
#include "runtime/interpreter/os_errors.h"
#include "runtime/interpreter/recursion.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::runtime {
namespace {

/// Marks a container as being printed; `entered` is false where it is already.
class ReprGuard {
 public:
  explicit ReprGuard(Object* object) : object_(object), entered_(!object->flag(Object::kInRepr)) {
    if (entered_) object_->set_flag(Object::kInRepr);
  }
  ~ReprGuard() {
    if (entered_) object_->clear_flag(Object::kInRepr);
  }
  ReprGuard(const ReprGuard&) = delete;
  ReprGuard& operator=(const ReprGuard&) = delete;
  bool entered() const { return entered_; }

 private:
  Object* object_;
  bool entered_;
};

std::string address(const Value& value) {
  return fmt::format("0x{:x}", reinterpret_cast<uintptr_t>(value.object()));
}

bool repr_items(Interpreter& in, const std::vector<Value>& items, std::string& out) {
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += ", ";
    Value item = items[i];
    if (!repr_of(in, item, out)) return false;
  }
  return true;
}

bool repr_list(Interpreter& in, ListObject* list, std::string& out) {
  ReprGuard guard(list);
  if (!guard.entered()) return out += "[...]", true;
  out += '[';
  if (!repr_items(in, list->items, out)) return false;
  out += ']';
  return true;
}

bool repr_tuple(Interpreter& in, TupleObject* tuple, std::string& out) {
  ReprGuard guard(tuple);
  if (!guard.entered()) return out += "(...)", true;
  bool size = tuple->is_size();
  out += size ? "torch.Size([" : "(";
  if (!repr_items(in, tuple->items, out)) return false;
  if (tuple->items.size() == 1 && !size) out += ',';
  out += size ? "])" : ")";
  return true;
}

/// `torch.return_types.max(\nvalues=...,\nindices=...)`, `sys.version_info(major=3, minor=11,
/// ...)`.
bool repr_named_tuple(Interpreter& in, TupleObject* tuple, ClassObject& cls, std::string& out) {
  Value* fields = cls.lookup("_fields");
  const bool of_torch = view_of(cls.module_name).starts_with("torch");
  out += fmt::format("{}.{}({}", view_of(cls.module_name), cls.name->view(), of_torch ? "\n" : "");
  for (size_t i = 0; i < tuple->items.size(); ++i) {
    if (i > 0) out += of_torch ? ",\n" : ", ";
    out += fmt::format("{}=", view_of(fields->as<TupleObject>()->items[i]));
    if (!repr_of(in, tuple->items[i], out)) return false;
  }
  out += ')';
  return true;
}

bool repr_dict(Interpreter& in, DictObject* dict, std::string& out) {
  ReprGuard guard(dict);
  if (!guard.entered()) return out += "{...}", true;
  out += '{';
  bool first = true;
  for (size_t i = 0; i < dict->table.entries().size(); ++i) {
    auto entry = dict->table.entries()[i];
    if (entry.key.is_undefined()) continue;
    if (!first) out += ", ";
    first = false;
    if (!repr_of(in, entry.key, out)) return false;
    out += ": ";
    if (!repr_of(in, entry.value, out)) return false;
  }
  out += '}';
  return true;
}

bool repr_set(Interpreter& in, SetObject* set, std::string_view type, std::string& out) {
  ReprGuard guard(set);
  if (!guard.entered()) return out += fmt::format("{}(...)", type), true;
  if (set->table.empty()) return out += fmt::format("{}()", type), true;
  if (type != "set") out += fmt::format("{}(", type);
  out += '{';
  bool first = true;
  for (size_t i = 0; i < set->table.entries().size(); ++i) {
    Value key = set->table.entries()[i].key;
    if (key.is_undefined()) continue;
    if (!first) out += ", ";
    first = false;
    if (!repr_of(in, key, out)) return false;
  }
  out += '}';
  if (type != "set") out += ')';
  return true;
}

/// Whether the dict is an `OrderedDict` of the library's, whose views are called otherwise.
bool is_ordered(DictObject* dict) {
  return std::ranges::any_of(class_of(Value(dict))->order, [](const ClassObject* cls) {
    return !cls->native && cls->name->view() == "OrderedDict" && is_str(cls->module_name) &&
           view_of(cls->module_name) == "collections";
  });
}

bool repr_view(Interpreter& in, DictViewObject* view, std::string& out) {
  using What = DictViewObject::What;
  if (is_ordered(view->dict.get())) out += 'o';
  out += view->what == What::kKeys     ? "dict_keys(["
         : view->what == What::kValues ? "dict_values(["
                                       : "dict_items([";
  bool first = true;
  for (size_t i = 0; i < view->dict->table.entries().size(); ++i) {
    auto entry = view->dict->table.entries()[i];
    if (entry.key.is_undefined()) continue;
    if (!first) out += ", ";
    first = false;
    if (view->what == What::kItems) out += '(';
    if (view->what != What::kValues && !repr_of(in, entry.key, out)) return false;
    if (view->what == What::kItems) out += ", ";
    if (view->what != What::kKeys && !repr_of(in, entry.value, out)) return false;
    if (view->what == What::kItems) out += ')';
  }
  out += "])";
  return true;
}

bool repr_exception(Interpreter& in, ExceptionObject* exception, std::string& out) {
  ReprGuard guard(exception);
  out += exception->cls->name->view();
  out += '(';
  if (guard.entered() && exception->args && !repr_items(in, exception->args->items, out))
    return false;
  out += ')';
  return true;
}

std::string qualified(ClassObject& cls) {
  if (is_str(cls.module_name) && view_of(cls.module_name) != "builtins")
    return fmt::format("{}.{}", view_of(cls.module_name), cls.qualified_name->view());
  return std::string(cls.qualified_name->view());
}

std::string repr_module(ModuleObject& module) {
  if (Value* file = module.dict->find("__file__"); file && is_str(*file))
    return fmt::format("<module '{}' from '{}'>", module.name->view(), view_of(*file));
  const bool made = module.dict->find("__loader__") != nullptr;  // by a script
  return fmt::format("<module '{}'{}>", module.name->view(), made ? "" : " (built-in)");
}

std::string repr_native(const Value& value, NativeFunctionObject& native) {
  if (native.owner)
    return fmt::format("<method '{}' of '{}' objects>", native.signature.name,
                       native.owner->name->view());
  if (!native.module_name.empty() && native.module_name != "builtins" &&
      native.module_name.starts_with("torch"))
    return fmt::format("<built-in method {} of type object at {}>", native.signature.name,
                       address(value));
  std::string_view name = native.signature.name;
  if (native.module_name == "builtins" && (name == "exit" || name == "quit"))
    return fmt::format("Use {}() or Ctrl-D (i.e. EOF) to exit", name);
  return fmt::format("<built-in function {}>", name);
}

bool repr_bound(Interpreter& in, BoundMethodObject& method, std::string& out) {
  std::string name = "?";
  if (auto* function = method.function.try_as<FunctionObject>())
    name = function->qualified_name->view();
  out += fmt::format("<bound method {} of ", name);
  if (!repr_of(in, method.self, out)) return false;
  out += '>';
  return true;
}

bool repr_slice(Interpreter& in, SliceObject& slice, std::string& out) {
  out += "slice(";
  if (!repr_of(in, slice.start, out)) return false;
  out += ", ";
  if (!repr_of(in, slice.stop, out)) return false;
  out += ", ";
  if (!repr_of(in, slice.step, out)) return false;
  out += ')';
  return true;
}

std::string repr_range(RangeObject& range) {
  if (range.step == 1) return fmt::format("range({}, {})", range.start, range.stop);
  return fmt::format("range({}, {}, {})", range.start, range.stop, range.step);
}

/// Kinds that print as `<name object at 0x...>` or likewise, without looking inside.
std::string repr_plain(const Value& value) {
  switch (value.kind()) {
    case kFunctionKind:
      return fmt::format("<function {} at {}>", value.as<FunctionObject>()->qualified_name->view(),
                         address(value));
    case kNativeFunctionKind:
      return repr_native(value, *value.as<NativeFunctionObject>());
    case kBoundNativeKind: {
      auto* bound = value.as<BoundNativeObject>();
      return fmt::format("<built-in method {} of {} object at {}>", bound->function->signature.name,
                         type_name(bound->self), address(value));
    }
    case kClassKind:
      return fmt::format("<class '{}'>", qualified(*value.as<ClassObject>()));
    case kModuleKind:
      return repr_module(*value.as<ModuleObject>());
    case kGeneratorKind:
      return fmt::format("<generator object {} at {}>", value.as<GeneratorObject>()->name->view(),
                         address(value));
    case kRangeKind:
      return repr_range(*value.as<RangeObject>());
    case kCodeKind:
      return fmt::format("<code object {} at {}>", value.as<CodeObject>()->code->name,
                         address(value));
    default:
      return fmt::format("<{} object at {}>", qualified(*class_of(value)), address(value));
  }
}

bool repr_big_int(Interpreter& in, const BigInt& number, std::string& out) {
  std::optional<std::string> digits = digits_of(in, number, 10);
  if (!digits) return false;
  if (number.is_negative()) out += '-';
  out += *digits;
  return true;
}

bool repr_object(Interpreter& in, const Value& value, std::string& out) {
  switch (value.kind()) {
    case kStrKind:
      out += text_repr(view_of(value));
      return true;
    case kBytesKind:
      out += bytes_repr(value.as<BytesObject>()->data);
      return true;
    case kNumberKind:
      return builtin_repr(in, number_in(value), out);
    case kBigIntKind:
      return repr_big_int(in, value.as<BigIntObject>()->value, out);
    case kComplexKind:
      out += complex_repr(value.as<ComplexObject>()->number);
      return true;
    case kListKind:
      return repr_list(in, value.as<ListObject>(), out);
    case kTupleKind:
      if (value.as<Object>()->flag(Object::kSubclassed) && class_of(value)->native)
        return repr_named_tuple(in, value.as<TupleObject>(), *class_of(value), out);
      return repr_tuple(in, value.as<TupleObject>(), out);
    case kDictKind:
      return repr_dict(in, value.as<DictObject>(), out);
    case kSetKind:
    case kFrozenSetKind:
      return repr_set(in, value.as<SetObject>(), type_name(value), out);
    case kDictViewKind:
      return repr_view(in, value.as<DictViewObject>(), out);
    case kSliceKind:
      return repr_slice(in, *value.as<SliceObject>(), out);
    case kExceptionKind:
      return repr_exception(in, value.as<ExceptionObject>(), out);
    case kBoundMethodKind:
      return repr_bound(in, *value.as<BoundMethodObject>(), out);
    case kCompiledFunctionKind:
      return repr_of(in, value.as<CompiledFunctionObject>()->function, out);
    case kNativeDataKind:
      if (!is_union(value)) return out += repr_plain(value), true;
      for (const Value& part : value.as<UnionObject>()->parts->items) {
        if (&part != value.as<UnionObject>()->parts->items.data()) out += " | ";
        bool none = part.identical(Value(class_of(Value::none())));
        out += none ? std::string("None") : qualified(*part.as<ClassObject>());
      }
      return true;
    case kDTypeKind:
    case kDeviceKind:
    case kTensorKind:
      return torch_repr(in, value, out);
    default:
      out += repr_plain(value);
      return true;
  }
}

/// Calls a script's special method that must give a str.
bool call_for_text(Interpreter& in, const Value& method, const Value& self, std::string_view name,
                   std::string& out, const Value* argument = nullptr) {
  Value result = argument ? in.call(method, {self, *argument}) : in.call(method, {self});
  if (result.is_undefined()) return false;
  if (!is_str(result)) {
    in.raise("TypeError",
             name == "__format__"
                 ? fmt::format("__format__ must return a str, not {}", type_name(result))
                 : fmt::format("{} returned non-string (type {})", name, type_name(result)));
    return false;
  }
  out += view_of(result);
  return true;
}

/// `invalid syntax (x.py, line 3)`.
bool str_syntax_error(Interpreter& in, ExceptionObject* exception, std::string& out) {
  auto detail = [&](std::string_view name) {
    Value found = find_attribute(in, Value(exception), intern(name));
    return found.defined() ? found : Value::none();
  };
  if (!str_of(in, detail("msg"), out)) return false;
  std::string place;
  if (Value file = detail("filename"); is_str(file)) {
    std::string_view path = view_of(file);
    place = path.substr(path.rfind('/') + 1);
  }
  if (Value line = detail("lineno"); line.is_int())
    place += fmt::format("{}line {}", place.empty() ? "" : ", ", line.as_int());
  if (!place.empty()) out += fmt::format(" ({})", place);
  return true;
}

}  // namespace

bool str_exception(Interpreter& in, ExceptionObject* exception, std::string& out) {
  const auto& args = exception->args ? exception->args->items : std::vector<Value>();
  if (exception->cls->is_subclass_of(in.classes().exceptions["SyntaxError"].get()))
    return str_syntax_error(in, exception, out);
  if (args.empty()) return true;
  if (const OsErrorObject* error = as_os_error(*exception)) {
    if (str_os_error(in, *error, out)) return true;
    if (in.raised()) return false;
  }
  if (args.size() > 1) return repr_tuple(in, exception->args.get(), out);
  bool key_error = in.classes().exceptions.contains("KeyError") &&
                   exception->cls->is_subclass_of(in.classes().exceptions["KeyError"].get());
  return key_error ? repr_of(in, args[0], out) : str_of(in, args[0], out);
}

namespace {

template <class Format>
bool formatted(Interpreter& in, std::string_view spec, std::string_view type, std::string& out,
               Format format) {
  auto parsed = parse_format_spec(spec, type);
  if (!parsed) return in.raise("ValueError", parsed.error().message), false;
  Result<std::string> text = format(*parsed);
  if (!text) return in.raise("ValueError", text.error().message), false;
  out += *text;
  return true;
}

}  // namespace

const Value* script_special(const Value& value, Special which) {
  switch (value.kind()) {
    case kOpaqueKind:
    case kTensorKind:
      return nullptr;
    case kInstanceKind:
    case kExceptionKind:
      break;
    default:
      if (!static_cast<Object*>(value.object())->flag(Object::kSubclassed)) return nullptr;
  }
  const Value& method = class_of(value)->special(which);
  if (method.is_undefined() || method.is<NativeFunctionObject>()) return nullptr;
  return &method;
}

std::string repr_of_double(double value) {
  return float_repr(value);
}

bool builtin_repr(Interpreter& in, const Value& value, std::string& out) {
  switch (value.tag()) {
    case Tag::kUndefined:
      out += "<undefined>";
      return true;
    case Tag::kNone:
      out += "None";
      return true;
    case Tag::kBool:
      out += value.as_bool() ? "True" : "False";
      return true;
    case Tag::kInt:
      out += fmt::to_string(value.as_int());
      return true;
    case Tag::kFloat:
      out += float_repr(value.as_float());
      return true;
    case Tag::kEllipsis:
      out += "Ellipsis";
      return true;
    case Tag::kNotImplemented:
      out += "NotImplemented";
      return true;
    case Tag::kObject:
      break;
  }
  Recursion deeper(in, " while getting the repr of an object");
  return deeper.allowed() && repr_object(in, value, out);
}

bool repr_of(Interpreter& in, const Value& value, std::string& out) {
  if (const Value* method = script_special(value, Special::kRepr)) {
    Value function = *method;
    if (function.is_none())
      return in.raise("TypeError", "'NoneType' object is not callable"), false;
    return call_for_text(in, function, value, "__repr__", out);
  }
  return builtin_repr(in, settled(in.tracer(), value), out);
}

bool str_of(Interpreter& in, const Value& value, std::string& out) {
  if (const Value* method = script_special(value, Special::kStr)) {
    Value function = *method;
    return call_for_text(in, function, value, "__str__", out);
  }
  if (is_str(value)) return out += view_of(value), true;
  if (value.is(kDeviceKind) || value.is(kTensorKind)) return torch_str(in, value, out);
  if (value.is<ExceptionObject>()) {
    if (script_special(value, Special::kRepr) && !value.as<ExceptionObject>()->args)
      return repr_of(in, value, out);
    return str_exception(in, value.as<ExceptionObject>(), out);
  }
  return repr_of(in, value, out);
}

bool ascii_of(Interpreter& in, const Value& value, std::string& out) {
  std::string text;
  if (!repr_of(in, value, text)) return false;
  for_each_code_point(text, [&](uint32_t c) {
    if (c < 0x80)
      out += static_cast<char>(c);
    else if (c < 0x100)
      out += fmt::format("\\x{:02x}", c);
    else if (c < 0x10000)
      out += fmt::format("\\u{:04x}", c);
    else
      out += fmt::format("\\U{:08x}", c);
  });
  return true;
}

bool converted_text(Interpreter& in, const Value& value, char conversion, std::string& out) {
  if (conversion == 's') return str_of(in, value, out);
  return conversion == 'a' ? ascii_of(in, value, out) : repr_of(in, value, out);
}

/// As a float where the spec asks for one.
static bool format_big_int(Interpreter& in, const Value& value, std::string_view spec,
                           std::string& out) {
  const BigInt& number = value.as<BigIntObject>()->value;
  if (spec.ends_with('c'))
    return in.raise("OverflowError", "Python int too large to convert to C long"), false;
  double as_float = 0;
  if (!spec.empty() && std::string_view("eEfFgG%").find(spec.back()) != std::string_view::npos) {
    if (!float_of(in, value, as_float)) return false;
    return builtin_format(in, Value(as_float), spec, out);
  }
  bool too_long = false;
  bool done = formatted(in, spec, "int", out, [&](const FormatSpec& parsed) -> Result<std::string> {
    std::optional<std::string> digits = digits_of(in, number, base_of(parsed.type));
    too_long = !digits;
    return too_long ? Result(std::string()) : format_digits(number.is_negative(), *digits, parsed);
  });
  return done && !too_long;
}

bool builtin_format(Interpreter& in, const Value& value, std::string_view spec, std::string& out) {
  if (value.is(kTensorKind)) return torch_format(in, value, spec, out);
  if (spec.empty()) return str_of(in, value, out);
  if (is_number_object(value)) return builtin_format(in, number_in(value), spec, out);
  if (value.is_integral())
    return formatted(in, spec, value.is_bool() ? "bool" : "int", out,
                     [&](const FormatSpec& parsed) { return format_int(value.as_int(), parsed); });
  if (is_big_int(value)) return format_big_int(in, value, spec, out);
  if (value.is_float())
    return formatted(in, spec, "float", out, [&](const FormatSpec& parsed) {
      return format_float(value.as_float(), parsed);
    });
  if (value.is<ComplexObject>())
    return formatted(in, spec, "complex", out, [&](const FormatSpec& parsed) {
      return format_complex(value.as<ComplexObject>()->number, parsed);
    });
  if (is_str(value))
    return formatted(in, spec, "str", out,
                     [&](const FormatSpec& parsed) { return format_text(view_of(value), parsed); });
  in.raise("TypeError",
           fmt::format("unsupported format string passed to {}.__format__", type_name(value)));
  return false;
}

bool format_of(Interpreter& in, const Value& value, std::string_view spec, std::string& out) {
  if (const Value* method = script_special(value, Special::kFormat)) {
    Value function = *method;
    Value text = str_value(std::string(spec));
    return call_for_text(in, function, value, "__format__", out, &text);
  }
  return builtin_format(in, settled(in.tracer(), value), spec, out);
}

}  // namespace glint::runtime
