// Where a region ends with a live tape: its outputs carry a compiled backward.
//
//     y = fast(x)          the region's forward runs, and saves what the backward will read
//     y.sum().backward()   ... reaches the region's node: the backward graph, which was cut from
//                          the joint one, is compiled now, if it has never been, and runs
//
// The node stands for the whole region: one edge an input that requires a gradient.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "core/support/result.h"
#include "core/support/stage_log.h"
#include "core/tensor/generator.h"
#include "ir/symbolic.h"
#include "passes/partition.h"
#include "passes/pass_log.h"
#include "runtime/autograd/node.h"
#include "runtime/capture/options.h"

namespace glint::capture {

/// A value of the forward's that calls on the tape have kept.
struct KeptValue {
  passes::SavedValue value;
  std::vector<bool>
      by_result;  ///< by each of `JointGraph::outputs`: its gradient meets such a call
};

/// A joint graph as a trace makes it: the forward's parameters, then one tangent for each of
/// `outputs`; the forward's outputs, then one gradient for each of `inputs`.
struct JointGraph {
  Graph graph;
  std::vector<uint32_t> outputs;  ///< of the forward: those that gradients flow through
  std::vector<uint32_t> inputs;   ///< of the forward: those that get a gradient
  /// By output of the forward: whether eager execution saves nothing of its memory, so that a write
  /// to it changes no gradient.
  std::vector<bool> writable;
  /// The same by input.
  std::vector<bool> writable_inputs;
  /// By output of the forward: whether eager execution saves it for the call that gave it, and for
  /// no other.
  std::vector<bool> results = {};
  /// By each of `outputs`, then by each of `inputs`: the tape leads from one to the other.
  std::vector<std::vector<bool>> reaches;
  /// See `autograd::ResultRelations`.
  std::vector<std::vector<bool>> spends;
  /// Inputs and outputs of the forward whose memory eager execution keeps.
  std::vector<KeptValue> kept;
  /// The places in `inputs` in the order in which their gradients are there.
  std::vector<uint32_t> order;
};

/// What joint graphs are called in the log: `f.joint`.
inline constexpr std::string_view kJointSuffix = ".joint";

/// A joint graph that was cut, for who wants to see it.
struct JointCut {
  Graph graph;  ///< as it was cut
  passes::Partition cut;
};

/// Within the scope of the trace's sizes; an error where it cannot be cut.
Result<JointCut> cut_joint(const Graph& traced, const passes::JointShape& shape);

/// The forward once more, operator by operator: for who wants the gradients of a gradient.
struct Replay {
  std::shared_ptr<const Graph> graph = {};
  std::set<std::string> unrecorded = {};  ///< nodes that ran without grad mode
  std::vector<uint32_t> outputs = {};     ///< those that gradients flow through
  std::vector<uint32_t> inputs = {};      ///< those that get a gradient
};

/// What a region does for gradients after each run.
struct RegionGradients {
  std::vector<uint32_t> outputs = {};  ///< those that get the node
  std::vector<uint32_t> inputs = {};   ///< where its edges lead
  /// What the backward takes; then, where the region is exact, what is kept for the check alone
  /// that nobody wrote it.
  std::vector<passes::SavedValue> saved = {};
  /// By output: see `JointGraph::results`.
  std::vector<bool> results = {};
  /// Null: the outputs went backward inside the region already.
  std::shared_ptr<autograd::CompiledBackward> backward = {};
  /// See `autograd::CompiledCall`.
  std::shared_ptr<const std::vector<autograd::EagerCall>> shown_as = {};
  std::shared_ptr<const autograd::ResultRelations> relations = {};
  bool exact = false;
};

/// All but what its results are shown as and the backward itself, of a joint graph that was cut;
/// `forward`: the graph that the region had before. `exact`: see `autograd::CompiledCall`.
RegionGradients gradients_of(const Graph& forward, JointGraph joint, const passes::Partition& cut,
                             bool exact);

/// A run of a backward, for who runs it again.
struct BackwardRun {
  const Artifact& about;
  std::shared_ptr<const Graph> graph;
  std::shared_ptr<const passes::PassLog> passes;
  std::span<const Tensor> inputs;
  std::span<const int64_t> symbols;
  Generator generator;  ///< as it was before
};

/// What a backward is compiled from, when it first runs.
struct BackwardPlan {
  std::shared_ptr<const Graph> graph;
  std::string backend;
  ShapeEnvironment shapes;  ///< what the region knows of its symbols
  Artifact about;           ///< whose function and place its artifacts get
  std::optional<Replay> replay;
  bool records_launches = false;  ///< see `BackendOptions`
  bool tunes_kernels = false;
  std::function<uint32_t()> begin_compile = {};  ///< its number in the log
  /// Told of a run while `keeps_runs`.
  std::function<void(const BackwardRun&)> ran = {};
  const bool* keeps_runs = nullptr;
};

/// `failed` is told why it runs eagerly, where it cannot be compiled.
std::shared_ptr<autograd::CompiledBackward> make_backward(
    BackwardPlan plan, const CaptureContext& context,
    std::function<void(const BackwardPlan&, const std::string&)> failed);

/// Makes a tensor's memory one that has been written so often: where a trace is taken back, or has
/// counted its writes itself.
void set_version(const Tensor& tensor, uint32_t version);

/// What a region ran on; `generator` as it was before, where it drew random numbers.
struct RegionRun {
  std::span<const RunInput> inputs;
  std::span<const int64_t> symbols;
  const std::optional<Generator>& generator;
};

/// Gives the outputs of a run their history.
void attach_history(const RegionGradients& gradients, const RegionRun& run,
                    std::span<const Tensor> outputs);

}  // namespace glint::capture
