// Operators of the table as functions and methods of the language.
//
//     add_operators(in, torch, PythonPlace::kTorch)      torch.add, torch.relu, ...
//
// One native serves them all: its data is the entry, its signature the entry's, so that arguments
// arrive bound and go straight to `Interpreter::call_operator`. Only where an argument has a wrong
// type, or a required one is missing, does the slow way run, for the sake of PyTorch's message.
#pragma once

#include "ops/op.h"
#include "runtime/interpreter/builtins.h"

namespace glint::runtime {

/// A native that calls an operator under one of its Python names.
Ref<NativeFunctionObject> make_operator(std::string_view name, const ops::OpEntry& entry,
                                        bool is_method);
/// The entry of such a native; null for any other.
const ops::OpEntry* operator_of(const NativeFunctionObject& native);

/// Adds all operators of a place to a module, or to the class of tensors.
void add_operators(ModuleObject& module, ops::PythonPlace place);
void add_operator_methods(ClassObject& cls);

/// The class of an operator's named tuples, `torch.return_types.max`; null where it has none.
ClassObject* return_type(Interpreter& in, std::string_view name);

/// `x.to(...)`, which binds its arguments in three ways (tensor_conversion.cpp).
Value call_conversion(NativeCall& call);
NativeSignature conversion_signature();

/// The type of an argument as PyTorch's texts name it: `torch.dtype`, `str`.
std::string plain_type(const Value& value);

}  // namespace glint::runtime
