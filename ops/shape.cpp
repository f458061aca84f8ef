// Operators that cut a tensor in pieces or lay it out anew: composites of views and copies.
//
//     split(x, 2)       x[0:2], x[2:4], ... as views
//     repeat(x, 2, 3)   expand over new dimensions, then reshape, which copies
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/tensor/copy.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

OpValue slice_of(OpBuilder& b, OpValue x, int64_t dim, SymInt start, SymInt end) {
  return b.call("slice", {std::move(x), dim, start, end});
}

/// How many pieces of one length it takes; with symbols, only their number is guarded.
int64_t piece_count(SymInt total, SymInt length) {
  if (decide_equal(length, 0) || decide_equal(total, 0)) return 1;
  int64_t count = (total.hint() + length.hint() - 1) / length.hint();
  // As it has just been counted, both hold.
  decide_less(length * (count - 1), total);
  decide_less(length * count, total);
  return count;
}

std::vector<OpValue> split(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  auto sizes = b.sizes(x);
  if (sizes.empty()) throw OpError{"RuntimeError", "split expects at least a 1-dimensional tensor"};
  int64_t dim = wrap_dim(as_constant(arguments[2]), sizes.size());
  SymInt total = sizes[size_t(dim)];
  std::vector<OpValue> pieces;
  SymInt start = 0;
  if (arguments[1].is_list()) {
    auto lengths = as_ints(arguments[1]);
    SymInt sum = 0;
    for (SymInt length : lengths) sum += length;
    if (!decide_equal(sum, total))
      throw OpError{"RuntimeError",
                    fmt::format("split_with_sizes expects split_sizes to sum exactly to {} (input "
                                "tensor's size at dimension {}), but got split_sizes={}",
                                total.hint(), dim, ints_text(lengths))};
    for (SymInt length : lengths) {
      pieces.push_back(slice_of(b, x, dim, start, start + length));
      start += length;
    }
    return pieces;
  }
  SymInt length = as_int(arguments[1]);
  if (decide_less(length, 0))
    throw OpError{"RuntimeError", fmt::format("split expects split_size be non-negative, but got "
                                              "split_size={}",
                                              length.hint())};
  if (decide_equal(length, 0) && !decide_equal(total, 0))
    throw OpError{"RuntimeError",
                  fmt::format("split_size can only be 0 if dimension size is 0, but "
                              "got dimension size of {}",
                              total.hint())};
  int64_t count = piece_count(total, length);
  for (int64_t i = 0; i < count; ++i)
    pieces.push_back(slice_of(b, x, dim, length * i, i + 1 < count ? length * (i + 1) : total));
  return pieces;
}

std::vector<OpValue> chunk(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  int64_t chunks = as_constant(arguments[1]);
  if (chunks <= 0)
    throw OpError{"RuntimeError",
                  fmt::format("chunk expects `chunks` to be greater than 0, got: {}", chunks)};
  auto sizes = b.sizes(x);
  if (sizes.empty()) throw OpError{"RuntimeError", "chunk expects at least a 1-dimensional tensor"};
  int64_t dim = wrap_dim(as_constant(arguments[2]), sizes.size());
  SymInt size = sizes[size_t(dim)];
  SymInt length = ceil_divide(size, chunks);
  if (decide_equal(size, 0))
    return b.call_all("split", {x, std::vector<SymInt>(size_t(chunks), SymInt(0)), dim}, {});
  return b.call_all("split", {x, length, dim}, {});
}

std::vector<OpValue> unbind(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  auto sizes = b.sizes(x);
  if (sizes.empty())
    throw OpError{"RuntimeError", "Dimension specified as 0 but tensor has no dimensions"};
  int64_t dim = wrap_dim(as_constant(arguments[1]), sizes.size());
  int64_t size = sizes[size_t(dim)].hint();
  decide_equal(sizes[size_t(dim)], size);
  std::vector<OpValue> pieces;
  for (int64_t i = 0; i < size; ++i) pieces.push_back(b.call("select", {x, dim, i}));
  return pieces;
}

