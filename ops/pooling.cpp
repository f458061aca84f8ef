// Pooling: what the windows of an image come to, a number each.
//
//     max_pool(x, [2, 2], [2, 2], ...)      each window's greatest element, and where it was
//     window_sum(x, [2, 2], [2, 2], ...)    each window's sum, of which averages are made
//
// On the processor each is one loop (pooling_loops.h); elsewhere, and for a compiler, it is a few
// pointwise steps (pooling_steps.h).

#include "core/tensor/copy.h"
#include "ops/call.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/pooling_loops.h"
#include "ops/pooling_steps.h"
#include "ops/pooling_windows.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

// ---- eager -------------------------------------------------------------------------------------

bool has_numbers(const Tensor& x) {
  return x.dtype() != DType::kBool && x.device().is_cpu() && x.numel() > 0;
}
/// 16-bit floats are summed in float32, which the decomposition does.
bool has_sums(const Tensor& x) {
  return has_numbers(x) && x.dtype() != DType::kBFloat16 && x.dtype() != DType::kFloat16;
}

Dims constant_places(const Tensor& x, const PoolingWindows& w) {
  return constant_dims(place_sizes({x.sizes().begin(), x.sizes().end()}, w));
}

Outputs eager_max_pool(const OpEntry& entry, Arguments arguments) {
  if (!has_numbers(arguments[0].tensor())) return run_decomposition(entry, arguments);
  const Tensor x = contiguous(arguments[0].tensor());
  const PoolingWindows w = pooling_windows(arguments.subspan(1));
  check_fits(eager_builder(), eager_value(x), w);
  const Dims places = constant_places(x, w);
  Tensor values = Tensor::empty(places, x.dtype()), indices = Tensor::empty(places, DType::kInt64);
  max_pool_planes(PoolingPlanes(w, x.sizes()), x, values, indices);
  return {values, indices};
}

Outputs eager_max_pool_of_input(const OpEntry& entry, Arguments arguments) {
  if (!has_sums(arguments[0].tensor())) return run_decomposition(entry, arguments);
  const Tensor gradient = contiguous(arguments[0].tensor()),
               indices = contiguous(arguments[1].tensor());
  const PoolingWindows w = pooling_windows(arguments.subspan(3));
  for (const Tensor& each : {gradient, indices})
    check_numbers(eager_builder(), eager_value(each), as_ints(arguments[2]), w);
  Tensor out = Tensor::empty(constant_dims(as_ints(arguments[2])), gradient.dtype());
  max_pool_planes_back(PoolingPlanes(w, out.sizes()), gradient, indices, out);
  return out;
}

Outputs eager_window_sum(const OpEntry& entry, Arguments arguments) {
  if (!has_sums(arguments[0].tensor())) return run_decomposition(entry, arguments);
  const Tensor x = contiguous(arguments[0].tensor());
  const PoolingWindows w = pooling_windows(arguments.subspan(1));
  check_fits(eager_builder(), eager_value(x), w);
  Tensor sums = Tensor::empty(constant_places(x, w), x.dtype());
  sum_planes(PoolingPlanes(w, x.sizes()), x, sums);
  return sums;
}

Outputs eager_window_sum_of_input(const OpEntry& entry, Arguments arguments) {
  if (!has_sums(arguments[0].tensor())) return run_decomposition(entry, arguments);
  const Tensor gradient = contiguous(arguments[0].tensor());
  const PoolingWindows w = pooling_windows(arguments.subspan(2));
  check_numbers(eager_builder(), eager_value(gradient), as_ints(arguments[1]), w);
  Tensor out = Tensor::empty(constant_dims(as_ints(arguments[1])), gradient.dtype());
  sum_planes_back(PoolingPlanes(w, out.sizes()), gradient, out);
  return out;
}

// ---- gradients ---------------------------------------------------------------------------------

OpArgument sizes_of_input(GradientCall& g) {
  return OpArgument(g.sizes("input"));
}

OpValue max_pool_gradient(GradientCall& g) {
  return g.b.call("max_pool_of_input", {g.out(), g.result(1), sizes_of_input(g), g["kernel"],
                                        g["stride"], g["before"], g["after"], g["dilation"]});
}

/// What arrives at the elements that were the greatest.
OpValue chosen(GradientCall& g) {
  const OpValue indices = g.tensor("indices");
  const auto places = g.b.sizes(indices), sizes = g.b.sizes(g.out());
  const size_t dims = as_ints(g["kernel"]).size();
  const OpValue rows = g.b.reshape(g.out(), with_last_dims_as_one(sizes, dims));
  const OpValue of_windows = g.b.reshape(indices, with_last_dims_as_one(places, dims));
  return g.b.reshape(g.b.call("gather", {rows, -1, of_windows}), places);
}

OpValue window_sum_gradient(GradientCall& g) {
  return g.b.call("window_sum_of_input",
                  {g.out(), sizes_of_input(g), g["kernel"], g["stride"], g["before"], g["after"]});
}
OpValue summed_again(GradientCall& g) {
  return g.b.call("window_sum", {g.out(), g["kernel"], g["stride"], g["before"], g["after"]});
}

const char* max_pool_name(Arguments arguments) {
  return as_ints(arguments[1]).size() == 3 ? "MaxPool3DWithIndicesBackward0"
                                           : "MaxPool2DWithIndicesBackward0";
}
const char* window_sum_name(Arguments arguments) {
  return as_ints(arguments[1]).size() == 3 ? "AvgPool3DBackward0" : "AvgPool2DBackward0";
}

// ---- samples -----------------------------------------------------------------------------------

