#include "ops/scalar/slow_functions.h"

#include <cmath>

#include "core/support/check.h"
#include "ops/scalar/seldom_functions.h"

namespace glint::scalar {
namespace {

constexpr SlowUnaryName kUnary[] = {
    {"sin", std::sin},          {"cos", std::cos},     {"tan", std::tan},
    {"asin", std::asin},        {"acos", std::acos},   {"atan", std::atan},
    {"sinh", std::sinh},        {"cosh", std::cosh},   {"erf", std::erf},
    {"log1p", std::log1p},      {"asinh", std::asinh}, {"acosh", std::acosh},
    {"atanh", std::atanh},      {"erfc", std::erfc},   {"lgamma", special::lgamma},
    {"erfinv", special::erfinv}};
constexpr SlowBinaryName kBinary[] = {
    {"pow", std::pow}, {"fmod", std::fmod}, {"atan2", std::atan2}};

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