/// Refuses sizes of more bytes than can be counted: what is made of them on the way is refused in
/// other words.
void check_bytes(const std::vector<SymInt>& sizes, DType dtype) {
  SymInt bytes = product(sizes) * int64_t(dtype_size(dtype));
  if (bytes.is(std::numeric_limits<int64_t>::max()))
    throw OpError{"RuntimeError", fmt::format("Storage size calculation overflowed with sizes={}",
                                              ints_text(sizes))};
}

std::vector<OpValue> repeat(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  auto sizes = b.sizes(x);
  auto repeats = as_ints(arguments[1]);
  if (repeats.size() < sizes.size())
    throw OpError{"RuntimeError",
                  "Number of dimensions of repeat dims can not be smaller than number "
                  "of dimensions of tensor"};
  sizes.insert(sizes.begin(), repeats.size() - sizes.size(), SymInt(1));
  std::vector<SymInt> apart, spread, result;
  bool any = false;
  for (size_t i = 0; i < sizes.size(); ++i) {
    apart.insert(apart.end(), {SymInt(1), sizes[i]});
    spread.insert(spread.end(), {repeats[i], sizes[i]});
    result.push_back(repeats[i] * sizes[i]);
    any |= !repeats[i].is(1);
  }
  check_bytes(result, b.dtype(x));
  if (!any) return {b.call("copy", {b.reshape(x, sizes)})};
  OpValue spreaded = b.expand(b.reshape(x, apart), spread);
  return {b.reshape(b.call("copy", {spreaded}), result)};
}

std::vector<OpValue> tile(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  auto repeats = as_ints(arguments[1]);
  size_t rank = b.rank(x);
  if (repeats.size() < rank) repeats.insert(repeats.begin(), rank - repeats.size(), SymInt(1));
  return {b.call("repeat", {x, repeats})};
}

/// Each position so many times in a row: a new dimension behind it, expanded and merged.
std::vector<OpValue> repeat_interleave(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  if (arguments[2].is_none()) x = b.call("flatten", {x});
  auto sizes = b.sizes(x);
  if (sizes.empty())
    throw OpError{"IndexError", "Dimension specified as 0 but tensor has no dimensions"};
  int64_t dim = arguments[2].is_none() ? 0 : wrap_dim(as_constant(arguments[2]), sizes.size());
  SymInt repeats = as_int(arguments[1]);
  if (decide_less(repeats, 0)) throw OpError{"RuntimeError", "Repeats must be non-negative"};
  auto spread = sizes;
  spread.insert(spread.begin() + dim + 1, repeats);
  sizes[size_t(dim)] *= repeats;
  return {b.reshape(b.call("copy", {b.expand(b.unsqueeze(x, dim + 1), spread)}), sizes)};
}

ViewMap flip_rule(const OpEntry& entry, InferArguments arguments) {
  const TensorType& base = arguments[0].tensor();
  ViewMap map = ViewMap::identity(base.sizes);
  auto dims = as_ints(arguments[1]);
  if (!dims.empty()) reduced_dims(arguments[1], base.rank() == 0 ? 1 : base.rank());
  for (SymInt dim : dims) {
    size_t at = size_t(wrap_dim(dim.constant(), base.rank()));
    if (base.rank() == 0) continue;
    map.base[at].constant = base.sizes[at] - 1;
    map.base[at].terms[0].coefficient = -1;
  }
  return map;
}

/// One dimension of a roll: the place that becomes the first.
struct RolledDim {
  int64_t dim;
  SymInt start;
};

/// Both pieces of the first dimension, rolled along the others, change places.
OpValue rolled(OpBuilder& b, const OpValue& x, std::span<const RolledDim> dims) {
  if (dims.empty()) return x;
  const auto [dim, start] = dims.front();
  auto piece = [&](SymInt from, SymInt to) {
    return rolled(b, slice_of(b, x, dim, from, to), dims.subspan(1));
  };
  const SymInt size = b.sizes(x)[size_t(dim)];
  return b.call("cat", {std::vector<OpValue>{piece(start, size), piece(0, start)}, dim});
}

