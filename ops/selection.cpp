// Choosing, element by element: where, clamp, masks, triangles.
//
//     where(x > 0, x, 0.0)      out[i] = x[i] > 0 ? x[i] : 0
#include <algorithm>
#include <array>
#include <tuple>

#include <fmt/format.h>

#include "core/tensor/copy.h"
#include "ops/activation_call.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/kernels.h"
#include "ops/layout.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

std::vector<OpValue> where_method(OpBuilder& b, OpArguments arguments) {
  return {b.where(arguments[1], arguments[0], arguments[2])};
}

/// Whether an int bounds elements of that type at all. One beyond their range on the side where it
/// changes nothing does not; on the other side there is no such element.
bool bounds(DType dtype, SymInt bound, bool is_least) {
  if (is_floating(dtype) || is_bool(dtype) || dtype == DType::kInt64) return true;
  const bool has_sign = dtype != DType::kUInt8;
  const int64_t count = int64_t{1} << (8 * dtype_size(dtype));
  const int64_t least = has_sign ? -count / 2 : 0;
  const bool below = decide_less(bound, least);
  if (!below && !decide_less(least + count - 1, bound)) return true;
  if (below == is_least) return false;
  throw OpError{"RuntimeError",
                fmt::format("Clamp {} value {:g} is outside the representable range of {}",
                            is_least ? "min" : "max", static_cast<double>(bound.hint()),
                            scalar_type_name(dtype))};
}

/// The same of an argument: tensors bound, and a float makes the result floating.
template <class V>
bool bounds(DType dtype, std::span<const BasicArgument<V>> arguments, size_t at) {
  if (at >= arguments.size() || arguments[at].is_none()) return false;
  const SymInt* number = arguments[at].template get_if<SymInt>();
  const bool floats = std::ranges::any_of(
      arguments, [](const auto& each) { return each.template get_if<double>() != nullptr; });
  if (is_floating(dtype) || floats) {
    const DType wide = is_floating(dtype) ? dtype : default_dtype();
    if (number) check_holds(wide, InferArgument(*number));
    if (const double* real = arguments[at].template get_if<double>())
      check_holds(wide, InferArgument(*real));
  }
  return number == nullptr || floats || bounds(dtype, *number, at == 1);
}

template <class V>
void need_bound(std::span<const BasicArgument<V>> arguments) {
  if (arguments[1].is_none() && arguments[2].is_none())
    throw OpError{"RuntimeError", "torch.clamp: At least one of 'min' or 'max' must not be None"};
}

std::vector<OpValue> clamp(OpBuilder& b, OpArguments arguments) {
  need_bound(arguments);
  const DType dtype = b.dtype(arguments[0].tensor());
  const bool has_min = bounds(dtype, arguments, 1), has_max = bounds(dtype, arguments, 2);
  OpArgument x = arguments[0];
  if (has_min) x = b.call("clamp_min", {x, arguments[1]});
  if (has_max) x = b.call("clamp_max", {x, arguments[2]});
  return {has_min || has_max ? x.tensor() : b.call("clone", {x})};
}

std::vector<OpValue> clamp_to_min(OpBuilder& b, OpArguments arguments) {
  return clamp(b, std::array<OpArgument, 3>{arguments[0], arguments[1], {}});
}
std::vector<OpValue> clamp_to_max(OpBuilder& b, OpArguments arguments) {
  return clamp(b, std::array<OpArgument, 3>{arguments[0], {}, arguments[1]});
}

Outputs eager_clamp(const OpEntry& entry, Arguments arguments) {
  static const OpEntry& least = *find_op("clamp_min");
  static const OpEntry& most = *find_op("clamp_max");
  need_bound(arguments);
  const Tensor& input = arguments[0].tensor();
  const bool has_min = bounds(input.dtype(), arguments, 1);
  const bool has_max = bounds(input.dtype(), arguments, 2);
  if (!has_min && !has_max) return clone(input);
  const bool is_loop =
      is_dense(input) && activation_loop(Activation::kHardTanh, input.dtype()) != nullptr;
  if (is_loop && is_number(arguments[1]) && is_number(arguments[2]))
    return activated(entry, arguments, Activation::kHardTanh, as_float(arguments[1]),
                     as_float(arguments[2]));
  Argument x = arguments[0];
  for (auto [wanted, entry_of, at] :
       {std::tuple(has_min, &least, 1), std::tuple(has_max, &most, 2)}) {
    if (!wanted) continue;
    const Argument operands[] = {x, arguments[size_t(at)]};
    x = eager_pointwise(*entry_of, operands).take_first();
  }
  return x.tensor();
}

