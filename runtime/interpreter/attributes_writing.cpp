// How an attribute is set and deleted: what each kind of object allows, data descriptors first.
//
//     object.name = value:   a property's setter, else the object's own attributes
#include <fmt/format.h>

#include <optional>

#include "core/tensor/tensor.h"
#include "runtime/interpreter/attributes.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/class_rules.h"
#include "runtime/interpreter/machine.h"
#include "runtime/interpreter/os_errors.h"
#include "runtime/interpreter/recursion.h"
#include "runtime/interpreter/tensor_attributes.h"

namespace glint::runtime {

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
  } else if (text == "__kwdefaults__" && (value.is<DictObject>() || value.is_none())) {
    function.keyword_defaults = value.is_none() ? nullptr : Ref<DictObject>(value.as<DictObject>());
  } else if (text == "__defaults__" && (value.is<TupleObject>() || value.is_none())) {
    function.defaults = value.is_none() ? std::vector<Value>() : value.as<TupleObject>()->items;
  } else {
    if (!function.attributes) function.attributes = make_dict();
    function.attributes->set(name, std::move(value));
    return true;
  }
  ++function.version;
  return true;
}

static bool set_exception_attribute(Interpreter& in, ExceptionObject& exception,
                                    const Ref<StrObject>& name, Value value) {
  const std::string& text = name->text;
  OsErrorObject* error = as_os_error(exception);
  if (Value* field = error ? os_error_field(*error, text) : nullptr) {
    *field = std::move(value);
  } else if (text == "args") {
    std::vector<Value> items;
    if (!collect(in, value, items)) return false;
    exception.args = make_tuple(std::move(items));
  } else if (text == "__cause__") {
    exception.cause = std::move(value);
    exception.suppress_context = true;
  } else if (text == "__context__") {
    exception.context = std::move(value);
  } else if (text == "__notes__") {
    exception.notes = std::move(value);
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

static bool set_class_attribute(Interpreter& in, const Value& object, const Ref<StrObject>& name,
                                Value value) {
  auto* cls = object.as<ClassObject>();
  if (cls->native) return cannot_set(in, object, name);
  if (name->text == "__name__" && value.is<StrObject>()) {
    cls->name = Ref<StrObject>(value.as<StrObject>());
  } else if (name->text == "__qualname__" && value.is<StrObject>()) {
    cls->qualified_name = Ref<StrObject>(value.as<StrObject>());
  } else if (name->text == "__module__") {
    cls->module_name = value;
  } else {
    cls->set_attribute(name, std::move(value));
    return true;
  }
  cls->changed();
  return true;
}

static bool set_instance_attribute(Interpreter& in, InstanceObject& instance,
                                   const Ref<StrObject>& name, Value value) {
  if (name->text == "__class__") {
    if (!value.is<ClassObject>()) {
      in.raise("TypeError",
               fmt::format("__class__ must be set to a class, not '{}' object", type_name(value)));
      return false;
    }
    instance.materialise_dict();
    instance.cls = Ref<ClassObject>(value.as<ClassObject>());
  } else if (name->text == "__dict__" && value.is<DictObject>()) {
    instance.materialise_dict();
    instance.dict = Ref<DictObject>(value.as<DictObject>());
  } else if (!may_have(*instance.cls, name.get())) {
    return cannot_set(in, Value(&instance), name);
  } else {
    instance.set(name, std::move(value));
  }
  return true;
}

static bool lacks(Interpreter& in, std::string_view part, const ClassObject& cls,
                  const Ref<StrObject>& name) {
  in.raise("AttributeError", fmt::format("property '{}' of '{}' object has no {}", name->text,
                                         cls.qualified_name->text, part));
  return false;
}

/// Calls a descriptor's `__set__` or `__delete__`; nothing: it is no data descriptor.
static std::optional<bool> call_descriptor(Interpreter& in, const Value& in_class, Special which,
                                           std::initializer_list<Value> arguments) {
  if (!in_class.is<InstanceObject>() || !is_data_descriptor(in_class)) return std::nullopt;
  Value method = in_class.as<InstanceObject>()->cls->special(which);
  if (method.defined()) return in.call(method, arguments).defined();
  in.raise("AttributeError", std::string(name_of(which)));
  return false;
}

static bool set_tensor_attribute(Interpreter& in, const Value& tensor, const Ref<StrObject>& name,
                                 Value value) {
  if (name->text == "__dict__" && value.is<DictObject>()) {
    make_attributes(*tensor.as<TensorImpl>()).own = Ref<DictObject>(value.as<DictObject>());
    return true;
  }
  bool of_object = name->text == "__dict__" || name->text == "__class__";
  if (of_object || class_of(tensor)->lookup(name.get())) return cannot_set(in, tensor, name);
  own_attributes(tensor, true)->set(name, std::move(value));
  return true;
}

/// Sets through a property or another object with `__set__` in the class; nothing: there is none.
static std::optional<bool> set_through_class(Interpreter& in, ClassObject& cls, const Value& object,
                                             const Ref<StrObject>& name, const Value& value) {
  Value* in_class = cls.lookup(name.get());
  if (!in_class) return std::nullopt;
  if (auto* property = in_class->try_as<PropertyObject>()) {
    if (property->setter.is_none()) return lacks(in, "setter", cls, name);
    return in.call(property->setter, {object, value}).defined();
  }
  return call_descriptor(in, *in_class, Special::kSet, {*in_class, object, value});
}

static std::optional<bool> delete_through_class(Interpreter& in, ClassObject& cls,
                                                const Value& object, const Ref<StrObject>& name) {
  Value* in_class = cls.lookup(name.get());
  if (!in_class) return std::nullopt;
  if (auto* property = in_class->try_as<PropertyObject>()) {
    if (property->deleter.is_none()) return lacks(in, "deleter", cls, name);
    return in.call(property->deleter, {object}).defined();
  }
  return call_descriptor(in, *in_class, Special::kDelete, {*in_class, object});
}

bool set_attribute_plainly(Interpreter& in, const Value& object, const Ref<StrObject>& name,
                           Value value) {
  if (object.is<ClassObject>()) {
    ClassObject* metaclass = class_of(object);
    auto done =
        metaclass->native ? std::nullopt : set_through_class(in, *metaclass, object, name, value);
    return done ? *done : set_class_attribute(in, object, name, std::move(value));
  }
  if (auto* module = object.try_as<ModuleObject>()) {
    // Of a module of settings (torch._dynamo.config), where PyTorch has a class of modules.
    if (Value* hook = module->dict->find("_set_attribute_"))
      return in.call(Value(*hook), {Value(name), std::move(value)}).defined();
    module->dict->set(name, std::move(value));
    return true;
  }
  if (auto done = set_through_class(in, *class_of(object), object, name, value)) return *done;
  switch (object.kind()) {
    case kInstanceKind:
      return set_instance_attribute(in, *object.as<InstanceObject>(), name, std::move(value));
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
    case kTensorKind:
      return set_tensor_attribute(in, object, name, std::move(value));
    case kOpaqueKind:
      return cannot_set(in, object, name);
    default:
      if (name->text == "__dict__" && value.is<DictObject>() &&
          replace_attributes(object.as<Object>(), Ref<DictObject>(value.as<DictObject>())))
        return true;
      if (!may_have(*class_of(object), name.get())) return cannot_set(in, object, name);
      if (DictObject* own = extra_attributes(object.as<Object>(), true)) {
        own->set(name, std::move(value));
        return true;
      }
      return cannot_set(in, object, name);
  }
}

bool set_attribute(Interpreter& in, const Value& object, const Ref<StrObject>& name, Value value) {
  ClassObject* cls = class_of(object);
  // A builtin type's method may be the hook: `__setattr__ = dict.__setitem__`.
  if (!cls->native) {
    const Value& hook = cls->special(Special::kSetAttr);
    if (hook.defined()) return in.call(Value(hook), {object, Value(name), value}).defined();
  }
  return set_attribute_plainly(in, object, name, std::move(value));
}
bool set_attribute(Interpreter& in, const Value& object, std::string_view name, Value value) {
  return set_attribute(in, object, intern(name), std::move(value));
}

bool delete_attribute_plainly(Interpreter& in, const Value& object, const Ref<StrObject>& name) {
  bool erased = false;
  if (auto* cls = object.try_as<ClassObject>()) {
    ClassObject* metaclass = class_of(object);
    if (!metaclass->native)
      if (auto done = delete_through_class(in, *metaclass, object, name)) return *done;
    erased = !cls->native && cls->delete_attribute(name.get());
  } else if (auto* module = object.try_as<ModuleObject>()) {
    erased = module->dict->erase(name.get());
  } else {
    if (auto done = delete_through_class(in, *class_of(object), object, name)) return *done;
    if (auto* instance = object.try_as<InstanceObject>()) {
      erased = instance->erase(name.get());
    } else if (auto* function = object.try_as<FunctionObject>()) {
      erased = function->attributes && function->attributes->erase(name.get());
    } else if (auto* exception = object.try_as<ExceptionObject>()) {
      erased = exception->attributes && exception->attributes->erase(name.get());
    } else if (object.is(kTensorKind)) {
      DictObject* own = own_attributes(object, false);
      erased = own && own->erase(name.get());
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
  if (hook.defined()) return in.call(Value(hook), {object, Value(name)}).defined();
  return delete_attribute_plainly(in, object, name);
}

}  // namespace glint::runtime
