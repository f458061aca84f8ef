#include "ops/recurrent_steps.h"

#include <algorithm>

#include "ops/builders.h"
#include "ops/infer.h"

namespace glint::ops {

namespace {

/// The arguments of a layer: input, weight_ih, weight_hh, bias, hx, cx.
constexpr size_t kInput = 0, kWeightIh = 1, kWeightHh = 2, kBias = 3, kHidden = 4, kCell = 5;

/// One place: the gates, and the state before and behind.
struct Step {
  OpValue enters, stays, fresh, leaves;
  OpValue hidden_before, cell_before;
  OpValue cell, seen, hidden;  ///< `seen` is tanh(cell)
};

OpArgument list_of(const std::vector<OpValue>& values) {
  return OpArgument(std::vector<OpArgument>(values.begin(), values.end()));
}
OpValue stacked(OpBuilder& b, const std::vector<OpValue>& values) {
  return b.call("stack", {list_of(values), 0});
}
OpValue joined(OpBuilder& b, const std::vector<OpValue>& values) {
  return b.call("cat", {list_of(values), 1});
}

Step take_step(OpBuilder& b, const OpValue& given, const OpArgument& weight, const OpValue& hidden,
               const OpValue& cell) {
  const OpValue all = b.add(b.call("linear", {hidden, weight, OpArgument()}), given);
  const std::vector<OpValue> parts = b.call_all("chunk", {all, 4, 1}, {});
  const OpValue enters = b.sigmoid(parts[0]), stays = b.sigmoid(parts[1]);
  const OpValue fresh = b.tanh(parts[2]), leaves = b.sigmoid(parts[3]);
  const OpValue next = b.add(b.multiply(stays, cell), b.multiply(enters, fresh));
  const OpValue seen = b.tanh(next);
  return {enters, stays, fresh, leaves, hidden, cell, next, seen, b.multiply(leaves, seen)};
}

/// The steps in the order in which they are taken.
std::vector<Step> take_steps(OpBuilder& b, OpArguments layer, bool reverse) {
  const int64_t places = as_constant(OpArgument(b.sizes(layer[kInput].tensor())[0]));
  const OpValue given = b.call("linear", {layer[kInput], layer[kWeightIh], layer[kBias]});
  OpValue hidden = layer[kHidden].tensor(), cell = layer[kCell].tensor();
  std::vector<Step> steps;
  for (int64_t i = 0; i < places; ++i) {
    const int64_t place = reverse ? places - 1 - i : i;
    steps.push_back(
        take_step(b, b.call("select", {given, 0, place}), layer[kWeightHh], hidden, cell));
    hidden = steps.back().hidden;
    cell = steps.back().cell;
  }
  return steps;
}

template <class Value>
OpValue by_place(OpBuilder& b, const std::vector<Step>& steps, bool reverse, Value&& value) {
  std::vector<OpValue> values;
  for (const Step& step : steps) values.push_back(value(step));
  if (reverse) std::ranges::reverse(values);
  return stacked(b, values);
}

/// y (1 - y), the slope of a sigmoid that gave y.
OpValue sigmoid_slope(OpBuilder& b, const OpValue& y) {
  return b.multiply(y, b.subtract(1.0, y));
}
/// 1 - y^2, of a tanh.
OpValue tanh_slope(OpBuilder& b, const OpValue& y) {
  return b.subtract(1.0, b.multiply(y, y));
}

/// The gradients of a state.
struct StateGradients {
  OpValue hidden, cell;
};

/// Of what went into the gates; the state's gradients become those of the state before.
OpValue step_back(OpBuilder& b, const Step& step, const OpArgument& weight, StateGradients& state) {
  const OpValue through =
      b.multiply(b.multiply(state.hidden, step.leaves), tanh_slope(b, step.seen));
  const OpValue of_cell = b.add(state.cell, through);
  const OpValue of_gates =
      joined(b, {b.multiply(b.multiply(of_cell, step.fresh), sigmoid_slope(b, step.enters)),
                 b.multiply(b.multiply(of_cell, step.cell_before), sigmoid_slope(b, step.stays)),
                 b.multiply(b.multiply(of_cell, step.enters), tanh_slope(b, step.fresh)),
                 b.multiply(b.multiply(state.hidden, step.seen), sigmoid_slope(b, step.leaves))});
  state = {b.call("mm", {of_gates, weight}), b.multiply(of_cell, step.stays)};
  return of_gates;
}

OpValue as_matrix(OpBuilder& b, const OpValue& by_place) {
  return b.reshape(by_place, {-1, b.sizes(by_place)[2]});
}

}  // namespace

std::vector<OpValue> lstm_layer_steps(OpBuilder& b, OpArguments arguments) {
  const bool reverse = as_bool(arguments[6]);
  const std::vector<Step> steps = take_steps(b, arguments, reverse);
  const auto gates = [&](const Step& step) {
    return joined(b, {step.enters, step.stays, step.fresh, step.leaves});
  };
  return {by_place(b, steps, reverse, [](const Step& step) { return step.hidden; }),
          steps.back().hidden, steps.back().cell, by_place(b, steps, reverse, gates),
          by_place(b, steps, reverse, [](const Step& step) { return step.cell; })};
}

std::vector<OpValue> lstm_layer_backward_steps(OpBuilder& b, OpArguments arguments) {
  const OpArguments layer = arguments.subspan(3);
  const bool reverse = as_bool(arguments.back());
  const std::vector<Step> steps = take_steps(b, layer, reverse);
  const auto places = int64_t(steps.size());
  StateGradients state = {arguments[1].tensor(), arguments[2].tensor()};
  std::vector<OpValue> of_gates(steps.size());
  for (int64_t i = places; i-- > 0;) {
    const int64_t place = reverse ? places - 1 - i : i;
    state.hidden = b.add(state.hidden, b.call("select", {arguments[0], 0, place}));
    of_gates[size_t(place)] = step_back(b, steps[size_t(i)], layer[kWeightHh], state);
  }
  const OpValue slopes = as_matrix(b, stacked(b, of_gates));
  const OpValue turned = b.permute(slopes, {1, 0});
  const OpValue before = as_matrix(
      b, by_place(b, steps, reverse, [](const Step& step) { return step.hidden_before; }));
  const OpValue input = layer[kInput].tensor();
  return {b.reshape(b.call("mm", {slopes, layer[kWeightIh]}), b.sizes(input)),
          b.call("mm", {turned, as_matrix(b, input)}),
          b.call("mm", {turned, before}),
          b.sum(slopes, {0}),
          state.hidden,
          state.cell};
}

}  // namespace glint::ops