std::vector<OpValue> masked_fill(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  OpValue mask = arguments[1].tensor();
  if (!is_bool(b.dtype(mask)))
    throw OpError{
        "RuntimeError",
        fmt::format("masked_fill_ only supports boolean masks, but got mask with dtype {}",
                    message_dtype(b.dtype(mask)))};
  DType dtype = b.dtype(x);
  // A number that is a parameter of the graph is a value too.
  bool tensor = arguments[2].is_value() && !b.type(arguments[2].tensor()).scalar;
  if (tensor && b.rank(arguments[2].tensor()) > 0)
    throw OpError{"RuntimeError",
                  fmt::format("masked_fill_ only supports a 0-dimensional value tensor, but got "
                              "tensor with {} dimension(s).",
                              b.rank(arguments[2].tensor()))};
  check_holds(dtype, arguments[2]);
  OpValue value = tensor ? b.to(arguments[2].tensor(), dtype) : b.full({}, arguments[2], dtype);
  OpValue filled = b.where(mask, value, x);
  return {b.type(filled).strides.empty() ? filled : b.call("copy", {filled})};
}

/// x where the column is at most (tril) or at least (triu) the row plus the diagonal, else 0.
OpValue triangle(OpBuilder& b, OpArguments arguments, bool lower) {
  OpValue x = arguments[0].tensor();
  auto sizes = b.sizes(x);
  if (sizes.size() < 2)
    throw OpError{"RuntimeError", fmt::format("{}: input tensor must have at least 2 dimensions",
                                              lower ? "tril" : "triu")};
  OpValue rows = b.unsqueeze(b.call("arange_sized", {sizes[sizes.size() - 2]}), 1);
  OpValue columns = b.call("arange_sized", {sizes.back()});
  OpValue limit = b.add(rows, arguments[1]);
  OpValue inside = b.call(lower ? "less_equal" : "greater_equal", {columns, limit});
  return b.call("contiguous", {b.where(inside, x, b.full({}, 0, b.dtype(x)))});
}

std::vector<OpValue> tril(OpBuilder& b, OpArguments arguments) {
  return {triangle(b, arguments, true)};
}
std::vector<OpValue> triu(OpBuilder& b, OpArguments arguments) {
  return {triangle(b, arguments, false)};
}

// ---- gradients ---------------------------------------------------------------------------------

bool bounds_are_tensors(GradientCall& g) {
  return g.is_tensor("min") || g.is_tensor("max");
}

/// A bound has half of the gradient where the input is at it, unless the other bound is there too.
OpValue share_at(GradientCall& g, const char* bound) {
  OpValue at_bound = g.b.equal(g["input"], g[bound]);
  OpValue apart = g.b.call("not_equal", {g["min"], g["max"]});
  OpValue shared = g.b.call("logical_and", {at_bound, apart});
  return g.b.where(shared, g.b.divide(g.out(), 2), 0);
}
/// The gradient where the input is beyond a bound; the upper one wins where the two are crossed.
OpValue share_beyond(GradientCall& g, const char* bound, const char* beyond, bool wins) {
  OpValue crossed = g.b.greater(g["min"], g["max"]);
  OpValue outside = g.b.call(beyond, {g["input"], g[bound]});
  OpValue share = g.b.where(outside, g.out(), share_at(g, bound));
  return wins ? g.b.where(crossed, g.out(), share) : g.b.where(crossed, 0, share);
}
OpValue lower_share(GradientCall& g) {
  return share_beyond(g, "min", "less", false);
}
OpValue upper_share(GradientCall& g) {
  return share_beyond(g, "max", "greater", true);
}

