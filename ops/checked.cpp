// What an operator demands of the values that it is given, as an operator of its own.
//
//     checked(x, x >= 0, "x is negative")      x, or an error that says "x is negative"
//
// Fused code checks each element where it is read, in the loop that goes on with it, so that a
// check costs no launch and no pass over memory. `binary_cross_entropy` checks its probabilities
// so.
#include "core/tensor/copy.h"
#include "ops/call.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/sample_parts.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

std::vector<TensorType> infer_checked(const OpEntry& entry, InferArguments arguments) {
  const TensorType &input = arguments[0].tensor(), &condition = arguments[1].tensor();
  if (!is_bool(condition.dtype))
    throw OpError{"RuntimeError", "checked(): the condition is a tensor of bool"};
  TensorType type = TensorType::tensor(input.dtype, input.sizes, input.device);
  if (broadcast(input.sizes, condition.sizes) != type.sizes)
    throw OpError{"RuntimeError", "checked(): the condition is for elements of the input"};
  return {type};
}

Outputs eager_checked(const OpEntry& entry, Arguments arguments) {
  infer_checked(entry, infer_arguments(arguments));
  const Tensor all = call_eager("all", {arguments[1]});
  if (!*all.data<bool>()) throw OpError{"RuntimeError", *arguments[2].get_if<std::string>()};
  return call_eager("copy", {arguments[0]});
}

std::vector<Sample> checked_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  auto holds = [](std::initializer_list<int64_t> sizes, bool truth) {
    return Tensor::full(IntSpan(sizes.begin(), sizes.size()), truth, DType::kBool);
  };
  for (DType dtype : kDTypes) {
    for (const Tensor& x : sample_inputs(dtype))
      add(samples, entry, {x, Tensor::full(x.sizes(), true, DType::kBool), "wrong"});
    const Tensor x = sample_tensor({3, 4}, dtype);
    add(samples, entry, {x, holds({4}, true), "wrong"});
    add(samples, entry, {x, holds({3, 1}, true), "wrong"});
    add(samples, entry, {x, holds({}, true), "wrong"});
  }
  return samples;
}

constexpr OpEntry kEntries[] = {
    {
        .name = "checked",
        .signature = "checked(input: Tensor, condition: Tensor, message: str) -> Tensor",
        .doc = "The input, where the condition is true everywhere; else an error with the message.",
        .infer = infer_checked,
        .eager = eager_checked,
        .lowering = Checked{},
        .gradients = {{"input", "", [](GradientCall& g) { return g.out(); }}},
        .effects = {.may_fail = true},
        .samples = checked_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> checked_entries() {
  return kEntries;
}

}  // namespace glint::ops
