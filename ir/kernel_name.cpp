#include "ir/kernel_name.h"

#include <algorithm>

namespace glint {

namespace {

/// Of C and of CUDA, and what else C++ declares at the top; in order.
constexpr std::string_view kFunctions[] = {
    "abs",     "acos",    "acosh",    "asin",    "asinh",      "atan",  "atan2",     "atanh",
    "cbrt",    "ceil",    "copysign", "cos",     "cosh",       "cospi", "erf",       "erfc",
    "erfcinv", "erfcx",   "erfinv",   "exp",     "exp10",      "exp2",  "expm1",     "fabs",
    "fdim",    "floor",   "fma",      "fmax",    "fmin",       "fmod",  "frexp",     "hypot",
    "ilogb",   "j0",      "j1",       "jn",      "labs",       "ldexp", "lgamma",    "llabs",
    "llrint",  "llround", "log",      "log10",   "log1p",      "log2",  "logb",      "lrint",
    "lround",  "main",    "max",      "min",     "modf",       "nan",   "nearbyint", "nextafter",
    "norm",    "norm3d",  "norm4d",   "normcdf", "normcdfinv", "pow",   "remainder", "remquo",
    "rhypot",  "rint",    "rnorm",    "rnorm3d", "rnorm4d",    "round", "rsqrt",     "scalbln",
    "scalbn",  "signbit", "sin",      "sincos",  "sincospi",   "sinh",  "sinpi",     "sqrt",
    "std",     "tan",     "tanh",     "tgamma",  "trunc",      "y0",    "y1",        "yn"};

/// `letters[k]`, and with a number behind it when the letters are used up.
std::string numbered(std::string_view letters, size_t k) {
  std::string name(1, letters[k % letters.size()]);
  if (k >= letters.size()) name += std::to_string(k / letters.size());
  return name;
}

}  // namespace

std::string kernel_name(std::string_view wanted) {
  const bool is_taken = std::ranges::binary_search(kFunctions, wanted);
  return std::string(wanted) + (is_taken ? "_kernel" : "");
}

std::string loop_name(size_t depth) {
  return numbered("ijklmn", depth);
}
std::string value_name(size_t number) {
  return numbered("abcdefghopqruvwxyz", number);
}

}  // namespace glint
