// Writing whole slices by index, along one dimension.
//
//     x.index_add_(0, [2, 0], rows)      x[2] += rows[0]; x[0] += rows[1]
//
// Each is a scatter whose index repeats along the other dimensions.
#include <fmt/format.h>

#include <algorithm>

#include "core/tensor/copy.h"
#include "ops/call.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/indexing.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

struct Target {
  OpValue input;
  int64_t dim;
  OpValue index;               ///< a vector
  SymInt count;                ///< how many slices it names
  std::vector<SymInt> slices;  ///< the input's sizes, but for `count` along the dimension
};

Target target_of(OpBuilder& b, OpArguments arguments) {
  Target target{arguments[0].tensor(), 0, arguments[2].tensor(), 1, b.sizes(arguments[0].tensor())};
  target.dim = wrap_dim(as_constant(arguments[1]), target.slices.size());
  if (b.rank(target.index) == 0) target.index = b.unsqueeze(target.index, 0);
  target.count = b.sizes(target.index)[0];
  if (!target.slices.empty()) target.slices[size_t(target.dim)] = target.count;
  return target;
}

/// The index as `scatter` takes it: the same along all other dimensions.
OpValue spread_index(OpBuilder& b, const Target& target) {
  std::vector<SymInt> column(target.slices.size(), 1);
  if (!column.empty()) column[size_t(target.dim)] = target.count;
  return b.expand(b.reshape(target.index, column), target.slices);
}

void check_vector(std::string_view name, OpBuilder& b, const OpValue& index) {
  if (b.rank(index) < 2) return;
  throw OpError{"IndexError",
                fmt::format("{}(): Index is supposed to be a vector, but got dim: {} with type: {} "
                            "and size: {}",
                            name, b.rank(index), scalar_type_name(b.dtype(index)),
                            ints_text(b.sizes(index)))};
}

std::string spaced(std::span<const SymInt> sizes) {
  std::string text;
  for (SymInt size : sizes) text += (text.empty() ? "" : " ") + size.text();
  return text;
}

/// The sizes without that dimension; a number has none to leave out.
std::vector<SymInt> others(std::vector<SymInt> sizes, int64_t dim, bool of_slices) {
  if (of_slices) sizes.erase(sizes.begin() + dim);
  return sizes;
}

std::vector<OpValue> index_add(OpBuilder& b, OpArguments arguments) {
  check_slices(b, "index_add_", arguments);
  OpValue input = arguments[0].tensor(), source = arguments[3].tensor();
  Target target = target_of(b, arguments);
  bool scaled = !arguments[4].get_if<SymInt>() || !as_int(arguments[4]).is(1);
  if (scaled) {
    const DType dtype = b.dtype(input);
    const OpArgument alpha = without_fraction(dtype, arguments[4]);
    // Beside 16-bit floats it is one of them.
    source =
        b.multiply(source, is_narrow_float(dtype) ? OpArgument(b.full({}, alpha, dtype)) : alpha);
  }
  return {b.call("scatter_add", {input, target.dim, spread_index(b, target), source})};
}

