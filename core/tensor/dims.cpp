#include "core/tensor/dims.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glint {

void Dims::insert(size_t at, int64_t value) {
  resize(rank_ + 1);
  int64_t* values = data();
  for (size_t i = rank_ - 1; i > at; --i) values[i] = values[i - 1];
  values[at] = value;
}

void Dims::erase(size_t at) {
  int64_t* values = data();
  for (size_t i = at; i + 1 < rank_; ++i) values[i] = values[i + 1];
  resize(rank_ - 1);
}

void Dims::resize(size_t rank) {
  if (rank <= kInline && rank_ <= kInline) {
    for (size_t i = rank_; i < rank; ++i) inline_[i] = 0;
    rank_ = uint32_t(rank);
    return;
  }
  Dims resized(rank, 0);
  std::copy_n(data(), std::min<size_t>(rank, rank_), resized.data());
  *this = std::move(resized);
}

Dims contiguous_strides(IntSpan sizes) {
  Dims strides(sizes.size(), 1);
  int64_t step = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = step;
    __builtin_mul_overflow(step, std::max<int64_t>(sizes[i], 1), &step);  // of no tensor, then
  }
  return strides;
}

std::string to_string(IntSpan dims) {
  return fmt::format("[{}]", fmt::join(dims, ", "));
}

}  // namespace glint
