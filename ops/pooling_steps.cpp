#include "ops/pooling_steps.h"

#include <limits>
#include <optional>

#include "ops/builders.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/pooling_windows.h"

namespace glint::ops {

namespace {

/// Elements of a window, or windows of an element, that are written out one by one.
constexpr int64_t kWrittenOut = 25;

OpArgument least_of(DType dtype) {
  if (is_floating(dtype)) return -std::numeric_limits<double>::infinity();
  return visit_dtype(dtype, []<class T>() -> OpArgument {
    if constexpr (std::is_integral_v<T>) return SymInt(int64_t(std::numeric_limits<T>::lowest()));
    fail("pooling compares numbers");
  });
}

OpValue with_ends(OpBuilder& b, const OpValue& x, const PoolingWindows& w,
                  const OpArgument& value) {
  std::vector<SymInt> ends;
  bool any = false;
  for (size_t i = w.dims(); i-- > 0;) {
    ends.insert(ends.end(), {w.before[i], w.after[i]});
    any = any || w.before[i] > 0 || w.after[i] > 0;
  }
  return any ? b.call("pad", {x, ends, "constant", value}) : x;
}

/// Dimensions that are gone through at once, `first` to `end` - 1 of those that windows move in.
struct Stage {
  size_t first, end;
  int64_t elements;  ///< of a window
};

/// All dimensions of a small window; of a large one the last first, as what a box comes to is what
/// its rows come to together.
std::vector<Stage> stages_of(const PoolingWindows& w) {
  if (w.elements() <= kWrittenOut) return {{0, w.dims(), w.elements()}};
  std::vector<Stage> stages;
  for (size_t i = w.dims(); i-- > 0;) stages.push_back({i, i + 1, w.kernel[i]});
  return stages;
}

/// The windows' element number `k`, in the dimensions of a stage, as a view with one for each
/// place.
OpValue element_of_windows(OpBuilder& b, OpValue x, const PoolingWindows& w, const Stage& stage,
                           const std::vector<SymInt>& places, int64_t k) {
  const size_t before = places.size() - w.dims();
  for (size_t i = stage.end; i-- > stage.first;) {
    const int64_t offset = k % w.kernel[i] * w.dilation[i];
    k /= w.kernel[i];
    const SymInt end = (places[before + i] - 1) * w.stride[i] + (offset + 1);
    x = b.call("slice", {x, SymInt(int64_t(before + i)), offset, end, w.stride[i]});
  }
  return x;
}

/// The windows of a stage of one dimension, each a dimension at the end: a view.
OpValue rows_of_windows(OpBuilder& b, OpValue x, const PoolingWindows& w, const Stage& stage) {
  const size_t i = stage.first, dim = b.rank(x) - w.dims() + i;
  x = b.call("unfold", {x, SymInt(int64_t(dim)), w.reach(i), w.stride[i]});
  return w.dilation[i] > 1 ? b.call("slice", {x, -1, nullptr, nullptr, w.dilation[i]}) : x;
}

/// The numbers 0, 1, ... of a dimension times `step`, from `start` on, along dimension `dim`.
OpValue along(OpBuilder& b, const std::vector<SymInt>& sizes, size_t dim, int64_t start,
              int64_t step) {
  std::vector<SymInt> shape(sizes.size(), 1);
  shape[dim] = sizes[dim];
  return b.reshape(b.call("arange_sized", {sizes[dim], start, step}), shape);
}

// ---- the greatest ------------------------------------------------------------------------------

/// Where in its plane element number `k` of each window is. The outside is chosen only where
/// nothing is greater: the first element that is inside stands for it.
OpValue index_of(OpBuilder& b, OpValue k, const PoolingWindows& w, const std::vector<SymInt>& sizes,
                 const std::vector<SymInt>& places) {
  const size_t first = sizes.size() - w.dims();
  std::optional<OpValue> index;
  SymInt step = 1;
  for (size_t i = w.dims(); i-- > 0;) {
    const bool last = i == 0;
    OpValue offset = last ? k : b.call("remainder", {k, w.kernel[i]});
    if (w.dilation[i] > 1) offset = b.multiply(offset, w.dilation[i]);
    OpValue here = b.add(along(b, places, first + i, -w.before[i], w.stride[i]), offset);
    if (w.before[i] > 0)
      here = w.dilation[i] > 1
                 ? b.where(b.less(here, 0), b.call("remainder", {here, w.dilation[i]}), here)
                 : b.maximum(here, b.full({}, 0, DType::kInt64));
    index = index ? b.add(b.multiply(here, step), *index) : here;
    step = step * sizes[first + i];
    if (!last) k = b.call("floor_divide", {k, w.kernel[i]});
  }
  return *index;
}

/// The greatest elements so far, and their numbers in their windows; none before the first stage.
struct Greatest {
  OpValue value;
  std::optional<OpValue> number;
};

/// A small stage: one element after the other. A number counts `each` for an element.
Greatest compare_elements(OpBuilder& b, const Greatest& given, const PoolingWindows& w,
                          const Stage& stage, const std::vector<SymInt>& places, int64_t each) {
  const auto element = [&](const OpValue& of, int64_t k) {
    return element_of_windows(b, of, w, stage, places, k);
  };
  OpValue value = element(given.value, 0);
  OpValue number = given.number ? element(*given.number, 0)
                                : b.expand(b.full({}, 0, DType::kInt64), b.sizes(value));
  for (int64_t k = 1; k < stage.elements; ++k) {
    const OpValue next = element(given.value, k);
    OpValue takes = b.greater(next, value);
    if (is_floating(b.dtype(value)))
      takes = b.call("logical_or", {takes, b.call("not_equal", {next, next})});
    value = b.where(takes, next, value);
    const OpArgument its_number = given.number
                                      ? OpArgument(b.add(element(*given.number, k), k * each))
                                      : OpArgument(SymInt(k * each));
    number = b.where(takes, its_number, number);
  }
  return {value, number};
}

/// A long stage: a reduction.
Greatest reduce_rows(OpBuilder& b, const Greatest& given, const PoolingWindows& w,
                     const Stage& stage, int64_t each) {
  const OpValue rows = rows_of_windows(b, given.value, w, stage);
  const OpValue value = b.amax(rows, {-1});
  OpValue place = b.call("argmax", {rows, -1});
  if (is_floating(b.dtype(rows))) {
    // Of several that are no number the last counts.
    const OpValue back = b.call("argmax", {b.call("flip", {rows, -1}), -1});
    const OpValue last = b.add(b.negative(back), stage.elements - 1);
    place = b.where(b.call("not_equal", {value, value}), last, place);
  }
  OpValue number = b.multiply(place, each);
  if (given.number) {
    const OpValue numbers = rows_of_windows(b, *given.number, w, stage);
    const OpValue chosen = b.call("gather", {numbers, -1, b.unsqueeze(place, -1)});
    number = b.add(number, b.squeeze(chosen, -1));
  }
  return {value, number};
}

/// Results lie row by row whatever the input's order of dimensions is, as those of the loops do.
OpValue row_by_row(OpBuilder& b, const OpValue& x) {
  return b.type(x).contiguous() ? x : b.call("contiguous", {x});
}

}  // namespace

std::vector<OpValue> max_pool_steps(OpBuilder& b, OpArguments arguments) {
  const OpValue x = row_by_row(b, arguments[0].tensor());
  const PoolingWindows w = pooling_windows(arguments.subspan(1));
  check_fits(b, x, w);
  const auto sizes = b.sizes(x), places = place_sizes(sizes, w);
  Greatest greatest{with_ends(b, x, w, least_of(b.dtype(x))), {}};
  int64_t each = 1;
  for (const Stage& stage : stages_of(w)) {
    greatest = stage.elements <= kWrittenOut ? compare_elements(b, greatest, w, stage, places, each)
                                             : reduce_rows(b, greatest, w, stage, each);
    each *= stage.elements;
  }
  if (w.elements() == 1) greatest.value = b.call("clone", {greatest.value});
  return {greatest.value, index_of(b, *greatest.number, w, sizes, places)};
}

namespace {

/// One of the windows that may have seen an element: the `back`-th before the last that begins at
/// or before it, in each dimension.
struct SeeingWindow {
  std::vector<OpValue> places;  ///< by dimension, cut to those that there are
  OpValue sees;                 ///< whether it is there and reaches the element
};

/// How many of them there are in dimension `i`, of which one is always there.
int64_t seeing_windows(const PoolingWindows& w, size_t i) {
  return (w.reach(i) - 1) / w.stride[i] + 1;
}
int64_t seeing_windows(const PoolingWindows& w) {
  int64_t product = 1;
  for (size_t i = 0; i < w.dims(); ++i) product *= seeing_windows(w, i);
  return product;
}

OpValue both(OpBuilder& b, const OpValue& one, const OpValue& other) {
  return b.call("logical_and", {one, other});
}

OpValue added(OpBuilder& b, const std::optional<OpValue>& sum, const OpValue& part) {
  return sum ? b.add(*sum, part) : part;
}

/// `sizes` are the input's; `number` counts windows by dimension, the earliest first.
SeeingWindow seeing_window(OpBuilder& b, const PoolingWindows& w, const std::vector<SymInt>& sizes,
                           const std::vector<SymInt>& places, int64_t number) {
  std::vector<OpValue> seeing_places(w.dims());
  std::optional<OpValue> seen;
  const size_t first = sizes.size() - w.dims();
  for (size_t i = w.dims(); i-- > 0;) {
    const int64_t count = seeing_windows(w, i), back = count - 1 - number % count;
    number /= count;
    const OpValue at = b.call("arange_sized", {sizes[first + i], w.before[i], 1});
    const OpValue place = b.add(b.call("floor_divide", {at, w.stride[i]}), -back);
    // How far into the window the element is.
    const OpValue offset = b.add(b.call("remainder", {at, w.stride[i]}), back * w.stride[i]);
    OpValue sees = both(b, b.call("greater_equal", {place, 0}), b.less(place, places[first + i]));
    if (count * w.stride[i] > w.reach(i)) sees = both(b, sees, b.less(offset, w.reach(i)));
    std::vector<SymInt> shape(sizes.size(), 1);
    shape[first + i] = sizes[first + i];
    sees = b.reshape(sees, shape);
    seen = seen ? both(b, *seen, sees) : sees;
    seeing_places[i] = b.call("clamp", {place, 0, places[first + i] - 1});
  }
  return {std::move(seeing_places), *seen};
}

/// What windows have, for each element of the input.
OpValue at_elements(OpBuilder& b, OpValue of_windows, const SeeingWindow& window) {
  const size_t first = b.rank(of_windows) - window.places.size();
  for (size_t i = 0; i < window.places.size(); ++i)
    of_windows = b.call("index_select", {of_windows, SymInt(int64_t(first + i)), window.places[i]});
  return of_windows;
}

}  // namespace

std::vector<OpValue> max_pool_of_input_steps(OpBuilder& b, OpArguments arguments) {
  const OpValue gradient = row_by_row(b, arguments[0].tensor());
  const OpValue indices = row_by_row(b, arguments[1].tensor());
  const auto sizes = as_ints(arguments[2]), places = b.sizes(gradient);
  const PoolingWindows w = pooling_windows(arguments.subspan(3));
  const DType dtype = b.dtype(gradient);
  check_numbers(b, gradient, sizes, w);
  check_numbers(b, indices, sizes, w);
  if (seeing_windows(w) > kWrittenOut) {
    const auto rows = with_last_dims_as_one(sizes, w.dims()),
               of_windows = with_last_dims_as_one(places, w.dims());
    const OpValue zeros = b.expand(b.full({}, 0, dtype), rows);
    return {b.reshape(b.call("scatter_add", {zeros, -1, b.reshape(indices, of_windows),
                                             b.reshape(gradient, of_windows)}),
                      sizes)};
  }
  std::optional<OpValue> own;  // where an element is in its plane
  SymInt step = 1;
  for (size_t i = w.dims(), dim = sizes.size(); i-- > 0; step = step * sizes[dim]) {
    own = added(b, own, b.multiply(along(b, sizes, --dim, 0, 1), step));
  }
  std::optional<OpValue> sum;
  for (int64_t i = 0; i < seeing_windows(w); ++i) {
    const SeeingWindow window = seeing_window(b, w, sizes, places, i);
    const OpValue chose = b.equal(at_elements(b, indices, window), *own);
    const OpValue part =
        widened(b, b.where(both(b, window.sees, chose), at_elements(b, gradient, window),
                           b.full({}, 0, dtype)));
    sum = added(b, sum, part);
  }
  return {b.to(*sum, dtype)};
}

// ---- sums --------------------------------------------------------------------------------------

std::vector<OpValue> window_sum_steps(OpBuilder& b, OpArguments arguments) {
  const OpValue x = row_by_row(b, arguments[0].tensor());
  const PoolingWindows w = pooling_windows(arguments.subspan(1));
  check_fits(b, x, w);
  const auto places = place_sizes(b.sizes(x), w);
  const DType dtype = b.dtype(x);
  OpValue sums = widened(b, with_ends(b, x, w, 0));
  for (const Stage& stage : stages_of(w)) {
    const OpValue given = sums;
    if (stage.elements > kWrittenOut) {
      sums = b.to(b.sum(rows_of_windows(b, given, w, stage), {-1}), b.dtype(given));
      continue;
    }
    sums = element_of_windows(b, given, w, stage, places, 0);
    for (int64_t k = 1; k < stage.elements; ++k)
      sums = b.add(sums, element_of_windows(b, given, w, stage, places, k));
  }
  if (w.elements() == 1) sums = b.call("clone", {sums});
  return {b.to(sums, dtype)};
}

namespace {

/// Which elements (columns) the windows (rows) of dimension `i` see, as ones and zeros.
OpValue seen(OpBuilder& b, const PoolingWindows& w, size_t i, const SymInt& places,
             const SymInt& size, DType dtype) {
  const OpValue starts =
      b.unsqueeze(b.call("arange_sized", {places, -w.before[i], w.stride[i]}), 1);
  const OpValue offset = b.call("subtract", {b.call("arange_sized", {size, 0, 1}), starts});
  const OpValue inside = both(b, b.call("greater_equal", {offset, 0}), b.less(offset, w.reach(i)));
  return b.to(inside, dtype);
}

}  // namespace

std::vector<OpValue> window_sum_of_input_steps(OpBuilder& b, OpArguments arguments) {
  const auto sizes = as_ints(arguments[1]);
  const PoolingWindows w = pooling_windows(arguments.subspan(2));
  const DType dtype = b.dtype(arguments[0].tensor());
  check_numbers(b, arguments[0].tensor(), sizes, w);
  OpValue made = widened(b, row_by_row(b, arguments[0].tensor()));
  const size_t first = sizes.size() - w.dims();
  for (size_t i = 0; i < w.dims(); ++i) {
    const auto dim = int64_t(first + i);
    const SymInt places = b.sizes(made)[first + i];
    if (seeing_windows(w, i) > kWrittenOut) {
      const OpValue matrix = seen(b, w, i, places, sizes[first + i], b.dtype(made));
      const OpValue last = b.call("movedim", {made, dim, -1});
      made = b.call("movedim", {b.call("matmul", {last, matrix}), -1, dim});
      continue;
    }
    const PoolingWindows line = {{w.kernel[i]}, {w.stride[i]}, {w.before[i]}, {w.after[i]}, {1}};
    std::optional<OpValue> sum;
    for (int64_t k = 0; k < seeing_windows(w, i); ++k) {
      const SeeingWindow window = seeing_window(b, line, {sizes[first + i]}, {places}, k);
      std::vector<SymInt> shape(sizes.size() - first - i, 1);
      shape[0] = sizes[first + i];
      const OpValue part = b.where(b.reshape(window.sees, shape),
                                   b.call("index_select", {made, dim, window.places[0]}),
                                   b.full({}, 0, b.dtype(made)));
      sum = added(b, sum, part);
    }
    made = *sum;
  }
  return {b.to(made, dtype)};
}

}  // namespace glint::ops
