// The Python side of automatic differentiation: properties and methods of tensors, and the native
// functions behind `torch.autograd`.
#pragma once

#include <string>

#include "runtime/interpreter/builtins.h"

namespace glint::runtime {

/// Adds `requires_grad`, `grad`, `grad_fn`, `backward` and their like to the class of tensors.
void install_gradients(Interpreter& in);
/// Adds what library/torch/autograd calls to the module torch._native.
void fill_native_gradients(Interpreter& in, ModuleObject& module);

/// Adds hooks to the class of tensors (torch_functions.cpp).
void install_hooks(Interpreter& in);
/// Adds functions with a backward of their own, and anomaly mode, to the module torch._native.
void fill_native_functions(Interpreter& in, ModuleObject& module);

/// Whether a tensor may be asked for gradients here: one that was made in inference mode may be
/// there alone. False: it raised.
bool may_require_grad(NativeCall& call, const Tensor& tensor);

/// What the text of a computed tensor says of its history, `grad_fn=<MulBackward0>`; empty for
/// leaves.
std::string gradient_suffix(const Tensor& tensor);

}  // namespace glint::runtime
