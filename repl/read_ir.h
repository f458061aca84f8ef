// `glint ir FILE`: reads Graph IR or Kernel IR, applies passes, prints or runs the result, so that
// a stage can be edited by hand. All that `glint show` printed may stand in the file: each graph
// and each schedule in it is taken for itself.
//
//     glint show --stage graph x.py f | glint ir --passes decompose,simplify --run -
#pragma once

#include "repl/command_line.h"

namespace glint {

/// Gives the exit code.
int read_ir(const IrRequest& request);

}  // namespace glint
