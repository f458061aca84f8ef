// The attributes that objects have by nature, and in no dict: `f.__name__`, `C.__mro__`,
// `error.args`.
//
//     def f(a, b=2): ...        f.__defaults__ == (2,), f.__code__, f.__doc__
//     len.__name__ == "len"     [].append.__self__ == []

#include "runtime/interpreter/attributes.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/os_errors.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/tensor_attributes.h"

namespace glint::runtime {

/// A dict that an object gets when somebody asks for it.
static Value dict_made_on_demand(Ref<DictObject>& dict) {
  if (!dict) dict = make_dict();
  return Value(dict);
}

static Value function_attribute(FunctionObject& function, std::string_view name) {
  if (name == "__name__") return Value(function.name);
  if (name == "__qualname__") return Value(function.qualified_name);
  if (name == "__doc__") return function.doc;
  if (name == "__module__") return function.module_name;
  if (name == "__globals__") return Value(function.globals);
  if (name == "__code__") return Value(make_ref<CodeObject>(function.code));
  if (name == "__defaults__") {
    return function.defaults.empty() ? Value::none() : Value(make_tuple(function.defaults));
  }
  if (name == "__kwdefaults__") return Value(function.keyword_defaults);
  if (name == "__annotations__") return dict_made_on_demand(function.annotations);
  if (name == "__dict__") return dict_made_on_demand(function.attributes);
  if (name == "__closure__") {
    if (function.closure.empty()) return Value::none();
    std::vector<Value> cells;
    for (const auto& cell : function.closure) cells.emplace_back(cell);
    return Value(make_tuple(std::move(cells)));
  }
  return Value();
}

static Value native_function_attribute(const NativeFunctionObject& native, std::string_view name) {
  if (name == "__name__" || name == "__qualname__") return Value(make_str(native.signature.name));
  if (name == "__doc__") return Value(make_str(native.doc));
  if (name == "__module__") return Value(make_str(native.module_name));
  return Value();
}

static Value module_attribute(const ModuleObject& module, std::string_view name) {
  if (name == "__dict__") return Value(module.dict);
  if (name == "__name__") return Value(module.name);
  if (name == "__doc__") return Value::none();
  return Value();
}

static Value exception_state(ExceptionObject& exception, std::string_view name) {
  if (name == "__cause__") return exception.cause;
  if (name == "__context__") return exception.context;
  if (name == "__suppress_context__") return Value(exception.suppress_context);
  if (name == "__traceback__") {
    if (exception.traceback.empty()) return Value::none();
    return Value(make_ref<TracebackObject>(exception.traceback));
  }
  if (name == "__notes__") return exception.notes;
  if (name == "__dict__") return dict_made_on_demand(exception.attributes);
  return Value();
}

/// `f.__code__.co_argcount` and the like: what tells how a function is called.
static Value code_attribute(const program::Code& code, std::string_view name) {
  using Kind = program::ParameterKind;
  auto count = [&code](std::initializer_list<Kind> kinds) {
    return Value(static_cast<int64_t>(
        std::ranges::count_if(code.parameters, [&](const program::Parameter& parameter) {
          return std::ranges::find(kinds, parameter.kind) != kinds.end();
        })));
  };
  if (name == "co_name") return str_value(code.name);
  if (name == "co_qualname") return str_value(code.qualified_name);
  if (name == "co_argcount") return count({Kind::kPositionalOnly, Kind::kPositional});
  if (name == "co_posonlyargcount") return count({Kind::kPositionalOnly});
  if (name == "co_kwonlyargcount") return count({Kind::kKeywordOnly});
  if (name == "co_flags") {
    constexpr int64_t kOptimised = 0x3, kStarArgs = 0x4, kStarKeywords = 0x8, kGenerator = 0x20;
    return Value(kOptimised + kStarArgs * count({Kind::kStarArgs}).as_int() +
                 kStarKeywords * count({Kind::kStarKeywords}).as_int() +
                 (code.is_generator ? kGenerator : 0));
  }
  if (name != "co_varnames") return Value();
  // CPython has `*args` behind the parameters that only a keyword reaches.
  std::vector<Value> names;
  for (bool starred : {false, true})
    for (const program::Parameter& parameter : code.parameters)
      if ((parameter.kind == Kind::kStarArgs || parameter.kind == Kind::kStarKeywords) == starred)
        names.push_back(str_value(parameter.name));
  for (size_t i = code.parameters.size(); i < code.local_names.size(); ++i)
    names.push_back(str_value(code.local_names[i]));
  return Value(make_tuple(std::move(names)));
}

/// What the kind of object has; for a bound method or a compiled function also what the function
/// in it has.
static Value attribute_of_kind(const Value& object, std::string_view name) {
  switch (object.kind()) {
    case kInstanceKind:
      if (name != "__dict__" || object.as<InstanceObject>()->cls->slots) return Value();
      return Value(static_cast<RefCounted*>(object.as<InstanceObject>()->materialise_dict()));
    case kTensorKind:
      if (name != "__dict__") return Value();
      return Value(static_cast<RefCounted*>(own_attributes(object, true)));
    case kFunctionKind:
      return function_attribute(*object.as<FunctionObject>(), name);
    case kNativeFunctionKind:
      return native_function_attribute(*object.as<NativeFunctionObject>(), name);
    case kBoundNativeKind: {
      auto* bound = object.as<BoundNativeObject>();
      return name == "__self__" ? bound->self : builtin_attribute(Value(bound->function), name);
    }
    case kBoundMethodKind: {
      auto* bound = object.as<BoundMethodObject>();
      if (name == "__self__") return bound->self;
      return name == "__func__" ? bound->function : builtin_attribute(bound->function, name);
    }
    case kCompiledFunctionKind: {
      const Value& function = object.as<CompiledFunctionObject>()->function;
      return name == "__wrapped__" ? function : builtin_attribute(function, name);
    }
    case kModuleKind:
      return module_attribute(*object.as<ModuleObject>(), name);
    case kExceptionKind:
      return exception_state(*object.as<ExceptionObject>(), name);
    case kStaticMethodKind:
    case kClassMethodKind: {
      bool wrapped = name == "__func__" || name == "__wrapped__";
      return wrapped ? object.as<WrappedMethodObject>()->function : Value();
    }
    case kGeneratorKind:
      return name == "__name__" ? Value(object.as<GeneratorObject>()->name) : Value();
    default:
      return Value();
  }
}

Value builtin_attribute(const Value& object, std::string_view name) {
  if (auto* code = object.try_as<CodeObject>(); code && name.starts_with("co_"))
    return code_attribute(*code->code, name);
  if (name.size() < 4 || !name.starts_with("__")) return Value();
  if (name == "__class__") return Value(class_of(object));
  Value own = attribute_of_kind(object, name);
  if (own.defined()) return own;
  if (name == "__doc__") {
    Value* doc = class_of(object)->dict->find("__doc__");
    return doc ? *doc : Value::none();
  }
  const bool bare = class_of(object)->slots != nullptr;
  if (name == "__dict__" && object.is_object() && object.kind() >= kFirstInterpreterKind && !bare) {
    if (DictObject* extra = extra_attributes(object.as<Object>(), true))
      return Value(static_cast<RefCounted*>(extra));
  }
  return Value();
}

Value class_builtin_attribute(ClassObject& cls, const std::string& name) {
  if (name == "__name__") return Value(cls.name);
  if (name == "__qualname__") return Value(cls.qualified_name);
  if (name == "__module__") return cls.module_name;
  if (name == "__dict__") return Value(cls.dict);
  if (name == "__base__") return Value(cls.base);
  if (name == "__class__") return Value(Ref<ClassObject>(class_of(Value(Ref(&cls)))));
  if (name == "__bases__") {
    std::vector<Value> bases;
    for (const Ref<ClassObject>& base : cls.bases) bases.emplace_back(base);
    return Value(make_tuple(std::move(bases)));
  }
  if (name == "__mro__") {
    std::vector<Value> order;
    for (ClassObject* one : cls.order) order.emplace_back(static_cast<RefCounted*>(one));
    return Value(make_tuple(std::move(order)));
  }
  if (name == "__doc__") {
    Value* doc = cls.dict->find("__doc__");
    return doc ? *doc : Value::none();
  }
  return Value();
}

/// What the second argument of a SyntaxError says of its place, None where it is absent.
Value syntax_detail(const Value& details, const std::string& name) {
  constexpr std::string_view kNames[] = {
      "filename", "lineno", "offset", "text", "end_lineno", "end_offset", "print_file_and_line"};
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (name != kNames[i]) continue;
    auto* tuple = details.try_as<TupleObject>();
    return tuple && i < tuple->items.size() ? tuple->items[i] : Value::none();
  }
  return Value();
}

