// The functions that ops/scalar leaves to the C library, by name: what code that is made at run
// time calls them by.
//
//     slow_function_name(static_cast<SlowUnary>(std::sin))     // "sin"
#pragma once

#include <span>

#include "ops/scalar/lanes.h"

namespace glint::scalar {

struct SlowUnaryName {
  const char* name;
  SlowUnary function;
};
struct SlowBinaryName {
  const char* name;
  SlowBinary function;
};
std::span<const SlowUnaryName> slow_unary_functions();
std::span<const SlowBinaryName> slow_binary_functions();

const char* slow_function_name(SlowUnary function);
const char* slow_function_name(SlowBinary function);

}  // namespace glint::scalar
