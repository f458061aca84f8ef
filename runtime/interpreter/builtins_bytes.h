// What the files of bytes share.
#pragma once

#include <string>
#include <string_view>

#include "runtime/interpreter/builtins.h"

namespace glint::runtime {

Value bytes_value(std::string data);
/// An argument's bytes; false, with a TypeError, where it is something else.
bool bytes_argument(NativeCall& call, size_t index, std::string_view& out);
/// Adds the methods that give each byte another form (builtins_bytes_mapping.cpp).
void install_bytes_mappings(Interpreter& in);

}  // namespace glint::runtime