/// Numbers as bounds let the gradient pass between them, not at them; tensors take their shares.
OpValue clamp_input(GradientCall& g) {
  if (bounds_are_tensors(g)) {
    if (g.is_none("min")) return extreme_share(g.b, g.out(), "greater", g["input"], g["max"]);
    if (g.is_none("max")) return extreme_share(g.b, g.out(), "less", g["input"], g["min"]);
    return g.b.subtract(g.b.subtract(g.out(), lower_share(g)), upper_share(g));
  }
  OpValue inside;
  if (!g.is_none("min")) inside = g.b.greater(g["input"], g["min"]);
  if (!g.is_none("max")) {
    OpValue below = g.b.less(g["input"], g["max"]);
    inside = g.is_none("min") ? below : g.b.call("logical_and", {inside, below});
  }
  return g.b.where(inside, g.out(), 0);
}
OpValue clamp_lower(GradientCall& g) {
  if (!g.is_none("max")) return lower_share(g);
  return extreme_share(g.b, g.out(), "less", g["min"], g["input"]);
}
OpValue clamp_upper(GradientCall& g) {
  if (!g.is_none("min")) return upper_share(g);
  return extreme_share(g.b, g.out(), "greater", g["max"], g["input"]);
}

OpValue clamp_one_input(GradientCall& g, const char* bound, const char* loses, const char* passes) {
  if (g.is_tensor(bound)) return extreme_share(g.b, g.out(), loses, g["input"], g[bound]);
  return g.b.where(g.b.call(passes, {g["input"], g[bound]}), g.out(), 0);
}

bool has_tensor(Arguments arguments, size_t at) {
  return at < arguments.size() && arguments[at].is_value();
}
const char* clamp_name(Arguments arguments) {
  bool tensors = has_tensor(arguments, 1) || has_tensor(arguments, 2);
  return tensors ? "ClampBackward0" : "ClampBackward1";
}
const char* clamp_min_name(Arguments arguments) {
  return has_tensor(arguments, 1) ? "ClampMinBackward1" : "ClampMinBackward0";
}
const char* clamp_max_name(Arguments arguments) {
  return has_tensor(arguments, 1) ? "ClampMaxBackward1" : "ClampMaxBackward0";
}
const char* masked_fill_name(Arguments arguments) {
  return has_tensor(arguments, 2) ? "MaskedFillBackward1" : "MaskedFillBackward0";
}

/// Bounds that are tensors are operands like the first, and `out` is as theirs.
bool bounds_are_numbers(InferArguments inputs) {
  return std::ranges::none_of(inputs.subspan(1), &InferArgument::is_value);
}
constexpr OutputDType kClampedDType = {kFoundDType.words, true, kFoundDType.exception,
                                       bounds_are_numbers};

