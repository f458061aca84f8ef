// What follows a matrix product and can be done by the library as it writes its result: a bias for
// each column, then an activation.
//
//     %h = linear %x, %w, bias=%b : f32[64, 512]          %t = t %w
//     %r = gelu %h                : f32[64, 512]    ->    %r = mm_epilogue %x, %t, bias=%b,
//                                                                activation="gelu"
//
// It runs before `decompose`, while `linear`, `addmm` and `gelu` are still one call each. The
// product and the bias may have no other reader. Products with neither are left alone.
#pragma once

#include <vector>

#include "ir/graph.h"
#include "passes/pass_log.h"

namespace glint::passes {

Graph fuse_epilogues(const Graph& graph, std::vector<RuleHit>& hits);

}  // namespace glint::passes
