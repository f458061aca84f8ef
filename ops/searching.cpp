// Places among sorted elements, found by halving.
//
//     searchsorted([1, 3, 5], [3, 4])      [1, 2]      how many lie before each value
//     bucketize([3, 4], [1, 3, 5])         the same, of one row
//
// A row that is in no order is searched like any other: which elements are looked at, and so the
// answer, is PyTorch's. NaN comes behind everything.
#include <fmt/format.h>

#include <algorithm>

#include "core/tensor/copy.h"
#include "core/tensor/views.h"
#include "ops/builders.h"
#include "ops/call.h"
#include "ops/families.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/sample_parts.h"
#include "ops/search.h"

namespace glint::ops {

namespace {

[[noreturn]] void refuse(const std::string& words) {
  throw OpError{"RuntimeError", "torch.searchsorted(): " + words};
}

void check_side(const OpEntry& entry, InferArguments arguments) {
  const InferArgument given = argument(entry, arguments, "side");
  const std::string* side = given.get_if<std::string>();
  if (side == nullptr) return;
  if (*side != "left" && *side != "right")
    refuse("side can only be 'left' or 'right' but got " + *side);
  if (*side == "left" && as_bool(argument(entry, arguments, "right")))
    refuse("side and right can't be set to opposites, got side of left while right was True");
}

void check_sorter(const TensorType& rows, const TensorType& sorter) {
  bool alike = rows.rank() == sorter.rank();
  for (size_t k = 0; alike && k < rows.rank(); ++k)
    alike = decide_equal(rows.sizes[k], sorter.sizes[k]);
  if (!alike)
    refuse(
        fmt::format("boundary and sorter must have the same size, but got boundary tensor {}and "
                    "got sorter tensor {}",
                    ints_text(rows.sizes), ints_text(sorter.sizes)));
  if (sorter.dtype != DType::kInt64)
    refuse(fmt::format("sorter must be a tensor of long dtype but got dtype {}",
                       scalar_type_name(sorter.dtype)));
}

/// One row for all values, or one for each row of values.
void check_rows(const TensorType& rows, std::span<const SymInt> values) {
  if (values.empty() && rows.rank() != 1)
    refuse(
        fmt::format("input value can be a scalar only when boundaries tensor dimension is 1, but "
                    "we got boundaries tensor dim({}) and input value's dim(0) numel(1)",
                    rows.rank()));
  if (rows.rank() == 0)
    refuse("boundaries tensor should have positive dimension, but got 0 dimension");
  bool fits = rows.rank() == 1 || rows.rank() == values.size();
  for (size_t k = 0; fits && k + 1 < rows.rank(); ++k)
    fits = decide_equal(rows.sizes[k], values[k]);
  if (!fits)
    refuse(
        fmt::format("boundaries tensor should be 1 dimension or the first N-1 dimensions of "
                    "boundaries tensor and input value tensor must match, but we got boundaries "
                    "tensor {} and input value tensor {}",
                    ints_text(rows.sizes), ints_text(values)));
}

std::vector<TensorType> infer_search(const OpEntry& entry, InferArguments arguments) {
  check_side(entry, arguments);
  const TensorType& rows = arguments[0].tensor();
  const TensorType* values = arguments[1].get_if<TensorType>();
  const InferArgument sorter = argument(entry, arguments, "sorter");
  if (const TensorType* given = sorter.get_if<TensorType>()) check_sorter(rows, *given);
  const std::vector<SymInt> sizes = values ? values->sizes : std::vector<SymInt>{};
  check_rows(rows, sizes);
  if (is_bool(promoted_dtype(arguments.first(2))))
    throw OpError{"NotImplementedError", "\"searchsorted_out_cpu\" not implemented for 'Bool'"};
  const bool is_short = as_bool(argument(entry, arguments, "out_int32"));
  return {TensorType::tensor(is_short ? DType::kInt32 : DType::kInt64, sizes)};
}

/// How many elements of a row lie before the value; those that equal it count with `behind_equals`.
template <class T>
int64_t place_of(const T* row, int64_t length, T value, bool behind_equals) {
  int64_t low = 0, high = length;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    const bool is_behind = behind_equals ? row[middle] > value : row[middle] >= value;
    if (is_behind)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

Outputs eager_search(const OpEntry& entry, Arguments arguments) {
  const std::vector<InferArgument> types = infer_arguments(arguments);
  const Tensor found = empty_of(infer_search(entry, types)[0]);
  const Search search = search_of(entry, arguments);
  const Tensor rows = contiguous(convert(search.rows, search.dtype));
  const Tensor values =
      contiguous(search.values.defined() ? convert(search.values, search.dtype)
                                         : Tensor::full({}, search.number, search.dtype));
  const int64_t length = rows.size(-1);
  const int64_t repeats =
      rows.rank() == 1 || values.numel() == 0 ? values.numel() : values.size(-1);
  visit_dtype(search.dtype, [&]<class T>() {
    for (int64_t i = 0; i < values.numel(); ++i) {
      const T* row = rows.data<T>() + i / repeats * length;
      const int64_t place = place_of<T>(row, length, values.data<T>()[i], search.behind_equals);
      if (found.dtype() == DType::kInt32)
        found.data<int32_t>()[i] = int32_t(place);
      else
        found.data<int64_t>()[i] = place;
    }
  });
  return found;
}

std::vector<OpValue> bucketize(OpBuilder& b, OpArguments arguments) {
  const OpValue boundaries = arguments[1].tensor();
  if (b.rank(boundaries) != 1)
    throw OpError{
        "RuntimeError",
        fmt::format("boundaries tensor must be 1 dimension, but got dim({})", b.rank(boundaries))};
  return {b.call("searchsorted", {boundaries, arguments[0], arguments[2], arguments[3]})};
}

std::vector<Sample> search_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (DType dtype : kNumbers) {
    const Tensor row = Tensor::empty({5}, dtype);
    for (int64_t i = 0; i < 5; ++i) fill(select(row, 0, i), Scalar(i / 2 * 2));
    for (const Tensor& values : sample_inputs(dtype)) add(samples, entry, {row, values});
    add(samples, entry, {row, 2, true, true});
    add(samples, entry, {expand(row, {3, 5}), sample_tensor({3, 4}, dtype)});
    add(samples, entry, {row, sample_tensor({2, 3}), false, false, "right"});
  }
  return samples;
}

std::vector<Sample> bucketize_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (Sample& each : search_samples(*find_op("searchsorted"))) {
    std::swap(each.arguments[0], each.arguments[1]);
    each.arguments.resize(4);
    if (each.arguments[1].tensor().rank() == 1) samples.push_back(std::move(each));
  }
  return samples;
}

constexpr OpEntry kEntries[] = {
    {
        .name = "searchsorted",
        .signature = "searchsorted(sorted_sequence: Tensor, input: Tensor | Number, *, out_int32: "
                     "bool = False, right: bool = False, side: str | None = None, sorter: Tensor | "
                     "None = None) -> Tensor",
        .torch = "searchsorted",
        .doc = "How many elements of a sorted row lie before each value; those that equal it count "
               "where `right` is true.",
        .infer = infer_search,
        .eager = eager_search,
        .lowering = Library{},
        .differentiable = false,
        .effects = {.may_fail = true},
        .samples = search_samples,
    },
    {
        .name = "bucketize",
        .signature = "bucketize(input: Tensor | Number, boundaries: Tensor, *, out_int32: bool = "
                     "False, right: bool = False) -> Tensor",
        .torch = "bucketize",
        .doc = "Between which boundaries elements lie.",
        .decomposition = bucketize,
        .differentiable = false,
        .samples = bucketize_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

Search search_of(const OpEntry& entry, Arguments arguments) {
  Search search;
  search.rows = arguments[0].tensor();
  search.dtype = promoted_dtype(infer_arguments(arguments.first(2)));
  search.behind_equals = as_bool(argument(entry, arguments, "right"));
  if (const Tensor* values = arguments[1].get_if<Tensor>())
    search.values = *values;
  else
    search.number = as_scalar(arguments[1]);
  const Argument side = argument(entry, arguments, "side");
  if (const std::string* given = side.get_if<std::string>())
    search.behind_equals = *given == "right";
  const Argument sorter = argument(entry, arguments, "sorter");
  if (const Tensor* places = sorter.get_if<Tensor>()) {
    try {
      search.rows = call_eager("gather", {search.rows, -1, *places});
    } catch (const OpError& error) {
      if (std::string_view(error.exception) == "AcceleratorError") throw;
      refuse("sorter index out of range");
    }
  }
  return search;
}

std::span<const OpEntry> searching_entries() {
  return kEntries;
}

}  // namespace glint::ops
