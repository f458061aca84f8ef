#include "ops/scalar/slow_functions.h"

#include <cmath>

#include "core/support/check.h"
#include "ops/scalar/gamma_functions.h"

namespace glint::scalar {
namespace {

constexpr SlowUnaryName kUnary[] = {
    {"sin", std::sin}, {"cos", std::cos}, {"tan", std::tan}, {"lgamma", special::lgamma}};
constexpr SlowBinaryName kBinary[] = {{"pow", std::pow}, {"fmod", std::fmod}};

}  // namespace

std::span<const SlowUnaryName> slow_unary_functions() {
  return kUnary;
}
std::span<const SlowBinaryName> slow_binary_functions() {
  return kBinary;
}

const char* slow_function_name(SlowUnary function) {
  for (const SlowUnaryName& row : kUnary)
    if (row.function == function) return row.name;
  fail("every slow function is in the table");
}

const char* slow_function_name(SlowBinary function) {
  for (const SlowBinaryName& row : kBinary)
    if (row.function == function) return row.name;
  fail("every slow function is in the table");
}

}  // namespace glint::scalar
