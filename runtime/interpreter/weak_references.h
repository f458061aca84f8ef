// Weak references: who wants to know of an object without keeping it alive.
//
//     r = weakref.ref(x); r() is x; del x; r() is None
//
// An object that is referred to so carries a flag; when it dies, those that refer to it are told.
// A tensor, which is no object of the interpreter's, is told of by its attributes, which die with
// it.
#pragma once

#include "core/support/ref_counted.h"

namespace glint::runtime {

/// The object is about to die.
void clear_weak_references(const RefCounted* object);

}  // namespace glint::runtime
