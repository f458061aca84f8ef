// The part of a backward graph that runs where gradients arrive at some of the region's results
// only.
//
//     graph f_backward(%w, %t0, %t1) -> (%g) {
//       %a = divide %t0, %w                        %t0 does not arrive:
//       %b = multiply %t1, %w
//       %g = add %a, %b                            graph f_backward(%w, %t1) -> (%b)
//     }                                              %b = multiply %t1, %w
//
// Zeros in place of the tangent would not do: 0 / 0 is no number, where eager execution computes
// nothing. A backward graph is linear in its tangents, so what depends on none that arrives is
// nothing; the other side of a sum is the sum; an operator that needs several operands (`where`,
// `cat`) gets zeros for those that are nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/graph.h"

namespace glint::passes {

struct ReducedBackward {
  Graph graph;
  std::vector<uint32_t> parameters;  ///< of the whole graph's, those that it takes
  std::vector<uint32_t> gradients;   ///< of the whole graph's outputs, those that it gives
};

/// `arrived`: one a tangent; these are the last parameters. Throws ops::OpError, InternalError.
ReducedBackward drop_tangents(const Graph& backward, const std::vector<bool>& arrived);

}  // namespace glint::passes
