// `glint ir FILE`: reads Graph IR or Kernel IR, applies passes, prints or runs the result, so that
// a stage can be edited by hand.
#pragma once

#include "repl/command_line.h"

namespace glint {

/// Gives the exit code.
int read_ir(const IrRequest& request);

}  // namespace glint
