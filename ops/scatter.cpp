// Writing by index: each operator gives a copy of its input in which some elements are others, or
// have others added. They are the gradients of the operators that read by index and of views.
//
//     index_add(x, 0, [2, 2], y)          x with x[2] + y[0] + y[1] in row 2
//     slice_scatter(x, y, 0, 1, 3)        x with y in rows 1 and 2
//
// Those whose places follow from the arguments are composites of `where` and loads, so that they
// fuse; those whose places are values are library steps.
#include "core/tensor/copy.h"
#include "core/tensor/views.h"
#include "ops/advanced_index.h"
#include "ops/call.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/indexing.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/samples.h"
#include "ops/scalar/integer.h"
#include "ops/view_maps.h"

namespace glint::ops {

namespace {

/// What becomes of an element that is there and one that is put; NaN is the extreme of both kinds.
template <Meeting kMeeting, class T>
T met(T there, T given) {
  if constexpr (kMeeting == Meeting::kReplace) return given;
  if constexpr (kMeeting == Meeting::kAdd) return scalar::wrapping_add(there, given);
  if constexpr (kMeeting == Meeting::kMultiply) return scalar::wrapping_multiply(there, given);
  if constexpr (kMeeting == Meeting::kGreatest)
    return given != given || there < given ? given : there;
  if constexpr (kMeeting == Meeting::kLeast) return given != given || given < there ? given : there;
}

/// Narrow floats meet in float32.
template <Meeting kMeeting, class T>
void put(T& to, T value) {
  if constexpr (std::is_arithmetic_v<T>)
    to = met<kMeeting, T>(to, value);
  else
    to = T(met<kMeeting, float>(float(to), float(value)));
}

/// Calls `f<meeting>()`.
template <class F>
void visit_meeting(Meeting meeting, F&& f) {
  switch (meeting) {
    case Meeting::kReplace:
      return f.template operator()<Meeting::kReplace>();
    case Meeting::kAdd:
      return f.template operator()<Meeting::kAdd>();
    case Meeting::kMultiply:
      return f.template operator()<Meeting::kMultiply>();
    case Meeting::kGreatest:
      return f.template operator()<Meeting::kGreatest>();
    case Meeting::kLeast:
      return f.template operator()<Meeting::kLeast>();
  }
}

/// Each place of the index names an element of the source, and a row of the input that there is.
void check_scatter_sizes(const TensorType& input, int64_t dim, const TensorType& index,
                         const TensorType* source) {
  if (decide_equal(product(index.sizes), SymInt(0))) return;
  auto rank_of = [](const TensorType& type) { return std::max<size_t>(type.rank(), 1); };
  auto size_of = [](const TensorType& type, size_t k) {
    return type.rank() == 0 ? SymInt(1) : type.sizes[size_t(wrap_dim(int64_t(k), type.rank()))];
  };
  if (rank_of(input) != rank_of(index))
    throw OpError{"RuntimeError",
                  "Index tensor must have the same number of dimensions as self tensor"};
  bool larger = false;
  for (size_t k = 0; k < rank_of(index); ++k)
    larger |= int64_t(k) != dim && decide_less(size_of(input, k), size_of(index, k));
  for (size_t k = 0; source && !larger && k < rank_of(index); ++k)
    larger |= decide_less(size_of(*source, k), size_of(index, k));
  if (source && rank_of(*source) != rank_of(index))
    throw OpError{"RuntimeError",
                  "Index tensor must have the same number of dimensions as src tensor"};
  if (!larger) return;
  std::string text = fmt::format(
      "Expected index {} to be no larger than self {} apart from "
      "dimension {}",
      ints_text(index.sizes), ints_text(input.sizes), dim);
  if (source) text += " and to be no larger size than src " + ints_text(source->sizes);
  throw OpError{"RuntimeError", text};
}

/// Whether the types surely fit, without a look at each rule: what is asked at every call.
bool fits_plainly(const Tensor& input, int64_t dim, const Tensor& index, const Tensor& source) {
  const size_t rank = size_t(input.rank());
  const bool wraps = dim >= -int64_t(rank) && dim < int64_t(rank);
  if (!wraps || index.dtype() != DType::kInt64 || size_t(index.rank()) != rank) return false;
  if (source.dtype() != input.dtype() || size_t(source.rank()) != rank) return false;
  for (size_t k = 0; k < rank; ++k) {
    const int64_t size = index.sizes()[k];
    const bool along = int64_t(k) == (dim < 0 ? dim + int64_t(rank) : dim);
    if (!along && size > input.sizes()[k]) return false;
    if (size > source.sizes()[k]) return false;
  }
  return true;
}

}  // namespace

std::vector<TensorType> infer_scatter(const OpEntry& entry, InferArguments arguments) {
  const TensorType& input = arguments[0].tensor();
  const TensorType& index = arguments[2].tensor();
  check_index_dtype("scatter", index.dtype);
  int64_t dim = wrap_dim(as_constant(arguments[1]), input.rank());
  const TensorType* source = arguments[3].get_if<TensorType>();
  if (source && source->dtype != input.dtype)
    throw OpError{"RuntimeError", "scatter(): Expected self.dtype to be equal to src.dtype"};
  check_scatter_sizes(input, dim, index, source);
  if (!decide_equal(product(index.sizes), 0)) check_holds(input.dtype, arguments[3]);
  return {TensorType::tensor(input.dtype, input.sizes, input.device)};
}

Outputs scatter_meeting(const OpEntry& entry, Arguments arguments, Meeting meeting) {
  const Tensor& input = arguments[0].tensor();
  const Tensor* given = arguments[3].get_if<Tensor>();
  if (!given || !fits_plainly(input, as_constant(arguments[1]), arguments[2].tensor(), *given)) {
    InferArgument types[] = {infer_argument(arguments[0]), infer_argument(arguments[1]),
                             infer_argument(arguments[2]), infer_argument(arguments[3])};
    infer_scatter(entry, types);
  }
  Tensor out = Tensor::empty(input.sizes(), input.dtype());
  copy(out, input);
  Tensor index = convert(arguments[2].tensor(), DType::kInt64);
  int64_t dim = wrap_dim(as_constant(arguments[1]), size_t(input.rank()));
  const Tensor* source = arguments[3].get_if<Tensor>();
  Tensor values =
      source ? *source : Tensor::full(index.sizes(), as_scalar(arguments[3]), input.dtype());
  if (source && index.numel() > 0)
    for (int64_t k = 0; k < index.rank(); ++k)
      if (values.size(k) != index.size(k)) values = slice(values, k, 0, index.size(k));
  values = contiguous(values);
  visit_dtype(input.dtype(), [&]<class T>() {
    T* to = out.data<T>();
    const T* from = values.data<T>();
    int64_t limit = input.rank() == 0 ? 1 : input.size(dim);
    visit_meeting(meeting, [&]<Meeting kMeeting>() {
      for_each_index(index, dim, limit, out.strides(),
                     [&](int64_t at, int64_t i) { put<kMeeting>(to[at], from[i]); });
    });
  });
  return out;
}

namespace {

/// Whether a tensor of sizes `given` can be expanded to `sizes`.
bool spreads_over(std::span<const SymInt> given, std::span<const SymInt> sizes) {
  if (given.size() > sizes.size()) return false;
  for (size_t i = 0; i < given.size(); ++i)
    if (!given[i].is(1) && !decide_equal(given[i], sizes[sizes.size() - given.size() + i]))
      return false;
  return true;
}

/// `x[i, j] = values`, or `+=`, as rows of the merged dimensions.
std::vector<OpValue> index_put(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor(), values = arguments[2].tensor();
  auto sizes = b.sizes(x);
  auto index = merge_index(b, sizes, arguments[1].list());
  if (!index) return {b.call("copy", {b.expand(values, sizes)})};
  auto given = b.sizes(values);
  if (!spreads_over(given, index->result))
    throw OpError{"RuntimeError",
                  fmt::format("shape mismatch: value tensor of shape {} cannot be broadcast to "
                              "indexing result of shape {}",
                              ints_text(given), ints_text(index->result))};
  if (b.dtype(x) != b.dtype(values))
    throw OpError{"RuntimeError",
                  fmt::format("Index put requires the source and destination dtypes match, got {} "
                              "for the destination and {} for the source.",
                              scalar_type_name(b.dtype(x)), scalar_type_name(b.dtype(values)))};
  std::vector<SymInt> rows = index->merged;
  rows[index->first] = b.sizes(index->flat)[0];
  OpValue spread = b.reshape(b.expand(values, index->result), rows);
  OpValue written =
      b.call(as_bool(arguments[3]) ? "index_add" : "index_copy",
             {b.reshape(x, index->merged), int64_t(index->first), index->flat, spread});
  return {b.reshape(written, sizes)};
}

Outputs eager_index_put(const OpEntry& entry, Arguments arguments) {
  const Tensor& x = arguments[0].tensor();
  const Tensor& values = arguments[2].tensor();
  std::optional<VectorIndex> only =
      values.dtype() == x.dtype() ? only_vector(x, arguments[1].list()) : std::nullopt;
  if (only) {
    Dims sizes(x.sizes());
    sizes[size_t(only->dim)] = only->places.numel();
    bool adds = as_bool(argument(entry, arguments, "accumulate"));
    auto common = broadcast_sizes(values.sizes(), sizes);
    if (common && same_dims(*common, sizes))
      return call_eager(adds ? "index_add" : "index_copy",
                        {x, only->dim, only->places, expand(values, sizes)});
  }
  const Argument complete[] = {x, Argument(without_masks(x, arguments[1].list())), arguments[2],
                               argument(entry, arguments, "accumulate")};
  return run_decomposition(entry, complete);
}

/// Where elements of the target share memory, writes come one behind the other.
bool put_in_memory(const OpEntry& entry, Arguments arguments, const Tensor& out) {
  const std::optional<MemoryWrite> write = write_of_memory(arguments);
  if (!write) return false;
  const bool adds = as_bool(argument(entry, arguments, "accumulate"));
  const Tensor written = call_eager(adds ? "index_add" : "index_copy",
                                    {write->memory, int64_t{0}, write->places, write->values});
  std::copy_n(contiguous(written).raw_data(), written.bytes(), write->memory.raw_data());
  return true;
}

/// The true places take the source's elements in order: where the mask is true, the element whose
/// number is how many true places came before.
std::vector<OpValue> masked_scatter(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor(), source = arguments[2].tensor();
  if (b.dtype(x) != b.dtype(source))
    throw OpError{"RuntimeError",
                  fmt::format("masked_scatter_: expected self and source to have same dtypes but "
                              "got {} and {}",
                              scalar_type_name(b.dtype(x)), scalar_type_name(b.dtype(source)))};
  OpValue mask = arguments[1].tensor();
  if (!is_bool(b.dtype(mask)))
    throw OpError{"RuntimeError",
                  fmt::format("masked_scatter_ only supports boolean masks, but got mask with "
                              "dtype {}",
                              message_dtype(b.dtype(mask)))};
  auto sizes = broadcast(b.sizes(x), b.sizes(mask));
  SymInt available = product(b.sizes(source));
  if (decide_equal(product(sizes), 0)) return {b.call("copy", {b.expand(x, sizes)})};
  mask = b.expand(mask, sizes);
  OpValue order = b.call("masked_order", {mask, available});
  source = b.reshape(source, {available});
  if (decide_equal(available, 0)) {  // no place may be true
    order = b.reshape(b.to(mask, DType::kInt64), {product(sizes)});
    source = b.full({1}, 0, b.dtype(x));
  }
  OpValue picked = b.call("index_select", {source, 0, order});
  return {b.where(mask, b.reshape(picked, sizes), x)};
}

Outputs eager_masked_scatter(const OpEntry& entry, Arguments arguments) {
  const Tensor& mask = arguments[1].tensor();
  if (is_bool(mask.dtype())) {
    auto sizes = broadcast_sizes(arguments[0].tensor().sizes(), mask.sizes());
    Tensor ones = contiguous(sizes ? expand(mask, *sizes) : mask);
    int64_t wanted = std::count(ones.data<bool>(), ones.data<bool>() + ones.numel(), true);
    if (wanted > arguments[2].tensor().numel())
      throw OpError{"RuntimeError", "Number of elements of source < number of ones in mask"};
  }
  return run_decomposition(entry, arguments);
}

/// How many true places come before each, in a vector; of one that is one too many for the source,
/// the place behind its last.
std::vector<OpValue> masked_order(OpBuilder& b, OpArguments arguments) {
  OpValue flat = b.reshape(arguments[0].tensor(), {product(b.sizes(arguments[0].tensor()))});
  OpValue before = b.subtract(b.call("cumsum", {flat, 0}), 1);
  OpValue most = b.full({}, as_int(arguments[1]), DType::kInt64);
  return {b.call("clamp_max", {b.call("clamp_min", {before, 0}), most})};
}

// ---- places that follow from the arguments -----------------------------------------------------

void check_source(OpBuilder& b, const char* name, const OpValue& source,
                  const std::vector<SymInt>& wanted) {
  auto sizes = b.sizes(source);
  bool fits = sizes.size() == wanted.size();
  for (size_t k = 0; fits && k < sizes.size(); ++k) fits = decide_equal(sizes[k], wanted[k]);
  if (!fits)
    throw OpError{"RuntimeError",
                  fmt::format("expected src to have a size equal to the {} of self. src size = {}, "
                              "{} size = {}",
                              name, ints_text(sizes), name, ints_text(wanted))};
}

/// 0, 1, ... along a dimension of tensors of this rank.
OpValue places_along(OpBuilder& b, SymInt count, size_t dim, size_t rank) {
  std::vector<SymInt> sizes(rank, SymInt(1));
  sizes[dim] = count;
  return b.reshape(b.call("arange_sized", {count}), sizes);
}

std::vector<OpValue> select_scatter(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor(), source = arguments[1].tensor();
  auto sizes = b.sizes(x);
  OpValue seen = b.call("select", {x, arguments[2], arguments[3]});
  check_source(b, "slice", source, b.sizes(seen));
  size_t dim = size_t(wrap_dim(as_constant(arguments[2]), sizes.size()));
  SymInt index = as_int(arguments[3]);
  if (decide_less(index, 0)) index += sizes[dim];
  OpValue here = b.equal(places_along(b, sizes[dim], dim, sizes.size()), index);
  OpValue spread = b.unsqueeze(b.to(source, b.dtype(x)), int64_t(dim));
  return {b.call("copy", {b.where(here, spread, x)})};
}

/// Place i of the result is place (i - start) / step of the source, where that is one.
std::vector<OpValue> slice_scatter(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor(), source = b.to(arguments[1].tensor(), b.dtype(x));
  auto sizes = b.sizes(x);
  OpValue seen = b.call("slice", {x, arguments[2], arguments[3], arguments[4], arguments[5]});
  check_source(b, "slice", source, b.sizes(seen));
  size_t dim = size_t(wrap_dim(as_constant(arguments[2]), sizes.size()));
  auto bound = [](const OpArgument& argument) {
    return map_argument<TensorType>(argument, [](const OpValue&) { return TensorType(); });
  };
  SymInt step = as_int(arguments[5]);
  SliceRange range = slice_range(bound(arguments[3]), bound(arguments[4]), step, sizes[dim]);
  if (decide_equal(range.length, 0)) return {b.call("copy", {x})};
  OpValue offset = b.subtract(b.call("arange_sized", {sizes[dim]}), range.start);
  OpValue inside = b.call(
      "logical_and", {b.call("greater_equal", {offset, 0}), b.less(offset, range.length * step)});
  if (!step.is(1)) {
    OpValue exact = b.equal(b.call("remainder", {offset, step}), 0);
    inside = b.call("logical_and", {inside, exact});
    offset = b.call("floor_divide", {offset, step});
  }
  OpValue last = b.full({}, range.length - 1, DType::kInt64);
  OpValue from = b.call("clamp_max", {b.call("clamp_min", {offset, 0}), last});
  OpValue spread = b.call("index_select", {source, int64_t(dim), from});
  std::vector<SymInt> along(sizes.size(), SymInt(1));
  along[dim] = sizes[dim];
  return {b.call("copy", {b.where(b.reshape(inside, along), spread, x)})};
}

/// Row r of the diagonal's two dimensions has the source's place r, or r + offset above the main
/// diagonal's start.
std::vector<OpValue> diagonal_scatter(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor(), source = b.to(arguments[1].tensor(), b.dtype(x));
  auto sizes = b.sizes(x);
  size_t rank = sizes.size();
  OpValue seen = b.call("diagonal", {x, arguments[2], arguments[3], arguments[4]});
  auto wanted = b.sizes(seen);
  check_source(b, "diagonal", source, wanted);
  if (decide_equal(wanted.back(), 0)) return {b.call("copy", {x})};
  SymInt offset = as_int(arguments[2]);
  int64_t rows = wrap_dim(as_constant(arguments[3]), rank);
  int64_t columns = wrap_dim(as_constant(arguments[4]), rank);
  OpValue row = places_along(b, sizes[size_t(rows)], size_t(rows), rank);
  OpValue column = places_along(b, sizes[size_t(columns)], size_t(columns), rank);
  OpValue here = b.equal(b.subtract(column, row), offset);
  SymInt start = decide_less(offset, 0) ? -offset : SymInt(0);
  OpValue from = b.subtract(b.call("arange_sized", {sizes[size_t(rows)]}), start);
  OpValue last = b.full({}, wanted.back() - 1, DType::kInt64);
  from = b.call("clamp_max", {b.call("clamp_min", {from, 0}), last});
  OpValue spread = b.call("index_select", {source, int64_t(rank) - 2, from});
  spread = b.unsqueeze(spread, -1);
  OpValue placed = b.call("movedim", {spread, std::vector<SymInt>{int64_t(rank) - 2, -1},
                                      std::vector<SymInt>{rows, columns}});
  return {b.call("copy", {b.where(here, placed, x)})};
}

/// A copy of the input, and the source copied into a view of it.
template <const char* kView>
Outputs eager_view_scatter(const OpEntry& entry, Arguments arguments) {
  const Tensor& x = arguments[0].tensor();
  Tensor out = Tensor::empty(x.sizes(), x.dtype());
  copy(out, x);
  std::vector<Argument> seen{out};
  seen.insert(seen.end(), arguments.begin() + 2, arguments.end());
  Tensor target = call_eager_one(*find_op(kView), seen);
  const Tensor& source = arguments[1].tensor();
  if (!same_dims(target.sizes(), source.sizes())) return run_decomposition(entry, arguments);
  copy(target, source);
  return out;
}
constexpr char kSelectName[] = "select";
constexpr char kSliceName[] = "slice";
constexpr char kDiagonalName[] = "diagonal";

// ---- gradients ---------------------------------------------------------------------------------

OpValue unwritten_places(GradientCall& g) {
  if (as_bool(g["accumulate"])) return g.out();
  OpValue zero = g.b.full({}, 0, g.type("values").dtype);
  return g.b.call("index_put", {g.out(), g["indices"], zero});
}

/// Each of the source's elements has the gradient of the place that took it.
OpValue masked_source(GradientCall& g) {
  OpBuilder& b = g.b;
  const TensorType& source = g.type("source");
  SymInt available = source.numel();
  auto sizes = g.result_type().sizes;
  if (decide_equal(product(sizes), 0) || decide_equal(available, 0)) return g.zeros_like("source");
  OpValue mask = b.expand(g.tensor("mask"), sizes);
  OpValue taken = b.reshape(b.where(mask, g.out(), 0), {product(sizes)});
  OpValue zeros = b.expand(b.full({}, 0, source.dtype), {available});
  OpValue order = b.call("masked_order", {mask, available});
  return b.reshape(b.call("index_add", {zeros, 0, order, taken}), source.sizes);
}

/// Nothing flows to what a view's source covered; the source has what the view sees.
OpValue uncovered(GradientCall& g, const char* scatter, std::vector<OpArgument> places) {
  const TensorType& source = g.type("src");
  OpValue zeros = g.b.expand(g.b.full({}, 0, source.dtype), source.sizes);
  places.insert(places.begin(), {g.out(), zeros});
  return g.b.call(scatter, places);
}
OpValue seen(GradientCall& g, const char* view, std::vector<OpArgument> places) {
  places.insert(places.begin(), g.out());
  return g.b.call(view, places);
}

const char* scatter_name(Arguments arguments) {
  return arguments[3].is_value() ? "ScatterBackward0" : "ScatterBackward1";
}

constexpr Effects kChecks = {.may_fail = true};

constexpr OpEntry kEntries[] = {
    {
        .name = "scatter",
        .signature =
            "scatter(input: Tensor, dim: int, index: Tensor, src: Tensor | Number) -> Tensor",
        .torch = "scatter",
        .method = "scatter",
        .doc =
            "A copy with out[i][index[i][j]] = src[i][j], for dim 1; likewise along any dimension.",
        .infer = infer_scatter,
        .eager = eager_scatter<Meeting::kReplace>,
        .lowering = Library{},
        .gradients = {{"input", "index",
                       [](GradientCall& g) {
                         return g.b.call("scatter", {g.out(), g.dim("dim"), g["index"], 0});
                       }},
                      {"src", "index",
                       [](GradientCall& g) {
                         return g.b.call("gather", {g.out(), g.dim("dim"), g["index"]});
                       }}},
        .grad_name_of = scatter_name,
        .effects = kChecks,
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = kExpectedDType,
        .samples = scatter_samples,
    },
    {
        .name = "scatter_add",
        .signature = "scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor",
        .torch = "scatter_add",
        .method = "scatter_add",
        .doc = "A copy with src[i][j] added to out[i][index[i][j]], for dim 1; likewise along any "
               "dimension.",
        .infer = infer_scatter,
        .eager = eager_scatter<Meeting::kAdd>,
        .lowering = Library{},
        .gradients = {{"input", "", [](GradientCall& g) { return g.out(); }},
                      {"src", "index",
                       [](GradientCall& g) {
                         return g.b.call("gather", {g.out(), g.dim("dim"), g["index"]});
                       }}},
        .grad_name = "ScatterAddBackward0",
        .effects = kChecks,
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = kExpectedDType,
        .samples = scatter_samples,
    },
    {
        .name = "index_put",
        .signature = "index_put(input: Tensor, indices: Tensors, values: Tensor, accumulate: bool "
                     "= False) -> Tensor",
        .torch = "index_put",
        .method = "index_put",
        .doc = "A copy with `x[i, j] = values`, or with the values added.",
        .eager = eager_index_put,
        .decomposition = index_put,
        .write_blocks = put_in_memory,
        .gradients = {{"input", "indices", unwritten_places},
                      {"values", "indices",
                       [](GradientCall& g) { return g.b.call("index", {g.out(), g["indices"]}); }}},
        .grad_name = "IndexPutBackward0",
        .any_device = true,
        .effects = kChecks,
        .sizes_from_values = takes_masks,
        .forms = Forms::kInPlace,
        .overlaps = {.repeated_target = true, .writes_changes = true},
        .samples = index_put_samples,
    },
    {
        .name = "masked_scatter",
        .signature = "masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor",
        .torch = "masked_scatter",
        .method = "masked_scatter",
        .doc = "A copy with the source's elements, in order, where the mask is true.",
        .eager = eager_masked_scatter,
        .decomposition = masked_scatter,
        .gradients = {{"input", "mask",
                       [](GradientCall& g) { return g.b.where(g["mask"], 0, g.out()); }},
                      {"source", "mask", masked_source}},
        .grad_name = "MaskedScatterBackward0",
        .effects = kChecks,
        .forms = Forms::kInPlace,
        .samples = masked_scatter_samples,
    },
    {
        .name = "masked_order",
        .signature = "masked_order(mask: Tensor, available: int) -> Tensor",
        .doc = "How many true places come before each, in a vector; not above available.",
        .decomposition = masked_order,
        .samples = masked_order_samples,
    },
    {
        .name = "select_scatter",
        .signature = "select_scatter(input: Tensor, src: Tensor, dim: int, index: int) -> Tensor",
        .torch = "select_scatter",
        .method = "select_scatter",
        .doc = "A copy with src at one position along a dimension.",
        .eager = eager_view_scatter<kSelectName>,
        .decomposition = select_scatter,
        .gradients = {{"input", "",
                       [](GradientCall& g) {
                         return uncovered(g, "select_scatter", {g["dim"], g["index"]});
                       }},
                      {"src", "",
                       [](GradientCall& g) { return seen(g, "select", {g["dim"], g["index"]}); }}},
        .grad_name = "SelectScatterBackward0",
        .samples = select_scatter_samples,
    },
    {
        .name = "slice_scatter",
        .signature = "slice_scatter(input: Tensor, src: Tensor, dim: int = 0, start: int | None = "
                     "None, end: int | None = None, step: int = 1) -> Tensor",
        .torch = "slice_scatter",
        .method = "slice_scatter",
        .doc = "A copy with src at the positions start, start + step, ... below end along a "
               "dimension.",
        .eager = eager_view_scatter<kSliceName>,
        .decomposition = slice_scatter,
        .gradients = {{"input", "",
                       [](GradientCall& g) {
                         return uncovered(g, "slice_scatter",
                                          {g["dim"], g["start"], g["end"], g["step"]});
                       }},
                      {"src", "",
                       [](GradientCall& g) {
                         return seen(g, "slice", {g["dim"], g["start"], g["end"], g["step"]});
                       }}},
        .grad_name = "SliceScatterBackward0",
        .samples = slice_scatter_samples,
    },
    {
        .name = "diagonal_scatter",
        .signature = "diagonal_scatter(input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, "
                     "dim2: int = 1) -> Tensor",
        .torch = "diagonal_scatter",
        .method = "diagonal_scatter",
        .doc = "A copy with src on a diagonal of two dimensions.",
        .eager = eager_view_scatter<kDiagonalName>,
        .decomposition = diagonal_scatter,
        .gradients = {{"input", "",
                       [](GradientCall& g) {
                         return uncovered(g, "diagonal_scatter",
                                          {g["offset"], g["dim1"], g["dim2"]});
                       }},
                      {"src", "",
                       [](GradientCall& g) {
                         return seen(g, "diagonal", {g["offset"], g["dim1"], g["dim2"]});
                       }}},
        .grad_name = "DiagonalScatterBackward0",
        .samples = diagonal_scatter_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> scatter_entries() {
  return kEntries;
}

}  // namespace glint::ops
