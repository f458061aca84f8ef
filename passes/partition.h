// Cuts a joint graph, a forward with its gradients, into the two graphs that run apart: the
// backward gets what the forward saves for it, and does the rest again.
//
//     graph f(%x: f32[8], %t: f32[8]) -> (f32[8], f32[8]) {        1 output, 1 tangent
//       %sigmoid = sigmoid %x
//       %y  = multiply %x, %sigmoid
//       %a  = multiply %t, %sigmoid
//       %b  = subtract 1, %sigmoid                     ...
//       return %y, %gx
//     }
//     forward    f_forward(%x) -> %y
//     backward   f_backward(%x, %t) -> %gx             %x is saved, %sigmoid done again
//
// What is saved is the cheapest by the objective that partition_costs.h states: bytes saved against
// work done again. The steps:
//   1. say for each node where it may be done and what that costs (`find_cut_costs`);
//   2. make a network: a node `in` for each call that depends on no tangent, a node `out` for each
//      of its results;
//          source -> in    work(n); no cut where n must not be done again
//          in -> out       save(v)
//          out -> in       of a reader: no cut
//          out -> sink     no cut, where the backward's own nodes, or a gradient, read it
//      On the sink's side is what the backward computes (`in`) or has (`out`): an edge `in -> out`
//      in the cut is a saved value, an edge `source -> in` a node done again;
//   3. find the minimum cut (minimum_cut.h), of equal ones that which does least again;
//   4. copy out the forward, up to its outputs and the saved values, and the backward, from the
//      saved values and tangents on. What neither needs is dropped; draws and writes stay.
//
// The graph may hold composites: one is done again as a whole or not. After `decompose` and
// `common_subexpressions` the cut is finer.
#pragma once

#include <cstdint>
#include <vector>

#include "core/support/result.h"
#include "core/support/stage_log.h"
#include "ir/graph.h"
#include "passes/partition_costs.h"

namespace glint::passes {

/// Where the forward has a value that the backward is given.
struct SavedValue {
  bool is_input = false;  ///< else an output: from `JointShape::outputs` on those that only the
                          ///< backward reads
  uint32_t index = 0;     ///< among the forward's parameters or outputs
  Value value = {};       ///< of the joint graph
  bool operator==(const SavedValue&) const = default;
};

/// What becomes of a value of the forward that gradients depend on.
enum class CutFate : uint8_t {
  kSaved,
  kRecomputed,  ///< the backward does it again
  kDeferred,    ///< only the backward does it
  kNotRead,     ///< what depends on it is saved
};

enum class CutReason : uint8_t {
  // saved
  kAliveInput,
  kAliveOutput,
  kAliveMemory,  ///< of an output that is a view of it
  kNeverAgain,   ///< its class says why
  kCheaperSaved,
  // recomputed
  kView,
  kFromNothing,
  kWritable,  ///< of an output that may be written meanwhile
  kCheaperAgain,
  // the rest
  kDeferred,
  kNotRead,
};

struct CutDecision {
  Value value;  ///< of the joint graph
  CutFate fate = CutFate::kSaved;
  CutReason reason = CutReason::kNeverAgain;
  SymInt bytes = 0;
};

struct Partition {
  /// Inputs to outputs; behind these the saved values that are neither.
  Graph forward;
  /// Saved values, then all tangents, to gradients.
  Graph backward;
  /// One for each of the backward's first parameters.
  std::vector<SavedValue> saved;
  /// The symbols that sizes and arguments of the backward have, ascending: `s0` is 0.
  std::vector<uint32_t> symbols;
  /// One a value of the forward that gradients depend on, in the joint graph's order.
  std::vector<CutDecision> decisions;

  JointShape shape;
  CutCosts costs;
  ValueSet saved_values;
  /// Of the objective.
  int64_t cost = 0;
};

/// An error where the shape does not fit the graph, or an output of the forward needs a tangent.
Result<Partition> partition(const Graph& joint, const JointShape& shape);

/// One line a decision, saved values with their readers in the backward graph, and the sums:
///
///     saved       %x        f32[64, 8]   2048 bytes   an input: alive anyway; for %sigmoid
///     recomputed  %sigmoid  f32[64, 8]   2048 bytes   its work of 5120 is less than the 8192 of
///     ...
std::vector<StageLine> partition_lines(const Graph& joint, const Partition& cut);

}  // namespace glint::passes
