// Removes `check_bound` where the register is surely bound.
//
//     x = move 1                      x = move 1
//     check_bound x        becomes    r0 = add x, 2
//     r0 = add x, 2
//
// The front end puts a check before every read of a local; a forward dataflow over the instructions
// (a register is bound where every way to the place binds it) finds those that always pass. Jump
// targets and handlers are renumbered.
#pragma once

#include "ir/program.h"

namespace glint::program {

void remove_bound_checks(Code& code);

}  // namespace glint::program
