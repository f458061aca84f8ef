// Which function a call of a value runs: what is compiled, and under whose name it is listed.
//
//     f                   f
//     object.method       Class.method, with `object` in front of the arguments
//     object              Class.__call__, likewise
//     net, a module       Net.forward: without hooks, `Module.__call__` does nothing but call it
#pragma once

#include <vector>

#include "runtime/interpreter/interpreter.h"

namespace glint::capture {

struct Callee {
  runtime::Value function;            ///< undefined: an exception is pending
  std::vector<runtime::Value> bound;  ///< the arguments in front of those of the call
};

Callee callee_of(runtime::Interpreter& interpreter, const runtime::Value& callable);

/// Whether the module itself, not its class, has a say in what its call does: by a hook, or by a
/// `forward` of its own.
bool has_own_call(runtime::InstanceObject& module);

/// The instruction calls a compiled function, as part of the region that calls it: it then calls
/// the function itself. False: what it calls is in a variable, which cannot be written over.
bool unwrap_callee(runtime::Frame& frame, const program::Instruction& at);

/// Whether `torch.compiler.disable` has marked it.
bool is_disabled(const runtime::FunctionObject& function);
/// What was said when it was marked, behind a colon; empty: nothing was.
std::string reason_of_disabling(const runtime::FunctionObject& function);

/// Whether it is `torch.nn.Module`'s own `__call__`.
bool is_module_call(const runtime::FunctionObject& function);

/// Whether it is `torch.nn.Module`'s own `__setattr__` or `__delattr__`.
bool is_module_hook(const runtime::FunctionObject& function);

/// The compiled function that a call of the module ends in, after `torch.compile(module)` and after
/// `module.compile()`; any other value itself.
runtime::Value unwrap_module(runtime::Interpreter& interpreter, const runtime::Value& value);

/// Which function a call instruction calls, and which parameters it gives.
struct CallAtWork {
  const runtime::FunctionObject* function = nullptr;
  uint32_t positional = 0;
  runtime::Value keywords = {};  ///< their names, a tuple; or undefined
};

}  // namespace glint::capture
