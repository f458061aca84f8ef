// How an attribute is found, without running any script code.
//
//     object.name:  a data descriptor of the class, the object's own attributes, the class's
//     attributes (functions become methods), `__getattr__`.
#pragma once

#include "runtime/interpreter/interpreter.h"

namespace glint::runtime {

enum class Found : uint8_t {
  kValue,   ///< in `value`
  kGetter,  ///< `value` is a script's property getter, to be called with the object
  kHook,  ///< `value` is `__getattr__` or `__getattribute__`: call it with the object and the name
  kAbsent,
  kRaised,
};

Found resolve_attribute(Interpreter& in, const Value& object, StrObject* name, Value& value);
/// The same without `__getattribute__` and `__getattr__`: `object.__getattribute__`.
Found resolve_plainly(Interpreter& in, const Value& object, StrObject* name, Value& value);
/// Calls the hook that was found; after `__getattribute__`'s AttributeError `__getattr__` has the
/// word.
Value call_hook(Interpreter& in, const Value& hook, const Value& object,
                const Ref<StrObject>& name);
/// Raises the AttributeError that says there is none.
void raise_no_attribute(Interpreter& in, const Value& object, std::string_view name);
/// The same, for one that was to be read: a name that is near may be suggested.
void raise_not_found(Interpreter& in, const Value& object, const Ref<StrObject>& name);
/// Notes in an AttributeError that leaves the search for an attribute, and says nothing of what was
/// sought, what that was: of `__getattr__`, a property or a native.
void note_search(Interpreter& in, const Value& object, const Ref<StrObject>& name);
/// Whether writing or deleting an object's attribute of that name is the class attribute's
/// business: a property, or an object with `__set__` or `__delete__`.
bool is_data_descriptor(const Value& in_class);
/// Whether such a class attribute is also read before what an object has itself.
bool is_read_first(const Value& in_class);
/// What a class attribute becomes when it is read through an instance (or, without one, a class).
Value bind_class_attribute(Interpreter& in, const Value& attribute, const Value* instance,
                           ClassObject* cls);
/// What objects have by nature, in attributes_builtin.cpp; undefined: nothing of that name.
Value builtin_attribute(const Value& object, std::string_view name);
Value class_builtin_attribute(ClassObject& cls, const std::string& name);
Value exception_attribute(ExceptionObject& exception, const std::string& name);
/// Sets without `__setattr__`: `object.__setattr__`.
bool set_attribute_plainly(Interpreter& in, const Value& object, const Ref<StrObject>& name,
                           Value value);
/// Makes the dict what an instance of a script's subclass of a builtin type has as its attributes;
/// false for any other object.
bool replace_attributes(Object* object, Ref<DictObject> attributes);
bool delete_attribute_plainly(Interpreter& in, const Value& object, const Ref<StrObject>& name);

}  // namespace glint::runtime
