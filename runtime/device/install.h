// Lets tensors be on the process's GPU: who gives their memory and who runs their operators.
//
//     install();         once, before a script runs; opens nothing
#pragma once

namespace glint::device {

void install();

}  // namespace glint::device
