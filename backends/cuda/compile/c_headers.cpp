#include "backends/cuda/compile/c_headers.h"

namespace glint::cuda {
namespace {

/// The types are those of CUDA's own C++ library, which may come beside them.
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
  "typedef int16_t int_fast16_t; typedef uint16_t uint_fast16_t;\n"   \
  "typedef int32_t int_fast32_t; typedef uint32_t uint_fast32_t;\n"   \
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
  "#define SIZE_MAX 18446744073709551615ul\n"                         \
  "#define INT_LEAST8_MAX INT8_MAX\n"                                 \
  "#define INT_LEAST8_MIN INT8_MIN\n"                                 \
  "#define UINT_LEAST8_MAX UINT8_MAX\n"                               \
  "#define INT_LEAST16_MAX INT16_MAX\n"                               \
  "#define INT_LEAST16_MIN INT16_MIN\n"                               \
  "#define UINT_LEAST16_MAX UINT16_MAX\n"                             \
  "#define INT_LEAST32_MAX INT32_MAX\n"                               \
  "#define INT_LEAST32_MIN INT32_MIN\n"                               \
  "#define UINT_LEAST32_MAX UINT32_MAX\n"                             \
  "#define INT_LEAST64_MAX INT64_MAX\n"                               \
  "#define INT_LEAST64_MIN INT64_MIN\n"                               \
  "#define UINT_LEAST64_MAX UINT64_MAX\n"                             \
  "#define INT_FAST8_MAX INT8_MAX\n"                                  \
  "#define INT_FAST8_MIN INT8_MIN\n"                                  \
  "#define UINT_FAST8_MAX UINT8_MAX\n"                                \
  "#define INT_FAST16_MAX INT16_MAX\n"                                \
  "#define INT_FAST16_MIN INT16_MIN\n"                                \
  "#define UINT_FAST16_MAX UINT16_MAX\n"                              \
  "#define INT_FAST32_MAX INT32_MAX\n"                                \
  "#define INT_FAST32_MIN INT32_MIN\n"                                \
  "#define UINT_FAST32_MAX UINT32_MAX\n"                              \
  "#define INT_FAST64_MAX INT64_MAX\n"                                \
  "#define INT_FAST64_MIN INT64_MIN\n"                                \
  "#define UINT_FAST64_MAX UINT64_MAX\n"                              \
  "#define INT8_C(c) c\n"                                             \
  "#define INT16_C(c) c\n"                                            \
  "#define INT32_C(c) c\n"                                            \
  "#define INT64_C(c) c##ll\n"                                        \
  "#define UINT8_C(c) c\n"                                            \
  "#define UINT16_C(c) c\n"                                           \
  "#define UINT32_C(c) c##u\n"                                        \
  "#define UINT64_C(c) c##ull\n"                                      \
  "#define INTMAX_C(c) c##ll\n"                                       \
  "#define UINTMAX_C(c) c##ull\n"

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
    "#define MB_LEN_MAX 16\n"
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
    "#define FLT_TRUE_MIN 1.40129846e-45f\n"
    "#define FLT_MAX_EXP 128\n"
    "#define FLT_MIN_EXP (-125)\n"
    "#define FLT_MAX_10_EXP 38\n"
    "#define FLT_MIN_10_EXP (-37)\n"
    "#define FLT_DECIMAL_DIG 9\n"
    "#define FLT_HAS_SUBNORM 1\n"
    "#define FLT_EVAL_METHOD 0\n"
    "#define FLT_ROUNDS 1\n"
    "#define DECIMAL_DIG 17\n"
    "#define DBL_DIG 15\n"
    "#define DBL_MANT_DIG 53\n"
    "#define DBL_MAX 1.7976931348623157e+308\n"
    "#define DBL_MIN 2.2250738585072014e-308\n"
    "#define DBL_EPSILON 2.2204460492503131e-16\n"
    "#define DBL_TRUE_MIN 4.9406564584124654e-324\n"
    "#define DBL_MAX_EXP 1024\n"
    "#define DBL_MIN_EXP (-1021)\n"
    "#define DBL_MAX_10_EXP 308\n"
    "#define DBL_MIN_10_EXP (-307)\n"
    "#define DBL_DECIMAL_DIG 17\n"
    "#define DBL_HAS_SUBNORM 1\n";

#define GLINT_MATH_CONSTANTS                                      \
  "#pragma once\n"                                                \
  "#ifndef INFINITY\n"                                            \
  "#define INFINITY __int_as_float(0x7f800000)\n"                 \
  "#endif\n"                                                      \
  "#ifndef NAN\n"                                                 \
  "#define NAN __int_as_float(0x7fffffff)\n"                      \
  "#endif\n"                                                      \
  "#define HUGE_VALF INFINITY\n"                                  \
  "#define MAXFLOAT 3.40282347e+38f\n"                            \
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
/// NVRTC's functions are overloaded for floats and doubles; C++ takes integers for doubles, and two
/// numbers of unlike types too.
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
    "using ::modf; using ::remquo; using ::nan; using ::scalbln;\n"
    "template <class T> struct glint_number { enum { kind = 0 }; };\n"
    "#define GLINT_IS(type, is) \\\n"
    "  template <> struct glint_number<type> { enum { kind = is }; };\n"
    "GLINT_IS(bool, 1) GLINT_IS(char, 1) GLINT_IS(signed char, 1)\n"
    "GLINT_IS(unsigned char, 1) GLINT_IS(short, 1) GLINT_IS(unsigned short, 1)\n"
    "GLINT_IS(int, 1) GLINT_IS(unsigned, 1) GLINT_IS(long, 1)\n"
    "GLINT_IS(unsigned long, 1) GLINT_IS(long long, 1)\n"
    "GLINT_IS(unsigned long long, 1) GLINT_IS(float, 2) GLINT_IS(double, 3)\n"
    "#undef GLINT_IS\n"
    "template <bool, class R> struct glint_where {};\n"
    "template <class R> struct glint_where<true, R> { typedef R type; };\n"
    "template <class T, class R>\n"
    "using glint_integer = typename glint_where<glint_number<T>::kind == 1, R>::type;\n"
    "template <class T, class U>\n"
    "using glint_unlike = typename glint_where<\n"
    "    glint_number<T>::kind && glint_number<U>::kind &&\n"
    "    (int(glint_number<T>::kind) != int(glint_number<U>::kind) ||\n"
    "     glint_number<T>::kind == 1), double>::type;\n"
    "#define GLINT_ONE(R, name) template <class T> \\\n"
    "  __device__ glint_integer<T, R> name(T x) { return ::name(double(x)); }\n"
    "GLINT_ONE(double, fabs) GLINT_ONE(double, sqrt) GLINT_ONE(double, cbrt)\n"
    "GLINT_ONE(double, exp) GLINT_ONE(double, exp2) GLINT_ONE(double, expm1)\n"
    "GLINT_ONE(double, log) GLINT_ONE(double, log2) GLINT_ONE(double, log10)\n"
    "GLINT_ONE(double, log1p) GLINT_ONE(double, sin) GLINT_ONE(double, cos)\n"
    "GLINT_ONE(double, tan) GLINT_ONE(double, asin) GLINT_ONE(double, acos)\n"
    "GLINT_ONE(double, atan) GLINT_ONE(double, sinh) GLINT_ONE(double, cosh)\n"
    "GLINT_ONE(double, tanh) GLINT_ONE(double, erf) GLINT_ONE(double, erfc)\n"
    "GLINT_ONE(double, lgamma) GLINT_ONE(double, tgamma) GLINT_ONE(double, floor)\n"
    "GLINT_ONE(double, ceil) GLINT_ONE(double, round) GLINT_ONE(double, trunc)\n"
    "GLINT_ONE(double, rint) GLINT_ONE(double, nearbyint) GLINT_ONE(double, logb)\n"
    "GLINT_ONE(long, lround) GLINT_ONE(long long, llround) GLINT_ONE(int, ilogb)\n"
    "GLINT_ONE(bool, isnan) GLINT_ONE(bool, isinf) GLINT_ONE(bool, isfinite)\n"
    "GLINT_ONE(bool, signbit)\n"
    "#undef GLINT_ONE\n"
    "#define GLINT_TWO(name) template <class T, class U> \\\n"
    "  __device__ glint_unlike<T, U> name(T x, U y) { \\\n"
    "    return ::name(double(x), double(y)); }\n"
    "GLINT_TWO(pow) GLINT_TWO(hypot) GLINT_TWO(atan2) GLINT_TWO(fmod)\n"
    "GLINT_TWO(remainder) GLINT_TWO(fmin) GLINT_TWO(fmax) GLINT_TWO(fdim)\n"
    "GLINT_TWO(copysign) GLINT_TWO(nextafter)\n"
    "#undef GLINT_TWO\n"
    "__device__ inline bool isnormal(float x) {\n"
    "  return isfinite(x) && ::fabs(x) >= 1.17549435e-38f; }\n"
    "__device__ inline bool isnormal(double x) {\n"
    "  return isfinite(x) && ::fabs(x) >= 2.2250738585072014e-308; }\n"
    "template <class T> __device__ glint_integer<T, bool> isnormal(T x) { return x != 0; }\n"
    "}\n";
#undef GLINT_MATH_CONSTANTS

constexpr const char* kNothing = "#pragma once\n";
/// The offset is a constant, which that of CUDA's own library is not: NVRTC has a word for an
/// address as an integer.
#define GLINT_SIZES                                           \
  "#pragma once\n"                                            \
  "#undef offsetof\n"                                         \
  "#define offsetof(type, member) \\\n"                       \
  "  ((size_t)__INTADDR__(&((type*)0)->member))\n"            \
  "#ifndef GLINT_MAX_ALIGN\n"                                 \
  "#define GLINT_MAX_ALIGN\n"                                 \
  "struct alignas(16) max_align_t { long long parts[4]; };\n" \
  "#endif\n"

constexpr const char* kSizes = GLINT_SIZES;
constexpr const char* kStandardSizes = GLINT_SIZES
    "namespace std {\n"
    "using ::size_t; using ::ptrdiff_t; using ::max_align_t;\n"
    "typedef decltype(nullptr) nullptr_t;\n"
    "#if __cplusplus >= 201703L\n"
    "enum class byte : unsigned char {};\n"
    "#define GLINT_BYTES __host__ __device__ constexpr\n"
    "template <class T> GLINT_BYTES T to_integer(byte b) { return T(b); }\n"
    "GLINT_BYTES byte operator~(byte b) { return byte(~unsigned(b)); }\n"
    "#define GLINT_MEET(op) \\\n"
    "  GLINT_BYTES byte operator op(byte a, byte b) { \\\n"
    "    return byte(unsigned(a) op unsigned(b)); } \\\n"
    "  GLINT_BYTES byte& operator op##=(byte& a, byte b) { return a = a op b; }\n"
    "GLINT_MEET(|) GLINT_MEET(&) GLINT_MEET(^)\n"
    "#undef GLINT_MEET\n"
    "#define GLINT_SHIFT(op) \\\n"
    "  template <class T> GLINT_BYTES byte operator op(byte a, T by) { \\\n"
    "    return byte(unsigned(a) op by); } \\\n"
    "  template <class T> GLINT_BYTES byte& operator op##=(byte& a, T by) { \\\n"
    "    return a = a op by; }\n"
    "GLINT_SHIFT(<<) GLINT_SHIFT(>>)\n"
    "#undef GLINT_SHIFT\n"
    "#undef GLINT_BYTES\n"
    "#endif\n"
    "}\n";
#undef GLINT_SIZES

constexpr const char* kStandardLibrary =
    "#pragma once\n"
    "namespace std {\n"
    "using ::size_t; using ::abs; using ::labs; using ::llabs;\n"
    "using ::malloc; using ::free;\n"
    "}\n";
constexpr const char* kStandardMemory =
    "#pragma once\n"
    "namespace std { using ::size_t; using ::memcpy; using ::memset; }\n";
constexpr const char* kStandardPrinting =
    "#pragma once\n"
    "namespace std { using ::size_t; using ::printf; }\n";

constexpr Header kHeaders[] = {
    {"stdint.h", kIntegers}, {"cstdint", kStandardIntegers},
    {"limits.h", kLimits},   {"climits", kLimits},
    {"float.h", kFloats},    {"cfloat", kFloats},
    {"math.h", kMath},       {"cmath", kStandardMath},
    {"stdio.h", kNothing},   {"cstdio", kStandardPrinting},
    {"assert.h", kNothing},  {"cassert", kNothing},
    {"stddef.h", kSizes},    {"cstddef", kStandardSizes},
    {"stdlib.h", kNothing},  {"cstdlib", kStandardLibrary},
    {"string.h", kNothing},  {"cstring", kStandardMemory},
};

}  // namespace

std::span<const Header> c_headers() {
  return kHeaders;
}

}  // namespace glint::cuda
