// Kernels that are equal but for names become one, launched several times: the layers of a deep
// network are compiled once.
//
//     launch add_tanh(%a, %b)         launch add_tanh(%a, %b)
//     launch add_tanh_k2(%c, %d)  ->  launch add_tanh(%c, %d)
//
// The statements keep the origins of the first.
#pragma once

#include "ir/kernel.h"

namespace glint::passes {

void share_kernels(Schedule& schedule);

}  // namespace glint::passes
