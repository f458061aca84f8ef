// Scalar functions of Kernel IR as expressions of CUDA C++.
//
//     compute_text(definitions, ScalarFunction::kMultiply, DType::kFloat32, {"a", "b"})   // a * b
//     compute_text(definitions, ScalarFunction::kAdd, DType::kBFloat16, {"a", "b"})
//                                                             // round_to_bfloat16(a + b)
//     cast_text(definitions, DType::kInt32, DType::kFloat32, "n")                         //
//     (float)n
//
// Operands are names or literals. Values are held as `value_type` says.
#pragma once

#include <string>
#include <vector>

#include "backends/cuda/codegen/definitions.h"

namespace glint::cuda {

std::string compute_text(Definitions& definitions, ScalarFunction function, DType dtype,
                         const std::vector<std::string>& operands);
/// A float as a value of the dtype: rounded, if that is float16 or bfloat16.
std::string rounded_text(Definitions& definitions, DType dtype, std::string text);
std::string cast_text(Definitions& definitions, DType from, DType to, const std::string& operand);

}  // namespace glint::cuda
