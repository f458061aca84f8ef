// Blending tensors, element by element: lerp, addcmul, addcdiv.
//
//     addcmul(x, a, b, value=0.1)      x + 0.1 * a * b
//
// Each is a composite of a few pointwise steps. Run eagerly on plain tensors, the steps are taken
// block by block, so that what lies between them stays near the processor: an optimiser's update
// walks its tensors once. The bits are those of the steps one by one.
#include <algorithm>

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

/// input + weight * (end - input) near input, end - (end - input) * (1 - weight) near end.
std::vector<OpValue> lerp(OpBuilder& b, OpArguments arguments) {
  OpValue start = arguments[0].tensor();
  OpValue end = arguments[1].tensor();
  if (b.dtype(start) != b.dtype(end))
    throw OpError{"RuntimeError",
                  fmt::format("expected dtype {} for `end` but got dtype {}",
                              message_dtype(b.dtype(start)), message_dtype(b.dtype(end)))};
  OpValue span = b.subtract(end, start);
  if (!arguments[2].is_value()) {
    double weight = as_float(arguments[2]);
    if (weight < 0.5 && weight > -0.5) return {b.add(start, b.multiply(span, weight))};
    return {b.subtract(end, b.multiply(span, 1.0 - weight))};
  }
  OpValue weight = arguments[2].tensor();
  // A number that varies: with all its digits until it meets the span.
  bool number = b.type(weight).scalar;
  if (number) weight = b.add(b.full({}, 0.0, DType::kFloat64), weight);
  OpValue near_start = b.less(b.call("abs", {weight}), 0.5);
  OpValue part = b.where(near_start, weight, b.subtract(weight, 1.0));
  if (number) part = b.to(part, b.dtype(span));
  return {b.add(b.where(near_start, start, end), b.multiply(span, part))};
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
  OpValue product = b.multiply(b.multiply(first, value), arguments[2]);
  return {b.add(arguments[0], product)};
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
  OpValue quotient = b.divide(b.multiply(arguments[1], arguments[3]), arguments[2]);
  return {b.add(arguments[0], quotient)};
}

// ---- block by block ----------------------------------------------------------------------------

using scalar::ElementwiseLoops;

/// Of each tensor: a few of them lie in a core's first cache together.
constexpr int64_t kBlockBytes = 8192;

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

/// `body(offset in bytes, scratch of a block, count)`, on all threads.
template <class F>
void for_each_block(const Tensor& out, F&& body) {
  auto size = int64_t(out.element_size());
  parallel_ranges(out.numel(), Work::kLight, [&](int64_t begin, int64_t end) {
    alignas(64) std::byte scratch[kBlockBytes];
    for (int64_t most = kBlockBytes / size; begin < end; begin += most)
      body(begin * size, scratch, std::min(most, end - begin));
  });
}

const ElementwiseLoops& loops_of(ScalarFunction function, const Tensor& out) {
  const ElementwiseLoops* loops = scalar::elementwise_loops(function, out.dtype());
  check(loops != nullptr, "arithmetic has loops for floating dtypes");
  return *loops;
}

bool write_lerp(const OpEntry& entry, Arguments arguments, const Tensor& out) {
  if (arguments[2].is_value()) return false;
  const Tensor& start = arguments[0].tensor();
  const Tensor& end = arguments[1].tensor();
  if (!in_step(out, {&start, &end})) return false;
  double weight = as_float(arguments[2]);
  bool near_start = weight < 0.5 && weight > -0.5;
  Element share(near_start ? weight : 1.0 - weight, out.dtype());
  const ElementwiseLoops& subtract = loops_of(ScalarFunction::kSubtract, out);
  const ElementwiseLoops& multiply = loops_of(ScalarFunction::kMultiply, out);
  const ElementwiseLoops& add = loops_of(ScalarFunction::kAdd, out);
  for_each_block(out, [&](int64_t at, std::byte* span, int64_t count) {
    subtract.binary(end.raw_data() + at, start.raw_data() + at, span, count);
    multiply.right_scalar(span, share.bytes, span, count);
    if (near_start)
      add.binary(start.raw_data() + at, span, out.raw_data() + at, count);
    else
      subtract.binary(end.raw_data() + at, span, out.raw_data() + at, count);
  });
  return true;
}

/// input + (tensor1 * value) `combine` tensor2
bool write_scaled(const OpEntry& entry, Arguments arguments, const Tensor& out,
                  ScalarFunction combine) {
  const Tensor& input = arguments[0].tensor();
  const Tensor& first = arguments[1].tensor();
  const Tensor& second = arguments[2].tensor();
  if (!in_step(out, {&input, &first, &second})) return false;
  Element value(as_scalar(argument(entry, arguments, "value")), out.dtype());
  const ElementwiseLoops& multiply = loops_of(ScalarFunction::kMultiply, out);
  const ElementwiseLoops& combined = loops_of(combine, out);
  const ElementwiseLoops& add = loops_of(ScalarFunction::kAdd, out);
  for_each_block(out, [&](int64_t at, std::byte* step, int64_t count) {
    multiply.right_scalar(first.raw_data() + at, value.bytes, step, count);
    combined.binary(step, second.raw_data() + at, step, count);
    add.binary(input.raw_data() + at, step, out.raw_data() + at, count);
  });
  return true;
}

bool write_addcmul(const OpEntry& entry, Arguments arguments, const Tensor& out) {
  return write_scaled(entry, arguments, out, ScalarFunction::kMultiply);
}

bool write_addcdiv(const OpEntry& entry, Arguments arguments, const Tensor& out) {
  return write_scaled(entry, arguments, out, ScalarFunction::kDivide);
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

const char* lerp_name(Arguments arguments) {
  return arguments.size() > 2 && arguments[2].is_value() ? "LerpBackward1" : "LerpBackward0";
}
bool weight_is_tensor(InferArguments inputs) {
  return inputs[2].is_value();
}

constexpr OpEntry kEntries[] = {
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
        .numbers = {.vary = {{.parameter = "weight", .floating = "input"}}},
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
        .write_blocks = write_addcmul,
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
                    .any_in_gradients = true},
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
        .write_blocks = write_addcdiv,
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
                    .any_in_gradients = true},
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
