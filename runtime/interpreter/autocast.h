// `torch.autocast` at work: before an operator is called, its tensors are converted as the table in
// ops/autocast.h says. The conversions are calls like any: they are recorded and traced.
//
//     x @ w        under `with torch.autocast("cpu"):`
//     matmul(to(x, bfloat16), to(w, bfloat16))
#pragma once

#include <span>

#include "ops/op.h"
#include "runtime/interpreter/interpreter.h"

namespace glint::runtime {

/// A call that autocast may have its say in, or would if it were on.
Value call_in_autocast(Interpreter& in, const ops::OpEntry& entry,
                       std::span<const Value> arguments);

/// Adds the functions by which `torch.autocast` is switched.
void fill_native_autocast(Interpreter& in, ModuleObject& module);

}  // namespace glint::runtime