std::vector<OpValue> index_copy(OpBuilder& b, OpArguments arguments) {
  OpValue input = arguments[0].tensor(), index = arguments[2].tensor();
  OpValue source = arguments[3].tensor();
  wrap_dim(as_constant(arguments[1]), b.rank(input));
  if (b.dtype(index) != DType::kInt64)
    throw OpError{"RuntimeError",
                  fmt::format("index_copy_(): Expected a long tensor for index, but got {}",
                              scalar_type_name(b.dtype(index)))};
  if (b.dtype(input) != b.dtype(source))
    throw OpError{"RuntimeError",
                  fmt::format("index_copy_(): self and source expected to have the same dtype, "
                              "but got (self) {} and (source) {}",
                              scalar_type_name(b.dtype(input)), scalar_type_name(b.dtype(source)))};
  check_vector("index_copy_", b, index);
  Target target = target_of(b, arguments);
  auto sizes = b.sizes(source);
  std::vector<SymInt> mine, given;
  for (size_t dim = 0; dim < target.slices.size(); ++dim)
    if (int64_t(dim) != target.dim) mine.push_back(target.slices[dim]);
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    if (int64_t(dim) != target.dim) given.push_back(sizes[dim]);
  if (mine != given)
    throw OpError{"RuntimeError",
                  fmt::format("index_copy_(): Source/destination tensor must have same slice "
                              "shapes. Destination slice shape: {} at dimension {} and source "
                              "slice shape: {} at dimension 0.",
                              spaced(mine), target.dim, spaced(given))};
  SymInt given_count = sizes.empty() ? SymInt(1) : sizes[size_t(target.dim)];
  if (!decide_equal(given_count, target.count))
    throw OpError{"IndexError",
                  fmt::format("index_copy_(): Number of indices ({}) should be equal to "
                              "source.size(dim) ({})",
                              target.count.text(), given_count.text())};
  return {b.call("scatter", {input, target.dim, spread_index(b, target), source})};
}

std::vector<OpValue> index_fill(OpBuilder& b, OpArguments arguments) {
  OpValue input = arguments[0].tensor(), index = arguments[2].tensor();
  if (b.dtype(index) != DType::kInt64)
    throw OpError{"IndexError", "index_fill_(): Expected dtype int64 for index."};
  const OpValue* value = arguments[3].get_if<OpValue>();
  if (value && b.rank(*value) > 0)
    throw OpError{"RuntimeError",
                  fmt::format("index_fill_ only supports a 0-dimensional value tensor, but got "
                              "tensor with {} dimension(s).",
                              b.rank(*value))};
  Target target = target_of(b, arguments);
  check_vector("index_fill_", b, index);
  SymInt size = target.slices.empty() ? SymInt(1) : b.sizes(input)[size_t(target.dim)];
  target.index = b.call("wrap_index", {target.index, size, target.dim});
  DType dtype = b.dtype(input);
  check_holds(dtype, arguments[3]);
  OpValue number = value ? b.to(*value, dtype) : b.full({}, arguments[3], dtype);
  OpValue source = b.expand(number, target.slices);
  return {b.call("scatter", {input, target.dim, spread_index(b, target), source})};
}

OpError refuse_to_add(int64_t value, int64_t dim, Arguments arguments) {
  const Tensor& input = arguments[0].tensor();
  if (input.rank() > 1) return {"RuntimeError", out_of_bounds(value, dim, input)};
  return {"IndexError", "index out of range in self"};
}
OpError refuse_to_copy(int64_t value, int64_t dim, Arguments arguments) {
  return {"IndexError", "index_copy_(): " + out_of_bounds(value, dim, arguments[0].tensor())};
}

// ---- gradients ---------------------------------------------------------------------------------

/// The gradient where nothing was written, 0 at the rows that were.
OpValue unwritten_rows(GradientCall& g) {
  const TensorType& source = g.type("source");
  OpValue zeros = g.b.expand(g.b.full({}, 0, source.dtype), source.sizes);
  return g.b.call("index_copy", {g.out(), g.dim("dim"), g["index"], zeros});
}
OpValue written_rows(GradientCall& g) {
  return g.b.call("index_select", {g.out(), g.dim("dim"), g["index"]});
}
OpValue added_rows(GradientCall& g) {
  OpValue rows = written_rows(g);
  return as_float(g["alpha"]) == 1.0 ? rows : g.b.multiply(rows, g["alpha"]);
}

OpValue filled_value(GradientCall& g) {
  return g.b.call("sum", {written_rows(g)});
}
/// The gradient where index_fill wrote nothing.
OpValue unfilled_rows(GradientCall& g) {
  return g.b.call("index_fill", {g.out(), g.dim("dim"), g["index"], 0});
}

constexpr Effects kChecks = {.may_fail = true};

