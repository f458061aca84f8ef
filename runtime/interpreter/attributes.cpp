#include "runtime/interpreter/attributes.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/tensor/tensor.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/left_out.h"
#include "runtime/interpreter/machine.h"
#include "runtime/interpreter/recursion.h"
#include "runtime/interpreter/tensor_attributes.h"

namespace glint::runtime {

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
    case kTensorKind: {
      DictObject* own = own_attributes(object, false);
      Value* found = own ? own->find(name) : nullptr;
      return found ? *found : Value();
    }
    case kOpaqueKind:
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
    TracerScope untraced(in, nullptr);
    value = module->missing(in, *module, name->text);
    if (value.defined()) return Found::kValue;
    if (in.raised()) return Found::kRaised;
  }
  if (Value* hook = module->dict->find("__getattr__")) {
    value = in.call(*hook, {Value(name)});
    return value.defined() ? Found::kValue : Found::kRaised;
  }
  value = builtin_attribute(object, name->text);
  return value.defined() ? Found::kValue : Found::kAbsent;
}

bool is_data_descriptor(const Value& in_class) {
  if (in_class.is<PropertyObject>()) return true;
  auto* instance = in_class.try_as<InstanceObject>();
  return instance && (instance->cls->special(Special::kSet).defined() ||
                      instance->cls->special(Special::kDelete).defined());
}

bool is_read_first(const Value& in_class) {
  if (!is_data_descriptor(in_class)) return false;
  auto* instance = in_class.try_as<InstanceObject>();
  return !instance || instance->cls->special(Special::kGet).defined();
}

/// A property's value, where its getter is native; a script's getter as it is.
static Found resolve_property(Interpreter& in, const PropertyObject& property, const Value& object,
                              StrObject* name, Value& value) {
  if (property.getter.is_none()) {
    in.raise("AttributeError", fmt::format("property '{}' of '{}' object has no getter", name->text,
                                           class_of(object)->qualified_name->text));
    return Found::kRaised;
  }
  if (!property.getter.is<NativeFunctionObject>()) {
    value = property.getter;
    return Found::kGetter;
  }
  value =
      Machine::run_native(in, *property.getter.as<NativeFunctionObject>(), nullptr, {&object, 1});
  return value.defined() ? Found::kValue : Found::kRaised;
}

static Found resolve_in_class(Interpreter& in, const Value& object, StrObject* name, Value& value) {
  auto* cls = object.as<ClassObject>();
  // `__doc__` and its like belong to the class itself, a method of the name to its instances.
  value = class_builtin_attribute(*cls, name->text);
  if (value.defined()) return Found::kValue;
  ClassObject* metaclass = class_of(object);
  // `type` itself has nothing that comes before a class's own.
  Value* in_metaclass = metaclass->native ? nullptr : metaclass->lookup(name);
  if (in_metaclass && is_read_first(*in_metaclass)) {
    if (auto* property = in_metaclass->try_as<PropertyObject>())
      return resolve_property(in, *property, object, name, value);
    value = bind_class_attribute(in, *in_metaclass, &object, metaclass);
    return value.defined() ? Found::kValue : Found::kRaised;
  }
  if (Value* found = cls->lookup(name)) {
    value = bind_class_attribute(in, *found, nullptr, cls);
    return value.defined() ? Found::kValue : Found::kRaised;
  }
  if (metaclass->native) in_metaclass = metaclass->lookup(name);
  if (in_metaclass) {
    value = bind_class_attribute(in, *in_metaclass, &object, metaclass);
    return value.defined() ? Found::kValue : Found::kRaised;
  }
  return Found::kAbsent;
}

static Found resolve_in_super(Interpreter& in, const Value& object, StrObject* name, Value& value) {
  auto* super = object.as<SuperObject>();
  // In a method of a metaclass, `self` is a class as well.
  auto* self = super->self.try_as<ClassObject>();
  bool of_class = self && self->is_subclass_of(super->cls.get());
  ClassObject* cls = of_class ? self : class_of(super->self);
  const std::vector<ClassObject*>& order = cls->order;
  auto behind = std::ranges::find(order, super->cls.get());
  if (behind != order.end()) ++behind;
  for (; behind != order.end(); ++behind) {
    Value* found = (*behind)->dict->find(name);
    if (!found) continue;
    if (auto* property = found->try_as<PropertyObject>()) {
      value = in.call(property->getter, {super->self});
      return value.defined() ? Found::kValue : Found::kRaised;
    }
    value = bind_class_attribute(in, *found, of_class ? nullptr : &super->self, cls);
    return value.defined() ? Found::kValue : Found::kRaised;
  }
  value = builtin_attribute(object, name->text);
  return value.defined() ? Found::kValue : Found::kAbsent;
}