std::vector<OpValue> roll(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  auto sizes = b.sizes(x);
  auto shifts = as_ints(arguments[1]);
  auto dims = arguments[2].is_none() ? std::vector<SymInt>() : as_ints(arguments[2]);
  if (dims.empty()) {
    if (shifts.size() != 1)
      throw OpError{
          "RuntimeError",
          fmt::format("shifts and dimensions must align. shifts: {}, dims:0", shifts.size())};
    x = b.call("flatten", {x});
    dims = {0};
  }
  if (dims.size() != shifts.size())
    throw OpError{"RuntimeError",
                  fmt::format("shifts and dimensions must align. shifts: {}, dims:{}",
                              shifts.size(), dims.size())};
  const auto rolled_sizes = b.sizes(x);
  if (rolled_sizes.empty())
    throw OpError{"IndexError", "Dimension specified as 0 but tensor has no dimensions"};
  std::vector<RolledDim> moved;
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t dim = wrap_dim(dims[i].constant(), rolled_sizes.size());
    const SymInt size = rolled_sizes[size_t(dim)];
    if (decide_equal(size, 0)) continue;
    auto known = std::ranges::find(moved, dim, &RolledDim::dim);
    if (known == moved.end()) known = moved.insert(known, {dim, 0});
    known->start = remainder(known->start + size - shifts[i], size);
  }
  std::erase_if(moved, [](const RolledDim& each) { return each.start.is(0); });
  return {b.reshape(moved.empty() ? b.call("copy", {x}) : rolled(b, x, moved), sizes)};
}

std::vector<TensorType> infer_copy(const OpEntry& entry, InferArguments arguments) {
  const TensorType& input = arguments[0].tensor();
  return {TensorType::tensor(input.dtype, input.sizes, input.device)};
}

Outputs eager_copy(const OpEntry& entry, Arguments arguments) {
  const Tensor& input = arguments[0].tensor();
  Tensor out = Tensor::empty(input.sizes(), input.dtype());
  copy(out, input);
  return out;
}

std::vector<TensorType> infer_clone(const OpEntry& entry, InferArguments arguments) {
  return {like_type(arguments[0].tensor(), arguments[0].tensor().dtype)};
}

Outputs eager_clone(const OpEntry& entry, Arguments arguments) {
  return clone(arguments[0].tensor());
}

std::vector<OpValue> contiguous_form(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  return {b.type(x).contiguous() ? x : b.call("copy", {x})};
}

Outputs eager_contiguous(const OpEntry& entry, Arguments arguments) {
  return contiguous(arguments[0].tensor());
}

// ---- gradients ---------------------------------------------------------------------------------

/// The gradients of all pieces put together; zeros for those that have none.
OpValue joined(GradientCall& g, const char* how) {
  std::vector<OpValue> pieces;
  for (size_t i = 0; i < g.result_count(); ++i) pieces.push_back(g.out(i));
  size_t rank = g.result_type().rank() + (std::string_view(how) == "stack" ? 1 : 0);
  return g.b.call(how, {pieces, wrap_dim(as_constant(g["dim"]), rank)});
}

/// [repeats, sizes] side by side, summed over the repeats.
OpValue repeat_gradient(GradientCall& g) {
  auto sizes = g.sizes("input"), repeats = as_ints(g["repeats"]);
  sizes.insert(sizes.begin(), repeats.size() - sizes.size(), SymInt(1));
  std::vector<SymInt> apart, dims;
  for (size_t i = 0; i < sizes.size(); ++i) {
    dims.emplace_back(int64_t(apart.size()));
    apart.insert(apart.end(), {repeats[i], sizes[i]});
  }
  if (dims.empty()) return g.out();
  return g.b.reshape(g.b.sum(g.b.reshape(g.out(), apart), dims), g.sizes("input"));
}