constexpr OpEntry kEntries[] = {
    {
        .name = "index_add",
        .signature = "index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: "
                     "Number = 1) -> Tensor",
        .torch = "index_add",
        .method = "index_add",
        .doc = "A copy with the slices of source, times alpha, added to those that index names.",
        .eager = eager_in_range<refuse_to_add>,
        .decomposition = index_add,
        .gradients = {{"input", "", [](GradientCall& g) { return g.out(); }},
                      {"source", "index", added_rows}},
        .grad_name = "IndexAddBackward0",
        .effects = kChecks,
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = kExpectedDType,
        .samples = index_add_samples,
    },
    {
        .name = "index_copy",
        .signature = "index_copy(input: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor",
        .torch = "index_copy",
        .method = "index_copy",
        .doc = "A copy with the slices that index names replaced by those of source.",
        .eager = eager_in_range<refuse_to_copy>,
        .decomposition = index_copy,
        .gradients = {{"input", "index", unwritten_rows}, {"source", "index", written_rows}},
        .grad_name = "IndexCopyBackward0",
        .effects = kChecks,
        .forms = Forms::kInPlace,
        .samples = index_add_samples,
    },
    {
        .name = "index_fill",
        .signature =
            "index_fill(input: Tensor, dim: int, index: Tensor, value: Tensor | Number) -> Tensor",
        .torch = "index_fill",
        .method = "index_fill",
        .doc = "A copy with every element of the slices that index names replaced by value.",
        .decomposition = index_fill,
        .gradients = {{"input", "index", unfilled_rows}, {"value", "index", filled_value}},
        .grad_name = "IndexFillBackward0",
        .effects = kChecks,
        .forms = Forms::kInPlace,
        .overlaps = {.repeated_target = true, .checked_inputs = 2, .writes_changes = true},
        .takes_tensor_or_number = true,
        .samples = index_fill_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::string out_of_bounds(int64_t value, int64_t dim, const Tensor& input) {
  return fmt::format("index {} is out of bounds for dimension {} with size {}", value, dim,
                     input.rank() == 0 ? 1 : input.size(dim));
}

void check_slices(OpBuilder& b, std::string_view name, OpArguments arguments) {
  const TensorType input = b.type(arguments[0].tensor()), index = b.type(arguments[2].tensor());
  const TensorType source = b.type(arguments[3].tensor());
  const int64_t dim = wrap_dim(as_constant(arguments[1]), input.rank());
  const auto refuse = [&](std::string text) {
    throw OpError{"RuntimeError", fmt::format("{}(): {}", name, text)};
  };
  check_vector(name, b, arguments[2].tensor());
  if (index.dtype != DType::kInt64 && index.dtype != DType::kInt32)
    refuse(fmt::format("Expected dtype int32/int64 for index but got: {}",
                       scalar_type_name(index.dtype)));
  if (input.dtype != source.dtype)
    refuse(fmt::format("self ({}) and source ({}) must have the same scalar type",
                       scalar_type_name(input.dtype), scalar_type_name(source.dtype)));
  if (dim > 0 && size_t(dim) >= source.rank())
    refuse(fmt::format("Indexing dim {} is out of bounds of the source tensor with dim {}", dim,
                       source.rank()));
  const SymInt named = product(index.sizes);
  const SymInt given = source.rank() == 0 ? SymInt(1) : source.sizes[size_t(dim)];
  if (!decide_equal(named, given))
    refuse(
        fmt::format("Number of indices ({}) should be equal to source.size(dim): ({}), for "
                    "dim: {}",
                    named.text(), given.text(), dim));
  const bool of_slices = input.rank() > 0 && source.rank() > 0;
  if (!std::ranges::equal(others(input.sizes, dim, of_slices), others(source.sizes, dim, of_slices),
                          decide_equal))
    throw OpError{"RuntimeError",
                  fmt::format("source tensor shape must match self tensor shape, excluding the "
                              "specified dimension. Got self.shape = {} source.shape = {}",
                              ints_text(input.sizes), ints_text(source.sizes))};
}

std::span<const OpEntry> index_writing_entries() {
  return kEntries;
}

}  // namespace glint::ops
