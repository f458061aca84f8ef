// Kernels that a script wrote: CUDA C++, launched on the GPU or the simulated one.
//
//     scale = glint.cuda.RawKernel(source, "scale")
//     scale((4,), (256,), (x, 2.5, x.numel()))        grid, block, arguments
//
// A tensor is passed as the address of its first element, a number as what the kernel's parameter
// is. What does not compile, and what the simulated device finds wrong in a launch, is a
// RuntimeError with the line of the source.
#pragma once

#include "runtime/interpreter/native.h"

namespace glint::device {

/// `raw_compile(source, name)`: what the compiler warns of; raises where it does not compile.
runtime::Value raw_compile(runtime::NativeCall& call);
/// `raw_launch(source, name, grid, block, arguments, shared)`
runtime::Value raw_launch(runtime::NativeCall& call);

}  // namespace glint::device
