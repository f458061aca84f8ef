#include "runtime/interpreter/attributes.h"

#include <fmt/format.h>

#include "core/tensor/tensor.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/machine.h"
#include "runtime/interpreter/recursion.h"

namespace glint::runtime {

// ---- Types -------------------------------------------------------------------------------------

namespace {
/// What scripts' subclasses of builtin types keep beside the builtin object.
struct Extra {
  Ref<ClassObject> cls;
  Ref<DictObject> attributes;
};
std::unordered_map<const Object*, Extra>& extras() {
  static auto* table = new std::unordered_map<const Object*, Extra>();
  return *table;
}
}  // namespace

void mark_subclassed(Object* object, ClassObject* cls) {
  object->set_flag(Object::kSubclassed);
  extras()[object].cls = Ref<ClassObject>(cls);
}

void forget_subclassed(const Object* object) {
  auto found = extras().find(object);
  if (found == extras().end()) return;
  Extra dead = std::move(found->second);
  extras().erase(found);
}

void visit_subclassed(const Object* object, Visitor& visit) {
  auto found = extras().find(object);
  if (found == extras().end()) return;
  visit(found->second.cls);
  visit(found->second.attributes);
}

void clear_subclassed(const Object* object) {
  auto found = extras().find(object);
  if (found != extras().end() && found->second.attributes) found->second.attributes->clear();
}

DictObject* extra_attributes(Object* object, bool make) {
  if (!object->flag(Object::kSubclassed)) return nullptr;
  Extra& extra = extras()[object];
  if (!extra.attributes && make) extra.attributes = make_dict();
  return extra.attributes.get();
}

static ClassObject* iterator_class(Interpreter& in, IteratorObject& iterator) {
  auto& table = in.classes().iterators;
  std::string name(iterator.type_name());
  auto found = table.find(name);
  if (found == table.end()) {
    found = table.emplace(name, in.new_class(name, in.classes().object, kIteratorKind)).first;
  }
  return found->second.get();
}

ClassObject* class_of(const Value& value) {
  Interpreter& in = Interpreter::current();
  BuiltinClasses& classes = in.classes();
  switch (value.tag()) {
    case Tag::kUndefined:
    case Tag::kNone:
      return classes.none.get();
    case Tag::kBool:
      return classes.boolean.get();
    case Tag::kInt:
      return classes.integer.get();
    case Tag::kFloat:
      return classes.floating.get();
    case Tag::kEllipsis:
      return classes.ellipsis.get();
    case Tag::kNotImplemented:
      return classes.not_implemented.get();
    case Tag::kObject:
      break;
  }
  if (value.kind() == kInstanceKind) return value.as<InstanceObject>()->cls.get();
  if (value.kind() == kTensorKind) {
    return value.as<TensorImpl>()->is_parameter ? classes.parameter.get() : classes.tensor.get();
  }
  auto* object = value.as<Object>();
  if (object->flag(Object::kSubclassed)) return extras()[object].cls.get();
  switch (value.kind()) {
    case kStrKind:
      return classes.str.get();
    case kBytesKind:
      return classes.bytes.get();
    case kListKind:
      return classes.list.get();
    case kTupleKind:
      return object->flag(Object::kIsSize) ? classes.size.get() : classes.tuple.get();
    case kDictKind:
      return classes.dict.get();
    case kSetKind:
      return classes.set.get();
    case kFrozenSetKind:
      return classes.frozenset.get();
    case kRangeKind:
      return classes.range.get();
    case kSliceKind:
      return classes.slice.get();
    case kFunctionKind:
      return classes.function.get();
    case kBoundMethodKind:
      return classes.method.get();
    case kNativeFunctionKind:
    case kBoundNativeKind:
      return classes.native_function.get();
    case kCompiledFunctionKind:
      return classes.compiled_function.get();
    case kClassKind:
      return classes.type.get();
    case kModuleKind:
      return classes.module.get();
    case kCellKind:
      return classes.cell.get();
    case kGeneratorKind:
      return classes.generator.get();
    case kExceptionKind:
      return value.as<ExceptionObject>()->cls.get();
    case kPropertyKind:
      return classes.property.get();
    case kStaticMethodKind:
      return classes.static_method.get();
    case kClassMethodKind:
      return classes.class_method.get();
    case kSuperKind:
      return classes.super.get();
    case kIteratorKind:
      return iterator_class(in, *value.as<IteratorObject>());
    case kDTypeKind:
      return classes.dtype.get();
    case kDeviceKind:
      return classes.device.get();
    case kDictViewKind:
      switch (value.as<DictViewObject>()->what) {
        case DictViewObject::What::kKeys:
          return classes.dict_keys.get();
        case DictViewObject::What::kValues:
          return classes.dict_values.get();
        case DictViewObject::What::kItems:
          return classes.dict_items.get();
      }
      break;
    case kTracebackKind:
      return classes.traceback.get();
    case kCodeKind:
      return classes.code.get();
    case kSymIntKind:
      return classes.integer.get();
    case kNativeDataKind:
      return value.as<NativeDataObject>()->cls.get();
    default:
      break;
  }
  return classes.object.get();
}

std::string type_name(const Value& value) {
  return class_of(value)->name->text;
}
bool is_instance(const Value& value, const ClassObject* cls) {
  return class_of(value)->is_subclass_of(cls);
}

int is_instance_of(Interpreter& in, const Value& value, const Value& classes) {
  if (auto* cls = classes.try_as<ClassObject>()) {
    if (class_of(value)->is_subclass_of(cls)) return 1;
    const Value& check = cls->native ? Value() : cls->special(Special::kInstanceCheck);
    if (check.defined() && !cls->native && check.is(kClassMethodKind)) {
      Value yes = in.call(check.as<WrappedMethodObject>()->function, {Value(cls), value});
      return yes.is_undefined() ? -1 : truth(in, yes);
    }
    return 0;
  }
  if (auto* tuple = classes.try_as<TupleObject>()) {
    Recursion deeper(in, " in __instancecheck__");
    if (!deeper.allowed()) return -1;
    for (const Value& item : tuple->items) {
      int yes = is_instance_of(in, value, item);
      if (yes != 0) return yes;
    }
    return 0;
  }
  if (is_union(classes)) {
    for (const Value& item : classes.as<UnionObject>()->parts->items) {
      int yes = is_instance_of(in, value, item);
      if (yes != 0) return yes;
    }
    return 0;
  }
  in.raise("TypeError", "isinstance() arg 2 must be a type, a tuple of types, or a union");
  return -1;
}

bool is_callable(const Value& value) {
  switch (value.kind()) {
    case kOpaqueKind:
    case kTensorKind:
      return false;
    case kFunctionKind:
    case kNativeFunctionKind:
    case kBoundNativeKind:
    case kBoundMethodKind:
    case kClassKind:
    case kCompiledFunctionKind:
    case kStaticMethodKind:
      return true;
    default:
      return class_of(value)->special(Special::kCall).defined();
  }
}

// ---- Reading -----------------------------------------------------------------------------------

Value bind_class_attribute(Interpreter& in, const Value& attribute, const Value* instance,
                           ClassObject* cls) {
  switch (attribute.kind()) {
    case kFunctionKind:
    case kCompiledFunctionKind:
      if (!instance) return attribute;
      return Value(make_ref<BoundMethodObject>(*instance, attribute));
    case kNativeFunctionKind:
      if (!instance || !attribute.as<NativeFunctionObject>()->owner) return attribute;
      return Value(make_ref<BoundNativeObject>(
          *instance, Ref<NativeFunctionObject>(attribute.as<NativeFunctionObject>())));
    case kStaticMethodKind:
      return attribute.as<WrappedMethodObject>()->function;
    case kClassMethodKind: {
      const Value& function = attribute.as<WrappedMethodObject>()->function;
      if (auto* native = function.try_as<NativeFunctionObject>()) {
        return Value(make_ref<BoundNativeObject>(Value(cls), Ref<NativeFunctionObject>(native)));
      }
      return Value(make_ref<BoundMethodObject>(Value(cls), function));
    }
    case kInstanceKind: {
      Value getter = attribute.as<InstanceObject>()->cls->special(Special::kGet);
      if (getter.is_undefined()) return attribute;
      return in.call(getter, {attribute, instance ? *instance : Value::none(), Value(cls)});
    }
    default:
      return attribute;
  }
}

/// Attributes that functions, classes, modules and exceptions have by nature.
static Value builtin_attribute(Interpreter& in, const Value& object, const std::string& name) {
  if (name.size() < 4 || name[0] != '_' || name[1] != '_') return Value();
  if (name == "__class__") return Value(class_of(object));
  switch (object.kind()) {
    case kInstanceKind:
      if (name == "__dict__") {
        return Value(static_cast<RefCounted*>(object.as<InstanceObject>()->materialise_dict()));
      }
      break;
    case kFunctionKind: {
      auto* function = object.as<FunctionObject>();
      if (name == "__name__") return Value(function->name);
      if (name == "__qualname__") return Value(function->qualified_name);
      if (name == "__doc__") return function->doc;
      if (name == "__module__") return function->module_name;
      if (name == "__globals__") return Value(function->globals);
      if (name == "__code__") return Value(make_ref<CodeObject>(function->code));
      if (name == "__defaults__") {
        return function->defaults.empty() ? Value::none() : Value(make_tuple(function->defaults));
      }
      if (name == "__kwdefaults__") return Value(function->keyword_defaults);
      if (name == "__annotations__") {
        if (!function->annotations) function->annotations = make_dict();
        return Value(function->annotations);
      }
      if (name == "__dict__") {
        if (!function->attributes) function->attributes = make_dict();
        return Value(function->attributes);
      }
      if (name == "__closure__") {
        if (function->closure.empty()) return Value::none();
        std::vector<Value> cells;
        for (const auto& cell : function->closure) cells.emplace_back(cell);
        return Value(make_tuple(std::move(cells)));
      }
      break;
    }
    case kNativeFunctionKind: {
      auto* native = object.as<NativeFunctionObject>();
      if (name == "__name__" || name == "__qualname__") {
        return Value(make_str(native->signature.name));
      }
      if (name == "__doc__") return Value(make_str(native->doc));
      if (name == "__module__") return Value(make_str(native->module_name));
      break;
    }
    case kBoundNativeKind: {
      auto* bound = object.as<BoundNativeObject>();
      if (name == "__self__") return bound->self;
      return builtin_attribute(in, Value(bound->function), name);
    }
    case kBoundMethodKind: {
      auto* bound = object.as<BoundMethodObject>();
      if (name == "__self__") return bound->self;
      if (name == "__func__") return bound->function;
      return builtin_attribute(in, bound->function, name);
    }
    case kCompiledFunctionKind: {
      auto* compiled = object.as<CompiledFunctionObject>();
      if (name == "__wrapped__") return compiled->function;
      return builtin_attribute(in, compiled->function, name);
    }
    case kModuleKind: {
      auto* module = object.as<ModuleObject>();
      if (name == "__dict__") return Value(module->dict);
      if (name == "__name__") return Value(module->name);
      if (name == "__doc__") return Value::none();
      break;
    }
    case kExceptionKind: {
      auto* exception = object.as<ExceptionObject>();
      if (name == "__cause__") return exception->cause;
      if (name == "__context__") return exception->context;
      if (name == "__suppress_context__") return Value(exception->suppress_context);
      if (name == "__traceback__") {
        if (exception->traceback.empty()) return Value::none();
        return Value(make_ref<TracebackObject>(exception->traceback));
      }
      if (name == "__notes__" && !exception->notes.empty()) {
        std::vector<Value> notes;
        for (const auto& note : exception->notes) notes.push_back(str_value(note));
        return Value(make_list(std::move(notes)));
      }
      if (name == "__dict__") {
        if (!exception->attributes) exception->attributes = make_dict();
        return Value(exception->attributes);
      }
      break;
    }
    case kStaticMethodKind:
    case kClassMethodKind:
      if (name == "__func__" || name == "__wrapped__") {
        return object.as<WrappedMethodObject>()->function;
      }
      break;
    case kGeneratorKind:
      if (name == "__name__") return Value(object.as<GeneratorObject>()->name);
      break;
    default:
      break;
  }
  if (name == "__doc__") {
    Value* doc = class_of(object)->dict->find("__doc__");
    return doc ? *doc : Value::none();
  }
  if (name == "__dict__" && object.is_object() && object.kind() >= kFirstInterpreterKind) {
    if (DictObject* own = extra_attributes(object.as<Object>(), true)) {
      return Value(static_cast<RefCounted*>(own));
    }
  }
  return Value();
}

static Value class_builtin_attribute(ClassObject& cls, const std::string& name) {
  if (name == "__name__") return Value(cls.name);
  if (name == "__qualname__") return Value(cls.qualified_name);
  if (name == "__module__") return cls.module_name;
  if (name == "__dict__") return Value(cls.dict);
  if (name == "__base__") return Value(cls.base);
  if (name == "__class__") return Value(Interpreter::current().classes().type);
  if (name == "__bases__") {
    std::vector<Value> bases;
    if (cls.base) bases.emplace_back(cls.base);
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

static Value exception_attribute(ExceptionObject& exception, const std::string& name) {
  if (name == "args") return Value(exception.args);
  if (exception.attributes) {
    if (Value* own = exception.attributes->find(name)) return *own;
  }
  const auto& args = exception.args->items;
  auto argument = [&](size_t i) { return i < args.size() ? args[i] : Value::none(); };
  auto& classes = Interpreter::current().classes().exceptions;
  auto is = [&](const char* cls) { return exception.cls->is_subclass_of(classes[cls].get()); };
  if (name == "value" && is("StopIteration")) return argument(0);
  if (name == "code" && is("SystemExit")) {
    return args.size() > 1 ? Value(exception.args) : argument(0);
  }
  if (is("OSError") && args.size() >= 2) {
    if (name == "errno") return argument(0);
    if (name == "strerror") return argument(1);
    if (name == "filename") return argument(2);
  }
  if (name == "msg" && (is("SyntaxError") || is("ImportError"))) return argument(0);
  if (name == "name" && (is("ImportError") || is("NameError") || is("AttributeError"))) {
    return Value::none();
  }
  return Value();
}

/// The object's own attribute, undefined if it has none of that name.
static Value own_attribute(const Value& object, StrObject* name) {
  switch (object.kind()) {
    case kInstanceKind: {
      Value* found = object.as<InstanceObject>()->find(name);
      return found ? *found : Value();
    }
    case kFunctionKind: {
      auto* attributes = object.as<FunctionObject>()->attributes.get();
      Value* found = attributes ? attributes->find(name) : nullptr;
      return found ? *found : Value();
    }
    case kCompiledFunctionKind: {
      auto* attributes = object.as<CompiledFunctionObject>()->attributes.get();
      Value* found = attributes ? attributes->find(name) : nullptr;
      return found ? *found : Value();
    }
    case kExceptionKind:
      return exception_attribute(*object.as<ExceptionObject>(), name->text);
    case kOpaqueKind:
    case kTensorKind:
      return Value();
    default: {
      DictObject* own = extra_attributes(object.as<Object>(), false);
      Value* found = own ? own->find(name) : nullptr;
      return found ? *found : Value();
    }
  }
}

static Found resolve_in_module(Interpreter& in, const Value& object, StrObject* name,
                               Value& value) {
  auto* module = object.as<ModuleObject>();
  if (Value* found = module->dict->find(name)) {
    value = *found;
    return Found::kValue;
  }
  if (module->missing) {
    // Loading a part of a module is no part of a trace that happens to be the first to need it.
    Tracer* tracer = in.tracer();
    in.set_tracer(nullptr);
    value = module->missing(in, *module, name->text);
    in.set_tracer(tracer);
    if (value.defined()) return Found::kValue;
    if (in.raised()) return Found::kRaised;
  }
  if (Value* hook = module->dict->find("__getattr__")) {
    value = in.call(*hook, {Value(name)});
    return value.defined() ? Found::kValue : Found::kRaised;
  }
  value = builtin_attribute(in, object, name->text);
  return value.defined() ? Found::kValue : Found::kAbsent;
}

static Found resolve_in_class(Interpreter& in, const Value& object, StrObject* name, Value& value) {
  auto* cls = object.as<ClassObject>();
  // `__doc__` and its like belong to the class itself, a method of the name to its instances.
  value = class_builtin_attribute(*cls, name->text);
  if (value.defined()) return Found::kValue;
  if (Value* found = cls->lookup(name)) {
    value = bind_class_attribute(in, *found, nullptr, cls);
    return value.defined() ? Found::kValue : Found::kRaised;
  }
  if (Value* found = in.classes().type->lookup(name)) {
    value = bind_class_attribute(in, *found, &object, cls);
    return Found::kValue;
  }
  return Found::kAbsent;
}

static Found resolve_in_super(Interpreter& in, const Value& object, StrObject* name, Value& value) {
  auto* super = object.as<SuperObject>();
  bool of_class = super->self.is<ClassObject>();
  ClassObject* cls = of_class ? super->self.as<ClassObject>() : class_of(super->self);
  for (ClassObject* at = super->cls->base.get(); at; at = at->base.get()) {
    Value* found = at->dict->find(name);
    if (!found) continue;
    if (auto* property = found->try_as<PropertyObject>()) {
      value = in.call(property->getter, {super->self});
      return value.defined() ? Found::kValue : Found::kRaised;
    }
    value = bind_class_attribute(in, *found, of_class ? nullptr : &super->self, cls);
    return value.defined() ? Found::kValue : Found::kRaised;
  }
  value = builtin_attribute(in, object, name->text);
  return value.defined() ? Found::kValue : Found::kAbsent;
}

Found resolve_attribute(Interpreter& in, const Value& object, StrObject* name, Value& value) {
  switch (object.kind()) {
    case kModuleKind:
      return resolve_in_module(in, object, name, value);
    case kClassKind:
      return resolve_in_class(in, object, name, value);
    case kSuperKind:
      return resolve_in_super(in, object, name, value);
    default:
      break;
  }
  ClassObject* cls = class_of(object);
  if (!cls->native) {
    const Value& hook = cls->special(Special::kGetAttribute);
    if (hook.defined() && !hook.is<NativeFunctionObject>()) {
      value = hook;
      return Found::kHook;
    }
  }
  Value* in_class = cls->lookup(name);
  if (in_class) {
    if (auto* property = in_class->try_as<PropertyObject>()) {
      if (property->getter.is_none()) {
        in.raise("AttributeError", fmt::format("property '{}' of '{}' object has no getter",
                                               name->text, cls->name->text));
        return Found::kRaised;
      }
      if (property->getter.is<NativeFunctionObject>()) {
        value = Machine::run_native(in, *property->getter.as<NativeFunctionObject>(), nullptr,
                                    {&object, 1});
        if (value.is_undefined() && in.pending_is("AttributeError") &&
            cls->special(Special::kGetAttr).defined()) {
          in.take_pending();
          value = cls->special(Special::kGetAttr);
          return Found::kHook;
        }
        return value.defined() ? Found::kValue : Found::kRaised;
      }
      value = property->getter;
      return Found::kGetter;
    }
  }
  bool data_descriptor = in_class && in_class->is<InstanceObject>() &&
                         in_class->as<InstanceObject>()->cls->special(Special::kSet).defined();
  if (!data_descriptor) {
    value = own_attribute(object, name);
    if (value.defined()) return Found::kValue;
  }
  if (in_class) {
    value = bind_class_attribute(in, *in_class, &object, cls);
    return value.defined() ? Found::kValue : Found::kRaised;
  }
  value = builtin_attribute(in, object, name->text);
  if (value.defined()) return Found::kValue;
  const Value& hook = cls->special(Special::kGetAttr);
  if (hook.defined()) {
    value = hook;
    return Found::kHook;
  }
  return Found::kAbsent;
}

void raise_no_attribute(Interpreter& in, const Value& object, std::string_view name) {
  if (auto* module = object.try_as<ModuleObject>()) {
    std::string_view partly = module->initialising ? "partially initialized " : "";
    std::string_view hint = module->initialising ? " (most likely due to a circular import)" : "";
    in.raise("AttributeError", fmt::format("{}module '{}' has no attribute '{}'{}", partly,
                                           module->name->text, name, hint));
  } else if (auto* cls = object.try_as<ClassObject>()) {
    in.raise("AttributeError",
             fmt::format("type object '{}' has no attribute '{}'", cls->name->text, name));
  } else {
    in.raise("AttributeError",
             fmt::format("'{}' object has no attribute '{}'", type_name(object), name));
  }
}

/// Runs a script's property getter; its AttributeError leaves the word to `__getattr__`.
static Value run_getter(Interpreter& in, const Value& getter, const Value& object,
                        const Ref<StrObject>& name) {
  Value value = in.call(getter, {object});
  if (value.defined() || !in.pending_is("AttributeError")) return value;
  Value hook = class_of(object)->special(Special::kGetAttr);
  if (hook.is_undefined()) return value;
  in.take_pending();
  return in.call(hook, {object, Value(name)});
}

Value find_attribute(Interpreter& in, const Value& object, const Ref<StrObject>& name) {
  Value value;
  switch (resolve_attribute(in, object, name.get(), value)) {
    case Found::kValue:
      return value;
    case Found::kGetter:
      value = run_getter(in, Value(value), object, name);
      break;
    case Found::kHook:
      value = in.call(value, {object, Value(name)});
      break;
    case Found::kAbsent:
    case Found::kRaised:
      return Value();
  }
  if (value.is_undefined() && in.pending_is("AttributeError")) in.take_pending();
  return value;
}

Value get_attribute(Interpreter& in, const Value& object, const Ref<StrObject>& name) {
  Value value;
  switch (resolve_attribute(in, object, name.get(), value)) {
    case Found::kValue:
      return value;
    case Found::kGetter:
      return run_getter(in, value, object, name);
    case Found::kHook:
      return in.call(value, {object, Value(name)});
    case Found::kAbsent:
      raise_no_attribute(in, object, name->text);
      return Value();
    case Found::kRaised:
      break;
  }
  return Value();
}
Value get_attribute(Interpreter& in, const Value& object, std::string_view name) {
  return get_attribute(in, object, intern(name));
}

// ---- Writing -----------------------------------------------------------------------------------

static bool cannot_set(Interpreter& in, const Value& object, const Ref<StrObject>& name) {
  if (class_of(object)->lookup(name.get()) && !object.is<ClassObject>()) {
    in.raise("AttributeError",
             fmt::format("'{}' object attribute '{}' is read-only", type_name(object), name->text));
  } else if (object.is<ClassObject>()) {
    in.raise("TypeError", fmt::format("cannot set '{}' attribute of immutable type '{}'",
                                      name->text, object.as<ClassObject>()->name->text));
  } else {
    raise_no_attribute(in, object, name->text);
  }
  return false;
}

static bool set_function_attribute(Interpreter& in, FunctionObject& function,
                                   const Ref<StrObject>& name, Value value) {
  const std::string& text = name->text;
  if (text == "__name__" || text == "__qualname__") {
    if (!value.is<StrObject>()) {
      in.raise("TypeError", text + " must be set to a string object");
      return false;
    }
    (text == "__name__" ? function.name : function.qualified_name) =
        Ref<StrObject>(value.as<StrObject>());
  } else if (text == "__doc__") {
    function.doc = std::move(value);
  } else if (text == "__module__") {
    function.module_name = std::move(value);
  } else if (text == "__annotations__" && value.is<DictObject>()) {
    function.annotations = Ref<DictObject>(value.as<DictObject>());
  } else if (text == "__defaults__" && (value.is<TupleObject>() || value.is_none())) {
    function.defaults = value.is_none() ? std::vector<Value>() : value.as<TupleObject>()->items;
    ++function.version;
  } else {
    if (!function.attributes) function.attributes = make_dict();
    function.attributes->set(name, std::move(value));
  }
  return true;
}

static bool set_exception_attribute(Interpreter& in, ExceptionObject& exception,
                                    const Ref<StrObject>& name, Value value) {
  const std::string& text = name->text;
  if (text == "args") {
    std::vector<Value> items;
    if (!collect(in, value, items)) return false;
    exception.args = make_tuple(std::move(items));
  } else if (text == "__cause__") {
    exception.cause = std::move(value);
    exception.suppress_context = true;
  } else if (text == "__context__") {
    exception.context = std::move(value);
  } else if (text == "__suppress_context__") {
    exception.suppress_context = truth(in, value) == 1;
  } else if (text == "__traceback__") {
    if (value.is_none()) {
      exception.traceback.clear();
    } else if (auto* traceback = value.try_as<TracebackObject>()) {
      exception.traceback = traceback->entries;
    }
  } else {
    if (!exception.attributes) exception.attributes = make_dict();
    exception.attributes->set(name, std::move(value));
  }
  return true;
}

bool set_attribute_plainly(Interpreter& in, const Value& object, const Ref<StrObject>& name,
                           Value value) {
  if (auto* cls = object.try_as<ClassObject>()) {
    if (cls->native) return cannot_set(in, object, name);
    if (name->text == "__name__" && value.is<StrObject>()) {
      cls->name = Ref<StrObject>(value.as<StrObject>());
    } else if (name->text == "__qualname__" && value.is<StrObject>()) {
      cls->qualified_name = Ref<StrObject>(value.as<StrObject>());
    } else if (name->text == "__module__") {
      cls->module_name = value;
    } else {
      cls->set_attribute(name, std::move(value));
    }
    return true;
  }
  if (auto* module = object.try_as<ModuleObject>()) {
    module->dict->set(name, std::move(value));
    return true;
  }
  ClassObject* cls = class_of(object);
  if (Value* in_class = cls->lookup(name.get())) {
    if (auto* property = in_class->try_as<PropertyObject>()) {
      if (property->setter.is_none()) {
        in.raise("AttributeError", fmt::format("property '{}' of '{}' object has no setter",
                                               name->text, cls->name->text));
        return false;
      }
      return in.call(property->setter, {object, value}).defined();
    }
    if (in_class->is<InstanceObject>()) {
      Value setter = in_class->as<InstanceObject>()->cls->special(Special::kSet);
      if (setter.defined()) return in.call(setter, {*in_class, object, value}).defined();
    }
  }
  switch (object.kind()) {
    case kInstanceKind: {
      auto* instance = object.as<InstanceObject>();
      if (name->text == "__class__") {
        if (!value.is<ClassObject>()) {
          in.raise("TypeError", fmt::format("__class__ must be set to a class, not '{}' object",
                                            type_name(value)));
          return false;
        }
        instance->materialise_dict();
        instance->cls = Ref<ClassObject>(value.as<ClassObject>());
      } else if (name->text == "__dict__" && value.is<DictObject>()) {
        instance->materialise_dict();
        instance->dict = Ref<DictObject>(value.as<DictObject>());
      } else {
        instance->set(name, std::move(value));
      }
      return true;
    }
    case kFunctionKind:
      return set_function_attribute(in, *object.as<FunctionObject>(), name, std::move(value));
    case kCompiledFunctionKind: {
      auto& attributes = object.as<CompiledFunctionObject>()->attributes;
      if (!attributes) attributes = make_dict();
      attributes->set(name, std::move(value));
      return true;
    }
    case kExceptionKind:
      return set_exception_attribute(in, *object.as<ExceptionObject>(), name, std::move(value));
    case kOpaqueKind:
    case kTensorKind:
      return cannot_set(in, object, name);
    default:
      if (DictObject* own = extra_attributes(object.as<Object>(), true)) {
        own->set(name, std::move(value));
        return true;
      }
      return cannot_set(in, object, name);
  }
}

bool set_attribute(Interpreter& in, const Value& object, const Ref<StrObject>& name, Value value) {
  ClassObject* cls = class_of(object);
  if (!cls->native) {
    const Value& hook = cls->special(Special::kSetAttr);
    if (hook.defined() && !hook.is<NativeFunctionObject>()) {
      return in.call(Value(hook), {object, Value(name), value}).defined();
    }
  }
  return set_attribute_plainly(in, object, name, std::move(value));
}
bool set_attribute(Interpreter& in, const Value& object, std::string_view name, Value value) {
  return set_attribute(in, object, intern(name), std::move(value));
}

bool delete_attribute_plainly(Interpreter& in, const Value& object, const Ref<StrObject>& name) {
  bool erased = false;
  if (auto* cls = object.try_as<ClassObject>()) {
    erased = !cls->native && cls->delete_attribute(name.get());
  } else if (auto* module = object.try_as<ModuleObject>()) {
    erased = module->dict->erase(name.get());
  } else {
    if (Value* in_class = class_of(object)->lookup(name.get())) {
      if (auto* property = in_class->try_as<PropertyObject>()) {
        if (property->deleter.is_none()) {
          in.raise("AttributeError", fmt::format("property '{}' of '{}' object has no deleter",
                                                 name->text, type_name(object)));
          return false;
        }
        return in.call(property->deleter, {object}).defined();
      }
    }
    if (auto* instance = object.try_as<InstanceObject>()) {
      erased = instance->erase(name.get());
    } else if (auto* function = object.try_as<FunctionObject>()) {
      erased = function->attributes && function->attributes->erase(name.get());
    } else if (auto* exception = object.try_as<ExceptionObject>()) {
      erased = exception->attributes && exception->attributes->erase(name.get());
    } else if (object.is_object() && object.kind() >= kFirstInterpreterKind) {
      DictObject* own = extra_attributes(object.as<Object>(), false);
      erased = own && own->erase(name.get());
    }
  }
  if (!erased) raise_no_attribute(in, object, name->text);
  return erased;
}

bool delete_attribute(Interpreter& in, const Value& object, const Ref<StrObject>& name) {
  const Value& hook = class_of(object)->special(Special::kDelAttr);
  if (hook.defined() && !hook.is<NativeFunctionObject>()) {
    return in.call(Value(hook), {object, Value(name)}).defined();
  }
  return delete_attribute_plainly(in, object, name);
}

}  // namespace glint::runtime