OpValue roll_gradient(GradientCall& g) {
  std::vector<SymInt> back = as_ints(g["shifts"]);
  for (SymInt& shift : back) shift = -shift;
  return g.b.call("roll", {g.out(), back, g["dims"]});
}

const char* split_name(Arguments arguments) {
  return arguments[1].is_list() ? "SplitWithSizesBackward0" : "SplitBackward0";
}

std::vector<OpValue> diagonal_copy(OpBuilder& b, OpArguments arguments) {
  return {b.call("copy", {b.call("diagonal", {arguments[0], arguments[1]})})};
}
OpValue diagonal_copy_gradient(GradientCall& g) {
  return g.b.call("diagonal_scatter", {g.base_of_zeros("input"), g.out(), g["offset"]});
}
std::vector<Sample> diagonal_copy_samples(const OpEntry& entry) {
  return {{{sample_tensor({3, 4}), 0}},
          {{sample_tensor({3, 3}, DType::kFloat64), 1}},
          {{sample_tensor({4, 3}), -1}}};
}

/// The diagonals lie in the last two dimensions first.
std::vector<OpValue> diag_embed(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  std::vector<SymInt> sizes = b.sizes(x);
  if (sizes.empty())
    throw OpError{"IndexError", "Dimension specified as -1 but tensor has no dimensions"};
  sizes.back() = as_int(arguments[4]);
  sizes.push_back(as_int(arguments[4]));
  OpValue zeros = b.full(sizes, 0, b.dtype(x));
  OpValue made = b.call("diagonal_scatter", {zeros, x, arguments[1], -2, -1});
  std::vector<SymInt> from = {-2, -1}, to = {as_int(arguments[2]), as_int(arguments[3])};
  return {b.call("movedim", {made, from, to})};
}
std::vector<Sample> diag_embed_samples(const OpEntry& entry) {
  return {{{sample_tensor({3}), 0, 0, 1, 3}},
          {{sample_tensor({2, 3}), 1, 1, 2, 4}},
          {{sample_tensor({2, 3}, DType::kFloat64), -1, 0, 2, 4}}};
}

