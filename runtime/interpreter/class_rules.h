// What a class says of its instances: which attributes they may have, and whether there may be any.
//
//     class P: __slots__ = ("x",)            P().y = 1   AttributeError: 'P' object has no ...
//     class A(ABC): @abstractmethod ...      A()         TypeError: Can't instantiate abstract ...
//
// Both are settled when the class is made. `__slots__` holds where every class but `object` on the
// way up has one; abstract methods are looked for in classes that derive from `abc.ABC`.
#pragma once

#include "runtime/interpreter/object.h"

namespace glint::runtime {

class Interpreter;

/// Settles `__slots__` of a class with its names and base in place; false if it raised.
bool settle_slots(Interpreter& in, ClassObject& cls);
/// Whether instances of the class may have an attribute of that name.
bool may_have(const ClassObject& cls, const StrObject* name);

/// Settles `__abstractmethods__`.
void settle_abstract_methods(ClassObject& cls);
/// Refuses to make an instance; false, and it raised, if the class is abstract.
bool may_be_made(Interpreter& in, const ClassObject& cls);

/// Gives the classes that a script's metaclass has made new versions, as it has changed itself.
void change_classes_of(const ClassObject& metaclass);

}  // namespace glint::runtime