Value exception_attribute(ExceptionObject& exception, const std::string& name) {
  if (name == "args") return Value(exception.args);
  if (name == "name" && exception.sought) return Value(exception.sought);
  if (exception.attributes) {
    if (Value* own = exception.attributes->find(name)) return *own;
  }
  const auto& args = exception.args->items;
  auto argument = [&](size_t i) { return i < args.size() ? args[i] : Value::none(); };
  auto& classes = Interpreter::current().classes().exceptions;
  auto is = [&](const char* cls) { return exception.cls->is_subclass_of(classes[cls].get()); };
  if (name == "value" && is("StopIteration")) return argument(0);
  if (name == "obj" && is("AttributeError"))
    return exception.sought ? exception.sought_in : Value::none();
  if (name == "code" && is("SystemExit")) {
    return args.size() > 1 ? Value(exception.args) : argument(0);
  }
  if (OsErrorObject* error = as_os_error(exception)) {
    const Value* field = os_error_field(*error, name);
    return !field ? Value() : field->defined() ? *field : Value::none();
  }
  if (name == "msg" && (is("SyntaxError") || is("ImportError"))) return argument(0);
  if (name == "path" && is("ImportError")) return Value::none();
  if (is("SyntaxError")) return syntax_detail(argument(1), name);
  if (name == "name" && (is("ImportError") || is("NameError") || is("AttributeError"))) {
    return Value::none();
  }
  return Value();
}

}  // namespace glint::runtime