constexpr OpEntry kEntries[] = {
    {
        .name = "split",
        .signature = "split(tensor: Tensor, split_size_or_sections: Size, dim: int = 0) -> Tensors",
        .torch = "split",
        .method = "split",
        .doc = "Views of successive pieces: of one size (the last may be smaller), or of the "
               "listed sizes.",
        .decomposition = split,
        .gradients = {{"tensor", "", [](GradientCall& g) { return joined(g, "cat"); }}},
        .grad_name_of = split_name,
        .output_form = OutputForm::kTuple,
        .samples = split_samples,
    },
    {
        .name = "chunk",
        .signature = "chunk(input: Tensor, chunks: int, dim: int = 0) -> Tensors",
        .torch = "chunk",
        .method = "chunk",
        .doc = "Views of at most `chunks` pieces of equal size; the last may be smaller.",
        .decomposition = chunk,
        .output_form = OutputForm::kTuple,
        .samples = split_samples,
    },
    {
        .name = "unbind",
        .signature = "unbind(input: Tensor, dim: int = 0) -> Tensors",
        .torch = "unbind",
        .method = "unbind",
        .doc = "Views of all positions along a dimension.",
        .decomposition = unbind,
        .gradients = {{"input", "", [](GradientCall& g) { return joined(g, "stack"); }}},
        .grad_name = "UnbindBackward0",
        .output_form = OutputForm::kTuple,
        .samples = matrix_samples,
    },
    {
        .name = "repeat",
        .signature = "repeat(input: Tensor, *repeats: int) -> Tensor",
        .method = "repeat",
        .doc = "The tensor copied so many times along each dimension.",
        .decomposition = repeat,
        .gradients = {{"input", "", repeat_gradient}},
        .grad_name = "RepeatBackward0",
        .samples = repeat_samples,
    },
    {
        .name = "tile",
        .signature = "tile(input: Tensor, *dims: int) -> Tensor",
        .torch = "tile",
        .method = "tile",
        .doc = "The tensor copied along its last dimensions; others once.",
        .decomposition = tile,
        .samples = repeat_samples,
    },
    {
        .name = "repeat_interleave",
        .signature = "repeat_interleave(input: Tensor, repeats: int, dim: int | None = None) -> "
                     "Tensor",
        .torch = "repeat_interleave",
        .method = "repeat_interleave",
        .doc = "Each position so many times in a row along a dimension, or flattened.",
        .decomposition = repeat_interleave,
        .samples = interleave_samples,
    },
    {
        .name = "flip",
        .signature = "flip(input: Tensor, *dims: int) -> Tensor",
        .torch = "flip",
        .method = "flip",
        .doc = "A copy with the order along the dimensions reversed.",
        .lowering = View{.rule = flip_rule, .copies = true},
        .gradients = {{"input", "",
                       [](GradientCall& g) { return g.b.call("flip", {g.out(), g["dims"]}); }}},
        .grad_name = "FlipBackward0",
        .samples = dims_samples,
    },
    {
        .name = "roll",
        .signature = "roll(input: Tensor, shifts: Size, dims: Size | None = None) -> Tensor",
        .torch = "roll",
        .method = "roll",
        .doc =
            "Elements moved along dimensions, those that leave coming in at the other end; without "
            "dims, as if flattened.",
        .decomposition = roll,
        .gradients = {{"input", "", roll_gradient}},
        .grad_name = "RollBackward0",
        .samples = roll_samples,
    },
    {
        .name = "diagonal_copy",
        .signature = "diagonal(input: Tensor, offset: int) -> Tensor",
        .torch = "_diagonal_copy",
        .doc = "A copy of a matrix's diagonal.",
        .decomposition = diagonal_copy,
        .gradients = {{"input", "", diagonal_copy_gradient}},
        .grad_name = "DiagonalBackward0_copy",
        .samples = diagonal_copy_samples,
    },
    {
        .name = "diag_embed",
        .signature = "diag_embed(input: Tensor, offset: int, dim1: int, dim2: int, size: int) -> "
                     "Tensor",
        .torch = "_diag_embed",
        .doc = "Matrices of a size with these diagonals.",
        .decomposition = diag_embed,
        .gradients = {{"input", "",
                       [](GradientCall& g) {
                         return g.b.call("diagonal", {g.out(), g["offset"], g["dim1"], g["dim2"]});
                       }}},
        .grad_name = "DiagEmbedBackward0",
        .samples = diag_embed_samples,
    },
    {
        .name = "copy",
        .signature = "copy(input: Tensor) -> Tensor",
        .doc = "A contiguous copy.",
        .infer = infer_copy,
        .eager = eager_copy,
        .lowering = Copy{},
        .gradients = {{"input", "", [](GradientCall& g) { return g.out(); }}},
        .grad_name = "CloneBackward0",
        .samples = unary_samples,
    },
    {
        .name = "clone",
        .signature = "clone(input: Tensor) -> Tensor",
        .torch = "clone",
        .method = "clone",
        .doc = "A copy, laid out like the input where that has no gaps.",
        .infer = infer_clone,
        .eager = eager_clone,
        .lowering = Copy{},
        .gradients = {{"input", "", [](GradientCall& g) { return g.out(); }}},
        .grad_name = "CloneBackward0",
        .samples = unary_samples,
    },
    {
        .name = "contiguous",
        .signature = "contiguous(input: Tensor) -> Tensor",
        .method = "contiguous",
        .doc = "The tensor itself if it is laid out row by row without gaps, else such a copy.",
        .eager = eager_contiguous,
        .decomposition = contiguous_form,
        .samples = unary_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> shape_entries() {
  return kEntries;
}

}  // namespace glint::ops
