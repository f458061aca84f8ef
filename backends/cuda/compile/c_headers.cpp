#include "backends/cuda/compile/c_headers.h"

namespace glint::cuda {
namespace {

/// The types are those of CUDA's own C++ library.
#define GLINT_INTEGERS                                                \
  "#pragma once\n"                                                    \
  "typedef signed char int8_t;\n"                                     \
  "typedef short int16_t;\n"                                          \
  "typedef int int32_t;\n"                                            \
  "typedef long long int64_t;\n"                                      \
  "typedef unsigned char uint8_t;\n"                                  \
  "typedef unsigned short uint16_t;\n"                                \
  "typedef unsigned int uint32_t;\n"                                  \
  "typedef unsigned long long uint64_t;\n"                            \
  "typedef long long intptr_t;\n"                                     \
  "typedef unsigned long long uintptr_t;\n"                           \
  "typedef long long intmax_t;\n"                                     \
  "typedef unsigned long long uintmax_t;\n"                           \
  "typedef int8_t int_least8_t; typedef uint8_t uint_least8_t;\n"     \
  "typedef int16_t int_least16_t; typedef uint16_t uint_least16_t;\n" \
  "typedef int32_t int_least32_t; typedef uint32_t uint_least32_t;\n" \
  "typedef int64_t int_least64_t; typedef uint64_t uint_least64_t;\n" \
  "typedef int8_t int_fast8_t; typedef uint8_t uint_fast8_t;\n"       \
  "typedef int64_t int_fast16_t; typedef uint64_t uint_fast16_t;\n"   \
  "typedef int64_t int_fast32_t; typedef uint64_t uint_fast32_t;\n"   \
  "typedef int64_t int_fast64_t; typedef uint64_t uint_fast64_t;\n"   \
  "#define INT8_MAX 127\n"                                            \
  "#define INT8_MIN (-INT8_MAX - 1)\n"                                \
  "#define UINT8_MAX 255\n"                                           \
  "#define INT16_MAX 32767\n"                                         \
  "#define INT16_MIN (-INT16_MAX - 1)\n"                              \
  "#define UINT16_MAX 65535\n"                                        \
  "#define INT32_MAX 2147483647\n"                                    \
  "#define INT32_MIN (-INT32_MAX - 1)\n"                              \
  "#define UINT32_MAX 4294967295u\n"                                  \
  "#define INT64_MAX 9223372036854775807ll\n"                         \
  "#define INT64_MIN (-INT64_MAX - 1)\n"                              \
  "#define UINT64_MAX 18446744073709551615ull\n"                      \
  "#define INTPTR_MAX INT64_MAX\n"                                    \
  "#define INTPTR_MIN INT64_MIN\n"                                    \
  "#define UINTPTR_MAX UINT64_MAX\n"                                  \
  "#define INTMAX_MAX INT64_MAX\n"                                    \
  "#define INTMAX_MIN INT64_MIN\n"                                    \
  "#define UINTMAX_MAX UINT64_MAX\n"                                  \
  "#define PTRDIFF_MAX INT64_MAX\n"                                   \
  "#define PTRDIFF_MIN INT64_MIN\n"                                   \
  "#define SIZE_MAX 18446744073709551615ul\n"

constexpr const char* kIntegers = GLINT_INTEGERS;
constexpr const char* kStandardIntegers = GLINT_INTEGERS
    "namespace std {\n"
    "using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;\n"
    "using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;\n"
    "using ::intptr_t; using ::uintptr_t; using ::intmax_t; using ::uintmax_t;\n"
    "using ::int_least8_t; using ::int_least16_t; using ::int_least32_t;\n"
    "using ::int_least64_t; using ::uint_least8_t; using ::uint_least16_t;\n"
    "using ::uint_least32_t; using ::uint_least64_t; using ::int_fast8_t;\n"
    "using ::int_fast16_t; using ::int_fast32_t; using ::int_fast64_t;\n"
    "using ::uint_fast8_t; using ::uint_fast16_t; using ::uint_fast32_t;\n"
    "using ::uint_fast64_t;\n"
    "}\n";
#undef GLINT_INTEGERS

constexpr const char* kLimits =
    "#pragma once\n"
    "#define CHAR_BIT 8\n"
    "#define SCHAR_MIN (-128)\n"
    "#define SCHAR_MAX 127\n"
    "#define UCHAR_MAX 255\n"
    "#define CHAR_MIN SCHAR_MIN\n"
    "#define CHAR_MAX SCHAR_MAX\n"
    "#define SHRT_MIN (-32768)\n"
    "#define SHRT_MAX 32767\n"
    "#define USHRT_MAX 65535\n"
    "#define INT_MAX 2147483647\n"
    "#define INT_MIN (-INT_MAX - 1)\n"
    "#define UINT_MAX 4294967295u\n"
    "#define LONG_MAX 9223372036854775807l\n"
    "#define LONG_MIN (-LONG_MAX - 1)\n"
    "#define ULONG_MAX 18446744073709551615ul\n"
    "#define LLONG_MAX 9223372036854775807ll\n"
    "#define LLONG_MIN (-LLONG_MAX - 1)\n"
    "#define ULLONG_MAX 18446744073709551615ull\n";

constexpr const char* kFloats =
    "#pragma once\n"
    "#define FLT_RADIX 2\n"
    "#define FLT_DIG 6\n"
    "#define FLT_MANT_DIG 24\n"
    "#define FLT_MAX 3.40282347e+38f\n"
    "#define FLT_MIN 1.17549435e-38f\n"
    "#define FLT_EPSILON 1.19209290e-07f\n"
    "#define DBL_DIG 15\n"
    "#define DBL_MANT_DIG 53\n"
    "#define DBL_MAX 1.7976931348623157e+308\n"
    "#define DBL_MIN 2.2250738585072014e-308\n"
    "#define DBL_EPSILON 2.2204460492503131e-16\n";

#define GLINT_MATH_CONSTANTS                                      \
  "#pragma once\n"                                                \
  "#ifndef INFINITY\n"                                            \
  "#define INFINITY __int_as_float(0x7f800000)\n"                 \
  "#endif\n"                                                      \
  "#ifndef NAN\n"                                                 \
  "#define NAN __int_as_float(0x7fffffff)\n"                      \
  "#endif\n"                                                      \
  "#define HUGE_VALF INFINITY\n"                                  \
  "#define HUGE_VAL __longlong_as_double(0x7ff0000000000000ll)\n" \
  "#define M_E 2.7182818284590452354\n"                           \
  "#define M_LOG2E 1.4426950408889634074\n"                       \
  "#define M_LOG10E 0.43429448190325182765\n"                     \
  "#define M_LN2 0.69314718055994530942\n"                        \
  "#define M_LN10 2.30258509299404568402\n"                       \
  "#define M_PI 3.14159265358979323846\n"                         \
  "#define M_PI_2 1.57079632679489661923\n"                       \
  "#define M_PI_4 0.78539816339744830962\n"                       \
  "#define M_1_PI 0.31830988618379067154\n"                       \
  "#define M_2_PI 0.63661977236758134308\n"                       \
  "#define M_2_SQRTPI 1.12837916709551257390\n"                   \
  "#define M_SQRT2 1.41421356237309504880\n"                      \
  "#define M_SQRT1_2 0.70710678118654752440\n"

constexpr const char* kMath = GLINT_MATH_CONSTANTS;
/// NVRTC's functions are overloaded for floats and doubles.
constexpr const char* kStandardMath = GLINT_MATH_CONSTANTS
    "namespace std {\n"
    "using ::abs; using ::fabs; using ::sqrt; using ::cbrt; using ::hypot; using ::pow; using "
    "::exp;\n"
    "using ::exp2; using ::expm1; using ::log; using ::log2; using ::log10; using ::log1p;\n"
    "using ::sin; using ::cos; using ::tan; using ::asin; using ::acos; using ::atan; using "
    "::atan2;\n"
    "using ::sinh; using ::cosh; using ::tanh; using ::erf; using ::erfc; using ::lgamma;\n"
    "using ::tgamma; using ::floor; using ::ceil; using ::round; using ::trunc; using ::rint;\n"
    "using ::fmod; using ::remainder; using ::fmin; using ::fmax; using ::fdim; using ::fma;\n"
    "using ::nearbyint; using ::lround; using ::llround; using ::lrint; using ::llrint;\n"
    "using ::nextafter; using ::logb; using ::ilogb; using ::frexp; using ::scalbn;\n"
    "using ::copysign; using ::ldexp; using ::isnan; using ::isinf; using ::isfinite; using "
    "::signbit;\n"
    "}\n";
#undef GLINT_MATH_CONSTANTS

constexpr const char* kNothing = "#pragma once\n";
constexpr const char* kStandardSizes =
    "#pragma once\n"
    "namespace std { using ::size_t; using ::ptrdiff_t; }\n";

constexpr Header kHeaders[] = {
    {"stdint.h", kIntegers}, {"cstdint", kStandardIntegers}, {"limits.h", kLimits},
    {"climits", kLimits},    {"float.h", kFloats},           {"cfloat", kFloats},
    {"math.h", kMath},       {"cmath", kStandardMath},       {"stdio.h", kNothing},
    {"cstdio", kNothing},    {"assert.h", kNothing},         {"cassert", kNothing},
    {"stddef.h", kNothing},  {"cstddef", kStandardSizes},    {"stdlib.h", kNothing},
    {"cstdlib", kNothing},   {"string.h", kNothing},         {"cstring", kNothing},
};

}  // namespace

std::span<const Header> c_headers() {
  return kHeaders;
}

}  // namespace glint::cuda
