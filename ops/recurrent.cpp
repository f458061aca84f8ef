// Recurrent layers: an LSTM over all places of a sequence.
//
//     output, hidden, cell, gates, cells = lstm_layer(input, weight_ih, weight_hh, bias, hx, cx)
//
// On the processor a layer of float32 is one call, in a graph too, whatever the number of places
// (recurrent_layer.h); elsewhere it is made of operators (recurrent_steps.h). The last two results
// are kept for the way back.
#include <fmt/format.h>

#include "core/tensor/copy.h"
#include "ops/call.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/recurrent_layer.h"
#include "ops/recurrent_steps.h"
#include "ops/samples.h"

namespace glint::ops {

namespace {

constexpr size_t kLayerTensors = 6;  ///< input, weight_ih, weight_hh, bias, hx, cx
/// What stands before the layer's arguments on the way back: the gradients of its three results.
constexpr size_t kArrived = 3;

// ---- types -------------------------------------------------------------------------------------

void check_sizes(const InferArgument& tensor, const char* name,
                 std::initializer_list<SymInt> expected) {
  if (tensor.is_none()) return;
  const std::vector<SymInt>& sizes = tensor.tensor().sizes;
  bool fits = sizes.size() == expected.size();
  for (size_t i = 0; fits && i < sizes.size(); ++i)
    fits = decide_equal(sizes[i], expected.begin()[i]);
  if (fits) return;
  throw OpError{
      "RuntimeError",
      fmt::format("lstm_layer(): {} of size {} was expected, got {}", name,
                  ints_text(std::span(expected.begin(), expected.size())), ints_text(sizes))};
}

/// The sizes that all others follow from.
struct LayerSizes {
  SymInt places, batch, features, width;
};
LayerSizes checked_sizes(InferArguments layer) {
  const TensorType &input = layer[0].tensor(), &weight = layer[2].tensor();
  if (input.rank() != 3 || weight.rank() != 2)
    throw OpError{"RuntimeError", "lstm_layer(): the input has three dimensions, weights have two"};
  const LayerSizes sizes = {input.sizes[0], input.sizes[1], input.sizes[2], weight.sizes[1]};
  if (decide_equal(sizes.places, 0))
    throw OpError{"RuntimeError", "Expected sequence length to be larger than 0 in RNN"};
  const SymInt gates = sizes.width * 4;
  check_sizes(layer[1], "weight_ih", {gates, sizes.features});
  check_sizes(layer[2], "weight_hh", {gates, sizes.width});
  check_sizes(layer[3], "bias", {gates});
  check_sizes(layer[4], "hx", {sizes.batch, sizes.width});
  check_sizes(layer[5], "cx", {sizes.batch, sizes.width});
  for (size_t i = 1; i < kLayerTensors; ++i) {
    if (layer[i].is_none() || layer[i].tensor().dtype == input.dtype) continue;
    throw OpError{"RuntimeError",
                  fmt::format("expected scalar type {} but found {}", scalar_type_name(input.dtype),
                              scalar_type_name(layer[i].tensor().dtype))};
  }
  return sizes;
}

std::vector<TensorType> infer_layer(const OpEntry& entry, InferArguments arguments) {
  const LayerSizes sizes = checked_sizes(arguments);
  const TensorType& input = arguments[0].tensor();
  const auto made = [&](std::vector<SymInt> dims) {
    return TensorType::tensor(input.dtype, std::move(dims), input.device);
  };
  const TensorType state = made({sizes.batch, sizes.width});
  return {made({sizes.places, sizes.batch, sizes.width}), state, state,
          made({sizes.places, sizes.batch, sizes.width * 4}),
          made({sizes.places, sizes.batch, sizes.width})};
}

std::vector<TensorType> infer_backward(const OpEntry& entry, InferArguments arguments) {
  const InferArguments layer = arguments.subspan(kArrived, kLayerTensors);
  const LayerSizes sizes = checked_sizes(layer);
  check_sizes(arguments[0], "a gradient", {sizes.places, sizes.batch, sizes.width});
  for (size_t i = 1; i < kArrived; ++i)
    check_sizes(arguments[i], "a gradient", {sizes.batch, sizes.width});
  check_sizes(arguments[9], "gates", {sizes.places, sizes.batch, sizes.width * 4});
  check_sizes(arguments[10], "cells", {sizes.places, sizes.batch, sizes.width});
  const TensorType& input = layer[0].tensor();
  const auto made = [&](std::vector<SymInt> dims) {
    return TensorType::tensor(input.dtype, std::move(dims), input.device);
  };
  const SymInt gates = sizes.width * 4;
  const TensorType state = made({sizes.batch, sizes.width});
  return {made(input.sizes),
          made({gates, sizes.features}),
          made({gates, sizes.width}),
          made({gates}),
          state,
          state};
}

// ---- eager -------------------------------------------------------------------------------------

bool has_loop(DType dtype, Device device) {
  return dtype == DType::kFloat32 && device.is_cpu();
}

/// What has no loop is made of operators.
template <Decomposition kSteps, size_t kFirst>
std::vector<OpValue> without_loop(OpBuilder& b, OpArguments arguments) {
  const TensorType type = b.type(arguments[kFirst].tensor());
  if (has_loop(type.dtype, type.device)) return {};
  return kSteps(b, arguments);
}
constexpr Decomposition kForwardSteps = without_loop<lstm_layer_steps, 0>;
constexpr Decomposition kBackwardSteps = without_loop<lstm_layer_backward_steps, kArrived>;

Tensor plain(const Argument& argument) {
  return row_major(contiguous(argument.tensor()));
}

/// Of arguments that were checked. `bias` holds what the layer points at.
LstmLayer layer_of(Arguments arguments, bool reverse, Tensor& bias) {
  LstmLayer layer = {.input = plain(arguments[0]),
                     .weight_ih = plain(arguments[1]),
                     .weight_hh = plain(arguments[2]),
                     .hidden = plain(arguments[4]),
                     .cell = plain(arguments[5]),
                     .reverse = reverse};
  if (arguments[3].is_none()) return layer;
  bias = plain(arguments[3]);
  layer.bias = &bias;
  return layer;
}

Outputs eager_layer(const OpEntry& entry, Arguments arguments) {
  infer_layer(entry, infer_arguments(arguments));
  const Tensor& input = arguments[0].tensor();
  if (!has_loop(input.dtype(), input.device())) return run_decomposition(entry, arguments);
  Tensor bias;
  LstmResults made = run_lstm_layer(layer_of(arguments, as_bool(arguments[6]), bias));
  return Outputs({made.output, made.hidden, made.cell, made.gates, made.cells});
}

Outputs eager_backward(const OpEntry& entry, Arguments arguments) {
  infer_backward(entry, infer_arguments(arguments));
  const Tensor& input = arguments[kArrived].tensor();
  if (!has_loop(input.dtype(), input.device())) return run_decomposition(entry, arguments);
  Tensor bias;
  const LstmLayer layer = layer_of(arguments.subspan(kArrived), as_bool(arguments[11]), bias);
  LstmGradients made = run_lstm_layer_back(layer, {.output = plain(arguments[0]),
                                                   .hidden = plain(arguments[1]),
                                                   .cell = plain(arguments[2]),
                                                   .gates = plain(arguments[9]),
                                                   .cells = plain(arguments[10])});
  return Outputs({made.input, made.weight_ih, made.weight_hh, made.bias, made.hidden, made.cell});
}

/// Multiply-adds as two: each place's products with the input and the hidden state.
SymInt layer_operations(InferArguments arguments, const TensorType& output) {
  const LayerSizes sizes = checked_sizes(arguments);
  return sizes.places * sizes.batch * sizes.width * 8 * (sizes.features + sizes.width);
}
SymInt backward_operations(InferArguments arguments, const TensorType& output) {
  return layer_operations(arguments.subspan(kArrived, kLayerTensors), output) * 2;
}

// ---- gradients ---------------------------------------------------------------------------------

constexpr const char* kSaved = "input weight_ih weight_hh bias hx cx gates cells";

template <size_t kPlace>
OpValue of_argument(GradientCall& g) {
  return g.shared([&] {
    return g.b.call_all("lstm_layer_backward",
                        {g.out(0), g.out(1), g.out(2), g["input"], g["weight_ih"], g["weight_hh"],
                         g["bias"], g["hx"], g["cx"], g.result(3), g.result(4), g["reverse"]},
                        {});
  })[kPlace];
}

// ---- samples -----------------------------------------------------------------------------------

struct Size {
  int64_t places, batch, features, width;
};

std::vector<Argument> layer_arguments(const Size& s, DType dtype, bool has_bias) {
  return {sample_tensor({s.places, s.batch, s.features}, dtype),
          sample_tensor({4 * s.width, s.features}, dtype),
          sample_tensor({4 * s.width, s.width}, dtype),
          has_bias ? Argument(sample_tensor({4 * s.width}, dtype)) : Argument(),
          sample_tensor({s.batch, s.width}, dtype),
          sample_tensor({s.batch, s.width}, dtype)};
}

/// Of each size, one way and the other.
template <class Make>
std::vector<Sample> for_sizes(Make&& make) {
  std::vector<Sample> samples;
  for (const Size& size : {Size{3, 2, 4, 5}, Size{1, 1, 1, 1}, Size{4, 3, 2, 20}, Size{2, 0, 3, 4}})
    for (const bool reverse : {false, true})
      samples.push_back({make(size, DType::kFloat32, reverse)});
  samples.push_back({make(Size{2, 3, 4, 3}, DType::kFloat64, false)});
  return samples;
}

std::vector<Sample> layer_samples(const OpEntry& entry) {
  return for_sizes([](const Size& size, DType dtype, bool reverse) {
    std::vector<Argument> arguments = layer_arguments(size, dtype, !reverse);
    arguments.emplace_back(reverse);
    return arguments;
  });
}

std::vector<Sample> backward_samples(const OpEntry& entry) {
  return for_sizes([](const Size& size, DType dtype, bool reverse) {
    std::vector<Argument> layer = layer_arguments(size, dtype, !reverse);
    layer.emplace_back(reverse);
    const auto made = call_eager(*find_op("lstm_layer"), layer).to_vector();
    std::vector<Argument> arguments = {sample_tensor(made[0].sizes(), dtype),
                                       sample_tensor(made[1].sizes(), dtype),
                                       sample_tensor(made[2].sizes(), dtype)};
    arguments.insert(arguments.end(), layer.begin(), layer.end() - 1);
    arguments.insert(arguments.end(), {made[3], made[4], reverse});
    return arguments;
  });
}

constexpr OpEntry kEntries[] = {
    {
        .name = "lstm_layer",
        .signature = "_lstm_layer(input: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias: "
                     "Tensor | None, hx: Tensor, cx: Tensor, reverse: bool) -> Tensors",
        .torch = "_lstm_layer",
        .doc = "One direction of one layer of an LSTM: the hidden state at each place, the last "
               "state, and gates and cells at each place, for the way back.",
        .infer = infer_layer,
        .eager = eager_layer,
        .lowering = Library{layer_operations},
        .decomposition = kForwardSteps,
        .gradients = {{"input", kSaved, of_argument<0>},
                      {"weight_ih", kSaved, of_argument<1>},
                      {"weight_hh", kSaved, of_argument<2>},
                      {"bias", kSaved, of_argument<3>},
                      {"hx", kSaved, of_argument<4>},
                      {"cx", kSaved, of_argument<5>}},
        .grad_name = "MkldnnRnnLayerBackward0",
        .differentiable_results = 3,
        .output_form = OutputForm::kNamedTuple,
        .output_names = "output hidden cell gates cells",
        .tolerance = {.relative = 1e-4, .absolute = 1e-5},
        .samples = layer_samples,
    },
    {
        .name = "lstm_layer_backward",
        .signature = "lstm_layer_backward(output: Tensor, hidden: Tensor, cell: Tensor, input: "
                     "Tensor, weight_ih: Tensor, weight_hh: Tensor, bias: Tensor | None, hx: "
                     "Tensor, cx: Tensor, gates: Tensor, cells: Tensor, reverse: bool) -> Tensors",
        .doc = "The gradients of the tensors that `lstm_layer` is called with, from those of its "
               "first three results.",
        .infer = infer_backward,
        .eager = eager_backward,
        .lowering = Library{backward_operations},
        .decomposition = kBackwardSteps,
        .recorded = lstm_layer_backward_steps,
        .output_form = OutputForm::kTuple,
        .tolerance = {.relative = 1e-4, .absolute = 1e-5},
        .samples = backward_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> recurrent_entries() {
  return kEntries;
}

}  // namespace glint::ops
