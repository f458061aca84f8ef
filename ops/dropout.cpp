// Dropout: zeros at random places, what stays scaled so that the mean does.
//
//     dropout([1, 2, 3, 4], p=0.5)     [2, 0, 6, 0], or any other choice
//
// On the processor a composite of a draw and products, of which compiled code fuses the products
// into what they stand beside. On a GPU one launch draws, multiplies and notes what it kept
// (`native_dropout`), as PyTorch's does: the gradient needs one byte an element.
#include <fmt/format.h>

#include "core/tensor/accelerator.h"
#include "ops/builders.h"
#include "ops/call.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/random.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

void check_probability(double p) {
  if (p < 0 || p > 1)
    throw OpError{"ValueError",
                  fmt::format("dropout probability has to be between 0 and 1, but got {}",
                              p == int64_t(p) ? fmt::format("{:.1f}", p) : fmt::format("{}", p))};
}

bool has_no_elements(std::span<const SymInt> sizes) {
  return std::ranges::any_of(sizes, [](SymInt size) { return decide_equal(size, 0); });
}

/// Zeros with probability p, the others scaled so that the mean stays; nothing in evaluation.
std::vector<OpValue> dropout(OpBuilder& b, OpArguments arguments) {
  OpValue x = arguments[0].tensor();
  double p = as_float(arguments[1]);
  check_probability(p);
  if (p == 0.0 || !as_bool(arguments[2])) return {x};
  if (p == 1.0) return {b.multiply(x, b.full({}, 0, b.dtype(x)))};
  if (DType dtype = b.dtype(x); !is_floating(dtype)) {
    if (has_no_elements(b.sizes(x))) return {x};
    throw OpError{"RuntimeError",
                  fmt::format("result type Float can't be cast to the desired output type {}",
                              scalar_type_name(dtype))};
  }
  // Made of nothing, a draw is where the default device of the moment is: that of the call.
  if (!default_device().is_cpu()) return {b.call_all("native_dropout", {x, p}, {})[0]};
  // Of x, only its type matters to the draws: its gradient need not keep it.
  OpValue kept = b.call("bernoulli_fill", {b.call("detach", {x}), 1.0 - p});
  return {b.multiply(x, b.divide(kept, 1.0 - p))};
}

std::vector<TensorType> infer_native_dropout(const OpEntry& entry, InferArguments arguments) {
  const TensorType& input = arguments[0].tensor();
  return {like_type(input, input.dtype), like_type(input, DType::kBool)};
}

Outputs eager_native_dropout(const OpEntry& entry, Arguments arguments) {
  const Tensor& input = arguments[0].tensor();
  const double kept = 1.0 - as_float(arguments[1]);
  const Tensor mask = empty_of(infer(entry, infer_arguments(arguments))[1]);
  fill_bernoulli(mask, kept, generator_for(Device::cpu()));
  return {call_eager("multiply", {call_eager("multiply", {input, mask}), 1.0 / kept}), mask};
}

OpValue native_dropout_gradient(GradientCall& g) {
  const double kept = 1.0 - as_float(g["p"]);
  return g.b.multiply(g.b.multiply(g.out(), g.result(1)), 1.0 / kept);
}

constexpr OpEntry kEntries[] = {
    {
        .name = "dropout",
        .signature = "dropout(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor",
        .torch = "dropout",
        .functional = "dropout",
        .doc = "In training, each element is 0 with probability p and else divided by 1 - p; "
               "otherwise "
               "the input itself.",
        .decomposition = dropout,
        .effects = {.random = true},
        .forms = Forms::kInPlace,
        .samples = float_unary_samples,
    },
    {
        .name = "native_dropout",
        .signature = "native_dropout(input: Tensor, p: float = 0.5) -> Tensors",
        .doc = "`dropout` in training, and which elements it kept.",
        .infer = infer_native_dropout,
        .eager = eager_native_dropout,
        .lowering = Library{},
        .gradients = {{"input", "mask", native_dropout_gradient}},
        .grad_name = "NativeDropoutBackward0",
        .effects = {.random = true},
        .output_form = OutputForm::kNamedTuple,
        .output_names = "output mask",
        .samples = float_unary_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> dropout_entries() {
  return kEntries;
}

}  // namespace glint::ops
