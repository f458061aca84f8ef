// `:step`: walks through a graph, its passes, its kernels, or a warp on the simulated GPU.
//
//     :step f                    the graph, node by node, with values
//     :step --passes f           pass by pass, with what each changed
//     :step --kernels --at 2 f   the kernels, statement by statement, where i = 2
//     :step softmax              a kernel of that name
//     :step --gpu --at 3 f       the fourth warp of each kernel of f
//     :step --from 101 softmax   a warp from its instruction 101 on
#pragma once

#include "repl/commands.h"

namespace glint {

void step(CommandContext& context);

}  // namespace glint
