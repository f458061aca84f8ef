// What compiled kernels may call: the C library for rare arguments, and memory functions that LLVM
// may make of loops.
#pragma once

#include <span>

namespace glint::cpu {

struct RuntimeFunction {
  const char* name;
  void* address;
};
std::span<const RuntimeFunction> runtime_functions();

}  // namespace glint::cpu
