// A file's bytes as a tensor's memory.
//
//     int error = 0;
//     mapped_file("train.bin", DType::kInt16, 0, 1000, false, error)     // the first 1000
//
// Pages are read as they are asked for. What is written goes into the file where that is asked for,
// else it stays in memory.
#pragma once

#include <string>

#include "core/tensor/tensor.h"

namespace glint::runtime {

/// `count` elements from byte `offset` on. Undefined where the system refuses, with its error, or
/// where the file ends before them, with EINVAL.
Tensor mapped_file(const std::string& path, DType dtype, int64_t offset, int64_t count,
                   bool is_shared, int& error);

}  // namespace glint::runtime
