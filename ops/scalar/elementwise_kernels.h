// Ready loops for eager operators: one pointer for each scalar function and dtype.
//
// A loop reads and writes contiguous memory; an operand that is one number for the whole loop has
// variants of its own, so that the caller's inner dimension may have stride 0 as well as 1. That
// number lies in the dtype that computes: beside 16-bit floats it is a float32, which may have
// digits that they do not hold. The loops exist twice, for x86-64-v3 and for x86-64-v4 (AVX-512),
// and the table is chosen once, by the processor. Memory need not be aligned; the output may be the
// same as an input, but not overlap it otherwise.
//
//     const ElementwiseLoops* loops = elementwise_loops(ScalarFunction::kAdd, DType::kFloat32);
//     loops->binary(x, y, out, n);              // out[i] = x[i] + y[i]
//     loops->right_scalar(x, &two, out, n);     // out[i] = x[i] + 2
#pragma once

#include <cstdint>

#include "core/tensor/dtype.h"
#include "ir/scalar_function.h"

namespace glint::scalar {

using UnaryLoop = void (*)(const void* in, void* out, int64_t n);
using BinaryLoop = void (*)(const void* left, const void* right, void* out, int64_t n);
/// A step is 1, or 0 for an operand that is one number.
using WhereLoop = void (*)(const void* condition, const void* left, int64_t left_step,
                           const void* right, int64_t right_step, void* out, int64_t n);
using FmaLoop = void (*)(const void* x, const void* y, const void* z, void* out, int64_t n);
/// What becomes of x, y, z and a number.
enum class Blend : uint8_t {
  kLerp,     ///< fma(y - x, number, z)
  kAddcmul,  ///< fma(y * number, z, x)
  kAddcdiv,  ///< x + y * number / z
};
using BlendLoop = void (*)(const void* x, const void* y, const void* z, const void* number,
                           void* out, int64_t n);

struct ElementwiseLoops {
  UnaryLoop unary = nullptr;          ///< functions of one operand
  BinaryLoop binary = nullptr;        ///< functions of two: both contiguous
  BinaryLoop right_scalar = nullptr;  ///< the right operand is one number
  BinaryLoop left_scalar = nullptr;   ///< the left operand is one number
};

/// The loops of `function` on operands of `dtype`; null where the function does not take the dtype.
/// The output's dtype is bool for comparisons, predicates and truth values, else `dtype`.
/// `where` and `cast` have their own tables below, `fma` too.
const ElementwiseLoops* elementwise_loops(ScalarFunction function, DType dtype);
/// out[i] = condition[i] ? left[i] : right[i]
WhereLoop where_loop(DType dtype);
/// out[i] = in[i] converted: towards zero to an integer, to nearest even to a floating dtype, and
/// nonzero to true.
UnaryLoop cast_loop(DType from, DType to);
/// out[i] = fma(x[i], y[i], z[i]), rounded once; floating dtypes only. Or y is one number.
FmaLoop fma_loop(DType dtype, bool by_number = false);
/// A blend of floats, rounded to their dtype at its end alone.
BlendLoop blend_loop(Blend blend, DType dtype);

/// Whether the program has the loops for AVX-512: with the address sanitizer those of the smaller
/// set show what there is to find, in half the time of building both.
inline constexpr bool kHasWideLoops = !__has_feature(address_sanitizer);

/// The instruction set of the loops in use: "x86-64-v4" or "x86-64-v3". The environment variable
/// GLINT_CPU=x86-64-v3 limits it.
const char* elementwise_instruction_set();

}  // namespace glint::scalar
