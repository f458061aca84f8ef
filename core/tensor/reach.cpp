#include "core/tensor/reach.h"

#include <fmt/format.h>

#include "core/tensor/allocator.h"

namespace glint {

int64_t bytes_reached(IntSpan sizes, IntSpan strides, int64_t offset, DType dtype) {
  int64_t count = 0, reach = 0;
  bool overflow = __builtin_add_overflow(offset, 1, &count);
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) return 0;
    overflow |= __builtin_mul_overflow(sizes[i] - 1, strides[i], &reach) || sizes[i] < 0;
    overflow |= __builtin_add_overflow(count, reach, &count);
  }
  int64_t bytes = 0;
  overflow |= __builtin_mul_overflow(count, int64_t(dtype_size(dtype)), &bytes);
  if (overflow)
    throw TensorMemoryError(
        fmt::format("Storage size calculation overflowed with sizes={} and strides={}",
                    to_string(sizes), to_string(strides)));
  return bytes;
}

}  // namespace glint
