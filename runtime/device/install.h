// Lets tensors be on the process's GPU: who gives their memory and who runs their operators.
//
//     install();                           once, before a script runs; opens nothing
//     finish_launches(interpreter);        behind a script, and what is typed
#pragma once

#include "runtime/interpreter/interpreter.h"

namespace glint::device {

void install();

/// Waits for kernels whose checks nobody has asked about. False: one failed, the exception is
/// pending.
bool finish_launches(runtime::Interpreter& interpreter);

}  // namespace glint::device
