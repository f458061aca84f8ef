// Backward: runs the nodes of a graph, from results to leaves.
//
//     run_backward(runner, {loss}, {}, {})                    loss.backward()
//     run_backward(runner, {y}, {dy}, {.inputs = {x}})        torch.autograd.grad(y, x, dy)
//
// First the nodes that are reached are counted, with the gradients that each will get; then a node
// runs when all of its gradients are there, the one recorded last first. Gradients that meet are
// added. When a node has run, what it saved is freed, unless the graph is kept.
#pragma once

#include <span>
#include <vector>

#include "runtime/autograd/record.h"

namespace glint::autograd {

struct BackwardOptions {
  /// Whose gradients are wanted; none: those of all leaves.
  std::span<const Tensor> inputs = {};
  /// Adds to `grad` of the inputs (all leaves, or `inputs`) instead of giving the gradients back.
  bool accumulates = true;
  bool keeps_graph = false;
  /// Nothing runs behind the inputs, even where that leads to another of them.
  bool stops_at_inputs = false;
  /// Records the derivative's own derivatives.
  bool creates_graph = false;
  /// An input that the results do not depend on is no error: its gradient is an undefined tensor.
  bool allows_unused = false;
  /// Where the run is given up half way (`Interrupted`), tape and gradients are as they were: what
  /// it frees and sets it frees and sets at its end. It may then be done once more.
  bool may_be_given_up = false;
  /// Where given, gets the numbers of the inputs in the order in which their gradients were there.
  std::vector<size_t>* arrivals = nullptr;
};

/// While it is on, calls remember where the script made them, and backward stops at the first node
/// that gives a NaN (if `checks_nan`).
struct AnomalyMode {
  bool enabled = false;
  bool checks_nan = true;
};
AnomalyMode& anomaly_mode();

/// `gradients` has one a root: undefined for 1, which only a root of one element may have. Gives
/// the gradients of the inputs where they are not accumulated. Throws OpError in PyTorch's words.
std::vector<Tensor> run_backward(OperatorRunner& runner, std::span<const Tensor> roots,
                                 std::span<const Tensor> gradients, const BackwardOptions& options);

}  // namespace glint::autograd
