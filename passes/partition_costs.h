// What it costs to cut a joint graph in two: what each value weighs when it is saved from the
// forward for the backward, and how much work each node is when the backward does it again.
//
//     graph f(%x: f32[8], %w: f32[8], %t: f32[8]) -> (f32[8], f32[8]) {    %t: a tangent
//       %mul = multiply %x, %w        saving it: 4 * 32 = 128       again: 8
//       %y   = exp %mul               an output, so saving is free  again: 80
//       %g   = multiply %t, %y        needs %t: of the backward
//       %gx  = multiply %g, %w
//       return %y, %gx
//     }
//
// The objective. A cut is a set S of saved values. The backward does all nodes that depend on a
// tangent and that a gradient needs; what they read and S does not hold, it computes, and what
// that reads in turn: those nodes are R(S). Then
//
//     cost(S)   = sum of save(v) for v in S  +  sum of work(n) for n in R(S)
//     save(v)   = kSaveWeight * bytes of v (symbolic sizes: in the call that is captured);
//                 kReadWeight * bytes where the forward writes v to memory in any case: a library
//                 call makes or reads it, or a view of it;
//                 0 where its memory outlives the forward anyway: inputs, and what an output is or
//                 is a view of; if that may be written meanwhile, no cut at all (of an output that
//                 must not be done again: 0)
//     work(n)   = elements of n's results * cost_of(n) (1 an addition, 4 a division or a computed
//                 place, 10 an exponential); of a composite, the sum over its decomposition;
//                 and kSaveWeight * their bytes where a library call of the backward reads them, or
//                 a view of them, for then they fuse with nothing and are written to memory again;
//                 0 of views, constants and creations, and of a node that the forward's outputs do
//                 not need: the backward is its only place
//
// and no cut at all where R(S) has a node that must not be done again:
//   - an input;
//   - a random draw or a write, needed by the forward or not: they are the forward's;
//   - of the nodes that the forward's outputs need: a reduction, scan, concatenation or library
//     call, a composite with one of them, and every node to which a chain of kLongestChain other
//     operations leads.
// A view, a constant and a creation are in no S: the backward makes its own from the view's base.
//
// Not counted: a node that only gradients need is done in both parts where a saved value and a
// recomputed one both depend on it.
#pragma once

#include <optional>
#include <vector>

#include "core/support/result.h"
#include "ir/graph.h"

namespace glint::passes {

/// Which of a joint graph's parameters and outputs are which: the last `tangents` parameters are
/// the gradients of the forward's outputs; behind the first `outputs` outputs, which are the
/// forward's, stand the gradients of its inputs.
struct JointShape {
  uint32_t outputs = 0;
  uint32_t tangents = 0;
  /// By output of the forward, if any: whether its memory may be written before the backward runs,
  /// as that of a result which eager execution does not save. Empty: none.
  std::vector<bool> writable = {};
  /// The same by parameter.
  std::vector<bool> writable_inputs = {};
};

/// A byte saved is written by one part and read by the other: as dear as four additions, so an
/// f32 is worth an exponential, not two.
inline constexpr int64_t kSaveWeight = 4;
/// Of what is written already, only the reading counts.
inline constexpr int64_t kReadWeight = 2;
/// A chain of recomputed operations is no longer: kernels of the backward stay small.
inline constexpr int kLongestChain = 32;
/// Of something that is in no cut.
inline constexpr int64_t kImpossible = int64_t(1) << 60;

/// What a node is to the cut.
enum class CutClass : uint8_t {
  // done again
  kElementwise,
  kGather,  ///< one element from a computed place
  kView,
  kCreation,  ///< a constant, or made from nothing
  // never done again
  kInput,
  kReduction,
  kScan,
  kConcatenation,
  kLibraryCall,
  kRandom,
  kEffect,
  kLongChain,
};

/// A draw or a write: done once, in its place, also where no output depends on it.
constexpr bool is_pinned(CutClass cut_class) {
  return cut_class == CutClass::kRandom || cut_class == CutClass::kEffect;
}

/// In which part a node is done.
enum class CutPlace : uint8_t {
  kForward,   ///< an output of the forward, a draw or a write needs it; perhaps the backward too
  kEither,    ///< only gradients need it, but it depends on no tangent
  kBackward,  ///< it depends on a tangent
  kNowhere,
};

struct CutNode {
  CutClass cut_class = CutClass::kInput;
  CutPlace place = CutPlace::kNowhere;
  bool may_recompute = false;
  int64_t work = 0;
  std::vector<Value> operands = {};
  /// By output: what it is a view of, else the output itself.
  std::vector<Value> bases = {};
};

struct CutCosts {
  std::vector<CutNode> nodes;
  /// By node and output: what saving costs; kImpossible of what is never saved.
  std::vector<std::vector<int64_t>> save;
  /// Whether the memory is that of one of the forward's outputs.
  std::vector<std::vector<bool>> in_output;
  /// Of those: whether it may be written before the backward reads it.
  std::vector<std::vector<bool>> writable;

  const CutNode& operator[](NodeId id) const { return nodes[index(id)]; }
  int64_t save_cost(Value value) const { return save[index(value.node)][value.output]; }
};

/// An error where the shape does not fit the graph, or an output of the forward needs a tangent.
Result<CutCosts> find_cut_costs(const Graph& joint, const JointShape& shape);

/// A set of values, by node and output.
using ValueSet = std::vector<std::vector<bool>>;
ValueSet no_values(const Graph& graph);

/// What follows from a choice of saved values.
struct CutOutcome {
  int64_t cost = 0;              ///< kImpossible where there is no such cut
  std::vector<bool> recomputed;  ///< R(S), by node
  ValueSet read;                 ///< values that do not depend on a tangent and the backward reads
  std::optional<Value> missing;  ///< read, not saved, and must not be done again
};
CutOutcome evaluate_cut(const Graph& joint, const JointShape& shape, const CutCosts& costs,
                        const ValueSet& saved);

}  // namespace glint::passes
