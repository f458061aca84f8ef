// What kernels are called: the operators that each computes.
//
//     torch.softmax(x * 2, 1)                    multiply_softmax
//     (relu(x) + 1).sin().cos().exp().sum()      relu_sin_sum_and_3_more
//     the gradients of a layer norm and a gelu   layer_norm_gelu_backward
//
// An operator that was decomposed stands for its parts, and the one whose gradient a part belongs
// to for that part; each stands once. A name holds the four that tell most, in the graph's order
// and those of gradients last: first what is made of others (`softmax`), then reductions, then
// functions, then arithmetic and what only copies or fills. It is the kernel's name in every text
// and table, and in machine code.
#pragma once

#include <string>
#include <unordered_map>

#include "passes/fuse.h"

namespace glint::passes {

class KernelNames {
 public:
  explicit KernelNames(const Graph& graph) : graph_(graph) {}

  /// The group's kernel's; it differs from all that were given before, by `_k2` if need be.
  std::string fresh(const Group& group);

 private:
  const Graph& graph_;
  std::unordered_map<std::string, int> taken_;  ///< by how many
};

}  // namespace glint::passes
