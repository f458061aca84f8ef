// Kernels that are equal but for names become one, launched several times: the layers of a deep
// network are compiled once.
//
//     launch add_tanh(%a, %b)         launch add_tanh(%a, %b)
//     launch add_tanh_k2(%c, %d)  ->  launch add_tanh(%c, %d)
//
// The statements get the places of all, behind those of the first, by which its launches are known.
// Compiling for a device costs so little that only kernels of one place in the script become one
// there: each launch in a listing, and in a profile, is where it stands.
#pragma once

#include "ir/kernel.h"

namespace glint::passes {

void share_kernels(Schedule& schedule, bool on_device = false);

}  // namespace glint::passes
