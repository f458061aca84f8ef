// What the types of a library call's tensors tell: what it is known by, and what it moves.
//
//     call_text(schedule, call)
//         scatter_add f32[100, 64], 0, i64[20, 64]{1, 0}, f32[20, 64] -> f32[100, 64]
//     traffic(schedule, call)          reads 30880 bytes, writes 25600: each tensor once
#pragma once

#include <string>

#include "ir/kernel.h"

namespace glint {

/// With types in place of tensors: calls of one text do the same.
std::string call_text(const Schedule& schedule, const LibraryCall& call);

Traffic traffic(const Schedule& schedule, const LibraryCall& call);

}  // namespace glint