struct Form {
  std::vector<int64_t> kernel, stride, before, after;
  int64_t dilation = 1;
};

std::vector<Form> forms() {
  return {{{2, 2}, {2, 2}, {0, 0}, {0, 0}}, {{3, 2}, {2, 1}, {1, 0}, {1, 1}},
          {{3, 3}, {1, 1}, {1, 1}, {1, 1}}, {{1, 2}, {3, 1}, {0, 1}, {0, 1}},
          {{6, 5}, {2, 3}, {2, 1}, {3, 1}}, {{30, 2}, {2, 3}, {14, 0}, {15, 1}}};
}

Argument list_of(const std::vector<int64_t>& numbers) {
  Argument::List list;
  for (const int64_t number : numbers) list.emplace_back(SymInt(number));
  return Argument(std::move(list));
}

/// Tensors and what stands before the windows' numbers; sums have no dilation.
std::vector<Argument> call_of(const OpEntry& entry, std::vector<Argument> arguments,
                              const Form& form) {
  for (const auto& numbers : {form.kernel, form.stride, form.before, form.after})
    arguments.push_back(list_of(numbers));
  if (signature(entry).find("dilation"))
    arguments.push_back(list_of(std::vector<int64_t>(form.kernel.size(), form.dilation)));
  return arguments;
}

std::vector<Sample> forward_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  const auto add = [&](const Tensor& x, const Form& form) {
    samples.push_back({call_of(entry, {x}, form)});
  };
  for (const Form& form : forms()) add(sample_tensor({2, 3, 7, 6}), form);
  add(sample_tensor({3, 9}), {{3}, {2}, {1}, {1}});
  add(sample_tensor({2, 4, 5, 4}), {{2, 3, 2}, {2, 1, 2}, {1, 1, 0}, {1, 1, 0}});
  add(sample_tensor({2, 6, 6}, DType::kInt64), forms()[2]);
  add(sample_tensor({2, 6, 6}, DType::kFloat64), forms()[1]);
  if (signature(entry).find("dilation"))
    add(sample_tensor({2, 8, 9}), {{3, 2}, {2, 1}, {1, 0}, {1, 0}, 2});
  return samples;
}

/// The way back: gradients of windows in place of the input, and the input's size.
template <bool kOfGreatest>
std::vector<Sample> backward_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  const OpEntry& forward = *find_op(kOfGreatest ? "max_pool" : "window_sum");
  const auto add = [&](const std::vector<int64_t>& size, const Form& form) {
    const auto made = call_eager(forward, call_of(forward, {sample_tensor(size)}, form));
    std::vector<Argument> arguments = {sample_tensor(made[0].sizes())};
    if (kOfGreatest) arguments.emplace_back(made[1]);
    arguments.push_back(list_of(size));
    samples.push_back({call_of(entry, std::move(arguments), form)});
  };
  for (const Form& form : forms()) add({2, 3, 7, 6}, form);
  add({1, 1, 3, 3}, {{3, 3}, {3, 3}, {0, 0}, {0, 0}});
  add({0, 2, 4, 4}, forms()[0]);
  return samples;
}

constexpr OpEntry kEntries[] = {
    {
        .name = "max_pool",
        .signature = "_max_pool(input: Tensor, kernel: Size, stride: Size, before: Size, after: "
                     "Size, dilation: Size) -> Tensors",
        .torch = "_max_pool",
        .doc = "The greatest element of each window over the last dimensions, and where it is in "
               "them as one dimension. The ends get elements that are never the greatest.",
        .eager = eager_max_pool,
        .decomposition = max_pool_steps,
        .gradients = {{"input", "indices", max_pool_gradient}},
        .grad_name_of = max_pool_name,
        .output_form = OutputForm::kNamedTuple,
        .output_names = "values indices",
        .samples = forward_samples,
    },
    {
        .name = "max_pool_of_input",
        .signature = "max_pool_of_input(gradient: Tensor, indices: Tensor, size: Size, kernel: "
                     "Size, stride: Size, before: Size, after: Size, dilation: Size) -> Tensor",
        .doc = "The gradient of the input of `max_pool`, of that size: each window's goes to where "
               "its greatest element was.",
        .eager = eager_max_pool_of_input,
        .decomposition = max_pool_of_input_steps,
        .gradients = {{"gradient", "indices", chosen}},
        .grad_name = "MaxPool2DWithIndicesBackwardBackward0",
        .samples = backward_samples<true>,
    },
    {
        .name = "window_sum",
        .signature = "_window_sum(input: Tensor, kernel: Size, stride: Size, before: Size, after: "
                     "Size) -> Tensor",
        .torch = "_window_sum",
        .doc = "The sum of each window over the last dimensions. The ends get zeros.",
        .eager = eager_window_sum,
        .decomposition = window_sum_steps,
        .gradients = {{"input", "", window_sum_gradient}},
        .grad_name_of = window_sum_name,
        .samples = forward_samples,
    },
    {
        .name = "window_sum_of_input",
        .signature = "window_sum_of_input(gradient: Tensor, size: Size, kernel: Size, stride: "
                     "Size, before: Size, after: Size) -> Tensor",
        .doc = "The gradient of the input of `window_sum`, of that size: an element gets that of "
               "each window that saw it.",
        .eager = eager_window_sum_of_input,
        .decomposition = window_sum_of_input_steps,
        .gradients = {{"gradient", "", summed_again}},
        .grad_name = "AvgPool2DBackwardBackward0",
        .samples = backward_samples<false>,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> pooling_entries() {
  return kEntries;
}

}  // namespace glint::ops
