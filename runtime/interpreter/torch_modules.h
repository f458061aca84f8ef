// The module `torch`: what is native of it. The rest is in library/torch.
//
// Attributes of `torch` come, in this order, from here (dtypes, operators, `tensor`, ...), from
// functions with a file of their own in library/torch (`torch.compile`), from submodules
// (`torch.nn`), and from library/torch/_extras.
#pragma once

#include <string>

#include "runtime/interpreter/builtins.h"

namespace glint::runtime {

/// The classes that `torch` is made of; part of `install_builtins`.
void install_torch(Interpreter& in);
/// The methods of tensors; the first import of `torch` adds them.
void install_tensor_class(Interpreter& in);

void fill_torch(Interpreter& in, ModuleObject& module);
void fill_torch_native(Interpreter& in, ModuleObject& module);
void fill_torch_functional(Interpreter& in, ModuleObject& module);

/// A further native module, such as `torch._dynamo`; found by `find_native_module`.
void register_native_module(std::string name, NativeModule module);
const NativeModule* find_registered_module(std::string_view name);
std::vector<std::string> registered_module_names();

}  // namespace glint::runtime
