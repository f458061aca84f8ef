// What reading and writing along one dimension share: checked walks over an index tensor.
//
//     gather(x, 1, index)      visits (offset of x[i][index[i][j]], place of index[i][j])
#pragma once

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "core/tensor/copy.h"
#include "ops/call.h"
#include "ops/infer.h"
#include "ops/op.h"

namespace glint::ops {

void check_index_dtype(const char* name, DType dtype);

/// Throws where the value of an index is none of the dimension's places.
inline void check_index(int64_t value, int64_t dim, int64_t limit) {
  if (value >= 0 && value < limit) [[likely]]
    return;
  throw OpError{
      "RuntimeError",
      fmt::format("index {} is out of bounds for dimension {} with size {}", value, dim, limit)};
}

/// One row of the index, of its last dimension: `at` is where it begins in the shaped tensor, but
/// for the dimension that is indexed, and `place` in the index.
struct IndexRow {
  const int64_t* values;
  int64_t at, place;
};

/// Calls `row(IndexRow)` for each of the index's rows, in order.
template <class F>
void for_each_index_row(const Tensor& index, int64_t dim, IntSpan strides, F&& row) {
  const int64_t last = index.rank() - 1, count = index.size(last);
  Dims place(size_t(index.rank()), 0);
  IndexRow current = {index.data<int64_t>(), 0, 0};
  for (int64_t rows = index.numel() / count; rows > 0; --rows, current.place += count) {
    row(current);
    for (int64_t k = last; k-- > 0;) {
      const int64_t step = k == dim ? 0 : strides[size_t(k)];
      current.values += index.stride(k);
      current.at += step;
      if (++place[size_t(k)] < index.size(k)) break;
      current.values -= index.stride(k) * index.size(k);
      current.at -= step * index.size(k);
      place[size_t(k)] = 0;
    }
  }
}

/// Calls `visit(offset in the shaped tensor, place in the index)` for each index, checked. The
/// index may have any layout: one that repeats along its last dimension is read once a row.
template <class F>
void for_each_index(const Tensor& index, int64_t dim, int64_t limit, IntSpan strides, F&& visit) {
  if (index.numel() == 0) return;
  if (index.rank() == 0) {
    const int64_t value = *index.data<int64_t>();
    check_index(value, dim, limit);
    return visit(strides.empty() ? 0 : value * strides[0], int64_t(0));
  }
  const int64_t last = index.rank() - 1, count = index.size(last), apart = index.stride(last);
  const int64_t along = strides[size_t(dim)], step = dim == last ? 0 : strides[size_t(last)];
  for_each_index_row(index, dim, strides, [&](const IndexRow& row) {
    if (apart == 0 && dim != last) {
      check_index(*row.values, dim, limit);
      const int64_t start = row.at + *row.values * along;
      for (int64_t j = 0; j < count; ++j) visit(start + j * step, row.place + j);
      return;
    }
    for (int64_t j = 0; j < count; ++j) {
      const int64_t value = row.values[j * apart];
      check_index(value, dim, limit);
      visit(row.at + value * along + j * step, row.place + j);
    }
  });
}

/// Whether the index is a vector that names a slice of the input for each of the source's, which
/// are of the same sizes: of `name(input, dim, index, source)`.
void check_slices(OpBuilder& b, std::string_view name, OpArguments arguments);

/// What is said of an index that is not in range.
std::string out_of_bounds(int64_t value, int64_t dim, const Tensor& input);

/// Runs an operator of slices once the index is known to be in range: `scatter`, which does the
/// work, would word it otherwise. `kRefuse` gives the error for an index that is not.
template <OpError (*kRefuse)(int64_t value, int64_t dim, Arguments arguments)>
Outputs eager_in_range(const OpEntry& entry, Arguments arguments) {
  const Tensor& input = arguments[0].tensor();
  const Tensor& index = arguments[2].tensor();
  if (!is_integer(index.dtype()) || index.rank() > 1) return run_decomposition(entry, arguments);
  int64_t dim = wrap_dim(as_constant(arguments[1]), size_t(input.rank()));
  int64_t limit = input.rank() == 0 ? 1 : input.size(dim);
  Tensor places = contiguous(convert(index, DType::kInt64));
  std::span<const int64_t> values(places.data<int64_t>(), size_t(places.numel()));
  auto wrong =
      std::ranges::find_if(values, [limit](int64_t value) { return value < 0 || value >= limit; });
  if (wrong == values.end() || limit == 0) return run_decomposition(entry, arguments);
  // What is wrong with dtypes and sizes comes first.
  std::vector<Argument> in_range(arguments.begin(), arguments.end());
  in_range[2] = Tensor::full(index.sizes(), Scalar(int64_t(0)), index.dtype());
  run_decomposition(entry, in_range);
  throw kRefuse(*wrong, dim, arguments);
}

/// What happens where an element is put on one that is there.
enum class Meeting : uint8_t { kReplace, kAdd, kMultiply, kGreatest, kLeast };

/// The types of `scatter(input, dim, index, src)` and its like.
std::vector<TensorType> infer_scatter(const OpEntry& entry, InferArguments arguments);
/// A copy of the input with the source's elements, or a number, put at the indices.
Outputs scatter_meeting(const OpEntry& entry, Arguments arguments, Meeting meeting);
template <Meeting kMeeting>
Outputs eager_scatter(const OpEntry& entry, Arguments arguments) {
  return scatter_meeting(entry, arguments, kMeeting);
}

/// Calls `f<T>()` with the unsigned integer of that many bytes: elements that are only moved.
template <class F>
void visit_bytes(size_t size, F&& f) {
  if (size == 1) return f.template operator()<uint8_t>();
  if (size == 2) return f.template operator()<uint16_t>();
  if (size == 4) return f.template operator()<uint32_t>();
  f.template operator()<uint64_t>();
}

}  // namespace glint::ops