constexpr OpEntry kEntries[] = {
    {
        .name = "where",
        .signature =
            "where(condition: Tensor, input: Tensor | Number, other: Tensor | Number) -> Tensor",
        .torch = "where",
        .doc = "input where the condition is true, else other.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kWhere},
        .gradients = {{"input", "condition",
                       [](GradientCall& g) { return g.b.where(g["condition"], g.out(), 0); }},
                      {"other", "condition",
                       [](GradientCall& g) { return g.b.where(g["condition"], 0, g.out()); }}},
        .grad_name = "WhereBackward0",
        .numbers = {.any_in_gradients = true},
        .forms = Forms::kOut,
        .output_dtype = {"Expected out type to be {0} but got {1}", true},
        .samples = where_samples,
    },
    {
        .name = "where_method",
        .signature = "where(input: Tensor, condition: Tensor, other: Tensor | Number) -> Tensor",
        .method = "where",
        .doc = "The tensor where the condition is true, else other.",
        .decomposition = where_method,
        .samples = where_method_samples,
    },
    {
        .name = "clamp",
        .signature = "clamp(input: Tensor, min: Tensor | Number | None = None, "
                     "max: Tensor | Number | None = None) -> Tensor",
        .torch = "clamp clip",
        .method = "clamp clip",
        .doc = "The elements, not below min and not above max; NaN stays.",
        .eager = eager_clamp,
        .decomposition = clamp,
        .gradients = {{"input", "input min max", clamp_input},
                      {"min", "input min max", clamp_lower},
                      {"max", "input min max", clamp_upper}},
        .grad_name_of = clamp_name,
        .numbers = {.vary = {{"min"}, {"max"}}, .any_in_gradients = true},
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = kClampedDType,
        .samples = clamp_samples,
    },
    {
        .name = "clamp_min",
        .signature = "clamp_min(input: Tensor, min: Tensor | Number) -> Tensor",
        .doc = "The elements, not below min; NaN stays.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kMaximum},
        .gradients = {{"input", "input min",
                       [](GradientCall& g) {
                         return clamp_one_input(g, "min", "less", "greater");
                       }},
                      {"min", "input min",
                       [](GradientCall& g) {
                         return extreme_share(g.b, g.out(), "less", g["min"], g["input"]);
                       }}},
        .grad_name_of = clamp_min_name,
        .numbers = {.any_in_gradients = true},
        .samples = binary_samples,
    },
    {
        .name = "clamp_to_min",
        .signature = "clamp_min(input: Tensor, min: Tensor | Number) -> Tensor",
        .torch = "clamp_min",
        .method = "clamp_min",
        .doc = "The elements, not below min; NaN stays.",
        .decomposition = clamp_to_min,
        .numbers = {.vary = {{"min"}}},
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = kClampedDType,
        .samples = binary_samples,
    },
    {
        .name = "clamp_max",
        .signature = "clamp_max(input: Tensor, max: Tensor | Number) -> Tensor",
        .doc = "The elements, not above max; NaN stays.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kMinimum},
        .gradients = {{"input", "input max",
                       [](GradientCall& g) {
                         return clamp_one_input(g, "max", "greater", "less");
                       }},
                      {"max", "input max",
                       [](GradientCall& g) {
                         return extreme_share(g.b, g.out(), "greater", g["max"], g["input"]);
                       }}},
        .grad_name_of = clamp_max_name,
        .numbers = {.any_in_gradients = true},
        .samples = binary_samples,
    },
    {
        .name = "clamp_to_max",
        .signature = "clamp_max(input: Tensor, max: Tensor | Number) -> Tensor",
        .torch = "clamp_max",
        .method = "clamp_max",
        .doc = "The elements, not above max; NaN stays.",
        .decomposition = clamp_to_max,
        .numbers = {.vary = {{"max"}}},
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = kClampedDType,
        .samples = binary_samples,
    },
    {
        .name = "masked_fill",
        .signature = "masked_fill(input: Tensor, mask: Tensor, value: Tensor | Number) -> Tensor",
        .torch = "masked_fill",
        .method = "masked_fill",
        .doc = "A copy with value where the mask is true.",
        .decomposition = masked_fill,
        .gradients = {{"input", "mask",
                       [](GradientCall& g) { return g.b.where(g["mask"], 0, g.out()); }},
                      {"value", "mask",
                       [](GradientCall& g) { return g.b.where(g["mask"], g.out(), 0); }}},
        .grad_name_of = masked_fill_name,
        .numbers = {.vary = {{.parameter = "value", .floating = "input"}},
                    .any_in_gradients = true},
        .forms = Forms::kInPlace,
        .overlaps = {.repeated_target = true, .checked_inputs = 1},
        .takes_tensor_or_number = true,
        .samples = masked_fill_samples,
    },
    {
        .name = "tril",
        .signature = "tril(input: Tensor, diagonal: int = 0) -> Tensor",
        .torch = "tril",
        .method = "tril",
        .doc = "The lower triangle of matrices, up to a diagonal; 0 elsewhere.",
        .decomposition = tril,
        .gradients = {{"input", "",
                       [](GradientCall& g) { return g.b.call("tril", {g.out(), g["diagonal"]}); }}},
        .grad_name = "TrilBackward0",
        .numbers = {.vary = {{"diagonal"}}},
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = kExpectedDType,
        .overlaps = {.repeated_target = true, .writes_changes = true},
        .samples = matrix_samples,
    },
    {
        .name = "triu",
        .signature = "triu(input: Tensor, diagonal: int = 0) -> Tensor",
        .torch = "triu",
        .method = "triu",
        .doc = "The upper triangle of matrices, from a diagonal on; 0 elsewhere.",
        .decomposition = triu,
        .gradients = {{"input", "",
                       [](GradientCall& g) { return g.b.call("triu", {g.out(), g["diagonal"]}); }}},
        .grad_name = "TriuBackward0",
        .numbers = {.vary = {{"diagonal"}}},
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = kExpectedDType,
        .overlaps = {.repeated_target = true, .writes_changes = true},
        .samples = matrix_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> selection_entries() {
  return kEntries;
}

}  // namespace glint::ops
