// "Did you mean": the name nearest to one that was looked for in vain.
//
//     prnt(1)       NameError: name 'prnt' is not defined. Did you mean: 'print'?
//     "a".uper()    AttributeError: 'str' object has no attribute 'uper'. Did you mean: 'upper'?
//
// As CPython 3.11, only where an uncaught exception is printed, for errors that the interpreter
// itself raised while it read a name or an attribute, and with CPython's distance: a changed, added
// or dropped character costs two, another case one, and at most a third of the characters may
// change.
#pragma once

#include <string>

#include "runtime/interpreter/object.h"

namespace glint::runtime {

class Interpreter;

/// `. Did you mean: 'print'?`, or nothing.
std::string suggestion(Interpreter& in, const ExceptionObject& exception);

}  // namespace glint::runtime
