// Functions of `torch`, and methods of tensors, that are written in the language.
#pragma once

#include <string_view>

#include "runtime/interpreter/interpreter.h"

namespace glint::runtime {

/// Whether a function of `torch` has a file of the library, and that function; undefined if
/// importing the file raised.
bool is_library_function(std::string_view name);
Value library_function(Interpreter& in, std::string_view name);
/// Adds the methods to the class of tensors.
void add_library_methods(Interpreter& in);

}  // namespace glint::runtime
