// Lowering one group: loops around elements.
//
//     for each point of the outer axes                     parallel i in 0..s0 {
//       for each level of reductions                         acc = reduction maximum : f32
//         row-wise values that are ready                     reduce j in 0..8 { ... acc += a }
//         one loop along the row, which feeds the            acc1 = reduction sum : f32
//         reductions of this level, keeps what later         reduce j in 0..8 { ... acc1 += e }
//         loops would pay for twice, and stores outputs      parallel j in 0..8 { ... store }
//                                                          }
//
// The level of a value is how many reductions of this group stand, one behind the other, before
// it. A full value that several loops need is computed in each, unless that costs more than a look
// into memory near by: then the first loop keeps it in a row of scratch, or in the output that it
// is stored to anyway.
#pragma once

#include "ir/kernel.h"
#include "passes/fuse.h"

namespace glint::passes {

/// A kernel and the graph values that its parameters stand for.
struct LoweredGroup {
  Kernel kernel;
  std::vector<Value> inputs;
  std::vector<Value> outputs;
};

LoweredGroup lower_group(const Graph& graph, const FusionPlan& plan, int group, std::string name);
/// The same for a concatenation: one loop nest for each of its tensors.
LoweredGroup lower_concatenate(const Graph& graph, const FusionPlan& plan, int group,
                               std::string name);

}  // namespace glint::passes
