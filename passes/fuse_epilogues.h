// What follows a matrix product and can be done by the library as it writes its result: a bias for
// each column, or on a device a whole matrix, then an activation.
//
//     %h = linear %x, %w, bias=%b : f32[64, 512]          %t = t %w
//     %r = gelu %h                : f32[64, 512]    ->    %r = mm_epilogue %x, %t, bias=%b,
//                                                                activation="gelu"
//
// It runs before `decompose`, while `linear`, `addmm` and `gelu` are still one call each. The
// product and the sum may have no other reader. Products with neither are left alone. A matrix is
// added here where it is an input or another product; a kernel adds what it can compute itself.
#pragma once

#include <vector>

#include "ir/graph.h"
#include "passes/pass_log.h"

namespace glint::passes {

/// `on_device`: the products are made by an accelerator, whose kernels add a matrix as well.
Graph fuse_epilogues(const Graph& graph, std::vector<RuleHit>& hits, bool on_device = false);

}  // namespace glint::passes
