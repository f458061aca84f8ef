// Blending tensors, element by element: lerp, addcmul, addcdiv; and what they are made of, fma.
//
//     addcmul(x, a, b, value=0.1)      fma(0.1 * a, b, x)
//
// Each is a composite of a few pointwise steps, in float32 for 16-bit floats. Run eagerly on plain
// tensors they are one loop: an optimiser's update walks its tensors once. The bits are those of
// the steps one by one.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ops/call.h"
#include "ops/element.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/parallel.h"
#include "ops/samples.h"
#include "ops/scalar/elementwise_kernels.h"

namespace glint::ops {

namespace {

// ---- what they are made of ---------------------------------------------------------------------

/// The dtype that blended tensors have together.
DType blended_dtype(OpBuilder& b, OpArguments tensors) {
  std::vector<InferArgument> types;
  for (const OpArgument& each : tensors) types.push_back(b.type(each.tensor()));
  return promoted_dtype(types);
}

/// The tensors as one dtype that computes: of 16-bit floats float32, from which the result is
/// rounded once.
std::vector<OpArgument> all_widened(OpBuilder& b, OpArguments tensors, DType dtype) {
  std::vector<OpArgument> wide;
  for (const OpArgument& each : tensors)
    wide.push_back(is_narrow_float(dtype) ? widened(b, b.to(each.tensor(), dtype)) : each.tensor());
  return wide;
}

/// A weight's distance to 1, in the dtype that computes.
double less_one(double weight, DType dtype) {
  return dtype == DType::kFloat64 ? weight - 1.0 : double(float(weight) - 1.0F);
}

bool is_near_start(double weight, DType dtype) {
  return std::abs(dtype == DType::kFloat64 ? weight : double(float(weight))) < 0.5;
}

/// weight * (end - input) + input near input, (weight - 1) * (end - input) + end near end.
std::vector<OpValue> lerp(OpBuilder& b, OpArguments arguments) {
  const DType dtype = b.dtype(arguments[0].tensor());
  if (dtype != b.dtype(arguments[1].tensor()))
    throw OpError{"RuntimeError",
                  fmt::format("expected dtype {} for `end` but got dtype {}", message_dtype(dtype),
                              message_dtype(b.dtype(arguments[1].tensor())))};
  if (!is_floating(dtype))
    throw OpError{
        "NotImplementedError",
        fmt::format(
            "\"lerp_kernel_{}\" not implemented for '{}'",
            arguments[2].is_value() && !b.type(arguments[2].tensor()).scalar ? "tensor" : "scalar",
            scalar_type_name(dtype))};
  const std::vector<OpArgument> ends = all_widened(b, arguments.first(2), dtype);
  const OpValue start = ends[0].tensor(), end = ends[1].tensor();
  const DType wide = b.dtype(start);
  OpValue span = b.subtract(end, start);
  if (!arguments[2].is_value()) {
    const double weight = as_float(arguments[2]);
    OpValue blended = is_near_start(weight, wide) ? b.fma(span, weight, start)
                                                  : b.fma(span, less_one(weight, wide), end);
    return {b.to(blended, dtype)};
  }
  OpValue weight = arguments[2].tensor();
  // A number that varies has the digits that compute.
  weight = b.type(weight).scalar ? b.full({}, weight, wide) : widened(b, weight);
  OpValue near_start = b.less(b.call("abs", {weight}), 0.5);
  OpValue part = b.where(near_start, weight, b.subtract(weight, 1.0));
  return {b.to(b.fma(span, part, b.where(near_start, start, end)), dtype)};
}

bool is_whole(DType dtype) {
  return !is_floating(dtype);
}

bool all_of(OpBuilder& b, OpArguments tensors, bool (*holds)(DType)) {
  return std::ranges::all_of(tensors,
                             [&](const OpArgument& each) { return holds(b.dtype(each.tensor())); });
}

/// Of integers the value counts as one.
std::vector<OpValue> addcmul(OpBuilder& b, OpArguments arguments) {
  if (all_of(b, arguments.first(3), [](DType dtype) { return dtype == DType::kBool; }))
    throw OpError{"NotImplementedError", "\"addcmul_cpu_out\" not implemented for 'Bool'"};
  OpArgument value = arguments[3];
  if (all_of(b, arguments.first(3), is_whole) && value.get_if<double>())
    value = SymInt(static_cast<int64_t>(as_float(value)));
  OpValue first = arguments[1].tensor();
  const DType dtype = b.dtype(arguments[2].tensor());
  // A bool times a number would be an integer, whatever the others are.
  if (is_bool(b.dtype(first)))
    first = b.to(first, is_bool(dtype) ? b.dtype(arguments[0].tensor()) : dtype);
  const OpArgument tensors[] = {arguments[0], first, arguments[2]};
  const DType blended = blended_dtype(b, tensors);
  if (!is_floating(blended))
    return {b.add(arguments[0], b.multiply(b.multiply(first, value), arguments[2]))};
  const std::vector<OpArgument> wide = all_widened(b, tensors, blended);
  return {b.to(b.fma(b.multiply(wide[1], value), wide[2], wide[0]), blended)};
}

constexpr const char* kIntegerDivision =
    "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will "
    "perform a true division of tensor1 and tensor2. The historic addcdiv behavior can be "
    "implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer "
    "inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv "
    "behavior is just the latter implementation: (input + value * tensor1 / tensor2), for all "
    "dtypes.";

std::vector<OpValue> addcdiv(OpBuilder& b, OpArguments arguments) {
  if (all_of(b, arguments.subspan(1, 2), is_whole)) throw OpError{"RuntimeError", kIntegerDivision};
  const DType blended = blended_dtype(b, arguments.first(3));
  const std::vector<OpArgument> wide = all_widened(b, arguments.first(3), blended);
  return {b.to(b.add(wide[0], b.divide(b.multiply(wide[1], arguments[3]), wide[2])), blended)};
}

// ---- in one loop -------------------------------------------------------------------------------

using scalar::Blend;

/// Whether elements of one number are at one offset in all: no dtype, shape or order differs, and
/// memory is the output's own, or apart from it.
bool in_step(const Tensor& out, std::initializer_list<const Tensor*> operands) {
  return is_floating(out.dtype()) && out.is_contiguous() &&
         std::ranges::all_of(operands, [&](const Tensor* each) {
           bool apart = each->raw_data() == out.raw_data() || each->storage() != out.storage();
           return apart && each->dtype() == out.dtype() && each->is_contiguous() &&
                  each->impl().sizes == out.impl().sizes;
         });
}

/// The dtype that computes.
DType wide_dtype(const Tensor& out) {
  return is_narrow_float(out.dtype()) ? DType::kFloat32 : out.dtype();
}

void run_blend(Blend blend, const Tensor& x, const Tensor& y, const Tensor& z, const Scalar& number,
               const Tensor& out) {
  const Element factor(number, wide_dtype(out));
  const scalar::BlendLoop loop = scalar::blend_loop(blend, out.dtype());
  const auto size = int64_t(out.element_size());
  parallel_ranges(out.numel(), Work::kLight, [&](int64_t begin, int64_t end) {
    const int64_t at = begin * size;
    loop(x.raw_data() + at, y.raw_data() + at, z.raw_data() + at, factor.bytes, out.raw_data() + at,
         end - begin);
  });
}

bool write_lerp(const OpEntry& entry, Arguments arguments, const Tensor& out) {
  if (arguments[2].is_value()) return false;
  const Tensor& start = arguments[0].tensor();
  const Tensor& end = arguments[1].tensor();
  if (!in_step(out, {&start, &end})) return false;
  const DType dtype = wide_dtype(out);
  const double weight = as_float(arguments[2]);
  if (is_near_start(weight, dtype))
    run_blend(Blend::kLerp, start, end, start, weight, out);
  else
    run_blend(Blend::kLerp, start, end, end, less_one(weight, dtype), out);
  return true;
}

template <Blend kBlend>
bool write_scaled(const OpEntry& entry, Arguments arguments, const Tensor& out) {
  const Tensor& input = arguments[0].tensor();
  const Tensor& first = arguments[1].tensor();
  const Tensor& second = arguments[2].tensor();
  if (!in_step(out, {&input, &first, &second})) return false;
  run_blend(kBlend, input, first, second, as_scalar(argument(entry, arguments, "value")), out);
  return true;
}

Outputs eager_blend(const OpEntry& entry, Arguments arguments) {
  const Tensor& like = arguments[0].tensor();
  if (has_row_major_strides(like)) {
    Tensor out = Tensor::empty(like.sizes(), like.dtype());
    if (entry.write_blocks(entry, arguments, out)) return out;
  }
  return run_decomposition(entry, arguments);
}

// ---- gradients ---------------------------------------------------------------------------------

OpValue lerp_start(GradientCall& g) {
  const OpArgument& weight = g["weight"];
  if (!weight.is_value()) return g.b.multiply(g.out(), 1.0 - as_float(weight));
  return g.b.multiply(g.out(), g.b.add(g.b.negative(weight.tensor()), 1));
}

/// -value * tensor1 / tensor2^2
OpValue addcdiv_divisor(GradientCall& g) {
  OpValue slope =
      g.b.divide(g.b.multiply(g["tensor1"], g["value"]), g.b.call("square", {g["tensor2"]}));
  return g.b.multiply(g.b.negative(g.out()), slope);
}

std::vector<Sample> fma_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  for (DType dtype : {DType::kFloat32, DType::kFloat64, DType::kBFloat16, DType::kFloat16})
    for (const Tensor& x : sample_inputs(dtype)) {
      const Tensor y = sample_tensor(x.sizes(), dtype);
      samples.push_back({{x, y, y}});
      samples.push_back({{x, 0.3, y}});
    }
  samples.push_back({{sample_tensor({4, 1}), sample_tensor({3}), sample_tensor({2, 4, 3})}});
  samples.push_back({{2, sample_tensor({3}), 0.5}});
  return samples;
}

const char* lerp_name(Arguments arguments) {
  return arguments.size() > 2 && arguments[2].is_value() ? "LerpBackward1" : "LerpBackward0";
}
bool weight_is_tensor(InferArguments inputs) {
  return inputs[2].is_value();
}

constexpr OpEntry kEntries[] = {
    {
        .name = "fma",
        .signature = "fma(input: Tensor | Number, other: Tensor | Number, addend: Tensor | Number) "
                     "-> Tensor",
        .doc = "input * other + addend, rounded once: what sums with a factor are made of.",
        .dtype_rule = DTypeRule::kPromote,
        .lowering = Pointwise{ScalarFunction::kFma},
        .gradients = {{"input", "other",
                       [](GradientCall& g) { return g.b.multiply(g.out(), g["other"]); }},
                      {"other", "input",
                       [](GradientCall& g) { return g.b.multiply(g.out(), g["input"]); }},
                      {"addend", "", [](GradientCall& g) { return g.out(); }}},
        .samples = fma_samples,
    },
    {
        .name = "lerp",
        .signature = "lerp(input: Tensor, end: Tensor, weight: Tensor | Number) -> Tensor",
        .torch = "lerp",
        .method = "lerp",
        .doc = "From input (weight 0) to end (weight 1) in a straight line.",
        .eager = eager_blend,
        .decomposition = lerp,
        .write_blocks = write_lerp,
        .gradients = {{"input", "weight", lerp_start},
                      {"end", "weight",
                       [](GradientCall& g) { return g.b.multiply(g.out(), g["weight"]); }},
                      {"weight", "input end",
                       [](GradientCall& g) {
                         return g.b.multiply(g.out(), g.b.subtract(g["end"], g["input"]));
                       }}},
        .grad_name_of = lerp_name,
        .numbers = {.vary = {{.parameter = "weight", .floating = "input"}},
                    .held = "weight",
                    .held_in_float32 = true},
        .forms = Forms::kInPlaceAndOut,
        .output_dtype = {kFoundDType.words, true, kFoundDType.exception, weight_is_tensor},
        .samples = lerp_samples,
    },
    {
        .name = "addcmul",
        .signature = "addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Number = "
                     "1) -> Tensor",
        .torch = "addcmul",
        .method = "addcmul",
        .doc = "input + value * tensor1 * tensor2.",
        .eager = eager_blend,
        .decomposition = addcmul,
        .write_blocks = write_scaled<Blend::kAddcmul>,
        .gradients = {{"input", "", [](GradientCall& g) { return g.out(); }},
                      {"tensor1", "tensor2",
                       [](GradientCall& g) {
                         return g.b.multiply(g.out(), g.b.multiply(g["tensor2"], g["value"]));
                       }},
                      {"tensor2", "tensor1",
                       [](GradientCall& g) {
                         return g.b.multiply(g.out(), g.b.multiply(g["tensor1"], g["value"]));
                       }}},
        .grad_name = "AddcmulBackward0",
        .numbers = {.vary = {{.parameter = "value", .floating = "tensor1"}},
                    .any_in_gradients = true,
                    .held = "value",
                    .held_in_float32 = true},
        .forms = Forms::kInPlaceAndOut,
        .samples = ternary_samples,
    },
    {
        .name = "addcdiv",
        .signature = "addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Number = "
                     "1) -> Tensor",
        .torch = "addcdiv",
        .method = "addcdiv",
        .doc = "input + value * tensor1 / tensor2.",
        .eager = eager_blend,
        .decomposition = addcdiv,
        .write_blocks = write_scaled<Blend::kAddcdiv>,
        .gradients = {{"input", "", [](GradientCall& g) { return g.out(); }},
                      {"tensor1", "tensor2",
                       [](GradientCall& g) {
                         return g.b.multiply(
                             g.out(),
                             g.b.multiply(g.b.reciprocal(g.tensor("tensor2")), g["value"]));
                       }},
                      {"tensor2", "tensor1 tensor2", addcdiv_divisor}},
        .grad_name = "AddcdivBackward0",
        .numbers = {.vary = {{.parameter = "value", .floating = "tensor1"}},
                    .any_in_gradients = true,
                    .held = "value",
                    .held_in_float32 = true},
        .forms = Forms::kInPlaceAndOut,
        .samples = ternary_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> blending_entries() {
  return kEntries;
}

}  // namespace glint::ops