Found resolve_plainly(Interpreter& in, const Value& object, StrObject* name, Value& value) {
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
  Value* in_class = cls->lookup(name);
  if (auto* property = in_class ? in_class->try_as<PropertyObject>() : nullptr)
    return resolve_property(in, *property, object, name, value);
  if (!in_class || !is_read_first(*in_class)) {
    value = own_attribute(object, name);
    if (value.defined()) return Found::kValue;
  }
  if (in_class) {
    value = bind_class_attribute(in, *in_class, &object, cls);
    return value.defined() ? Found::kValue : Found::kRaised;
  }
  value = builtin_attribute(object, name->text);
  return value.defined() ? Found::kValue : Found::kAbsent;
}

Found resolve_attribute(Interpreter& in, const Value& object, StrObject* name, Value& value) {
  bool of_class = object.is_object() && !object.is(kModuleKind) && !object.is(kSuperKind);
  ClassObject* cls = of_class ? class_of(object) : nullptr;
  if (cls && !cls->native) {
    const Value& hook = cls->special(Special::kGetAttribute);
    if (hook.defined() && !hook.is<NativeFunctionObject>()) {
      value = hook;
      return Found::kHook;
    }
  }
  Found found = resolve_plainly(in, object, name, value);
  bool absent = found == Found::kAbsent ||
                (found == Found::kRaised && cls && in.pending_is("AttributeError"));
  const Value* hook = absent && cls ? &cls->special(Special::kGetAttr) : nullptr;
  if (!hook || !hook->defined()) return found;
  if (found == Found::kRaised) in.take_pending();
  value = *hook;
  return Found::kHook;
}

Value call_hook(Interpreter& in, const Value& hook, const Value& object,
                const Ref<StrObject>& name) {
  Value value = in.call(Value(hook), {object, Value(name)});
  if (value.defined() || !in.pending_is("AttributeError")) return value;
  Value next = class_of(object)->special(Special::kGetAttr);
  if (next.is_undefined() || next.identical(hook)) return value;
  in.take_pending();
  return in.call(next, {object, Value(name)});
}

void raise_no_attribute(Interpreter& in, const Value& object, std::string_view name) {
  if (auto* module = object.try_as<ModuleObject>()) {
    std::string_view partly = module->initialising ? "partially initialized " : "";
    std::string hint = module->initialising ? " (most likely due to a circular import)" : "";
    hint += left_out_hint(fmt::format("{}.{}", module->name->text, name)).value_or("");
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

void raise_not_found(Interpreter& in, const Value& object, const Ref<StrObject>& name) {
  raise_no_attribute(in, object, name->text);
  in.note_sought(name, object);
}

void note_search(Interpreter& in, const Value& object, const Ref<StrObject>& name) {
  if (!in.pending_is("AttributeError")) return;
  const auto& exception = *in.pending().as<ExceptionObject>();
  auto has_own = [&](std::string_view each) {
    return exception.attributes && exception.attributes->find(each);
  };
  if (!exception.sought && !has_own("name") && !has_own("obj")) in.note_sought(name, object);
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
      value = call_hook(in, Value(value), object, name);
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
      value = run_getter(in, Value(value), object, name);
      break;
    case Found::kHook:
      value = call_hook(in, Value(value), object, name);
      break;
    case Found::kAbsent:
      raise_not_found(in, object, name);
      return Value();
    case Found::kRaised:
      value = Value();
      break;
  }
  if (value.is_undefined()) note_search(in, object, name);
  return value;
}
Value get_attribute(Interpreter& in, const Value& object, std::string_view name) {
  return get_attribute(in, object, intern(name));
}

}  // namespace glint::runtime
