// Gradients in a trace: `backward` and `grad` inside the region, and what of the tape goes on
// behind its end.
//
//     loss.backward()     runs here, if the graph that it runs through is the region's own
//     return loss         loss is on the tape: its backward is cut off the joint graph
//
// What is set and written on the way is in tensor_writes.h.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/support/result.h"
#include "runtime/autograd/node.h"
#include "runtime/capture/region_gradients.h"
#include "runtime/interpreter/tracer.h"

namespace glint::capture {

class Trace;

class TraceGradients {
 public:
  using Step = runtime::Tracer::Step;
  explicit TraceGradients(Trace& trace) : trace_(trace) {}

  // ---- Inside the region ----
  /// Whether `backward` may run inside the region: the graph that it runs through is the region's
  /// own, down to leaves from outside.
  bool may_run_backward(const runtime::Value& roots);
  /// Whether a call on these tensors may go on the tape; what it asks of views is guarded.
  bool may_record(const ops::OpEntry& entry, std::span<const Tensor> arguments);
  /// `tensor.grad` is read, or set.
  Step gradient(const Tensor& tensor);
  Step set_gradient(runtime::Frame& frame, uint32_t pc, const Tensor& tensor,
                    const runtime::Value& value);
  /// `tensor.data` is read, or set: to itself, as `w.data += 1` ends, or to other memory.
  Step data(runtime::Frame& frame, uint32_t pc, const program::Instruction& at,
            const runtime::Value& tensor);
  Step set_data(runtime::Frame& frame, uint32_t pc, const Tensor& tensor,
                const runtime::Value& value);
  /// Whether an in-place operator may write a tensor from outside, itself or through a view.
  /// `counted`: not through its `.data`.
  bool may_write_outside(const ops::OpEntry& entry, const Tensor& target,
                         std::span<const runtime::Value> arguments, bool counted = true);
  /// A tensor from outside is written for the first time: no other may have its memory.
  void note_written(const Tensor& tensor);
  /// An in-place operator on a tensor from outside.
  bool write_outside(const ops::OpEntry& entry, std::span<const runtime::Value> arguments,
                     std::vector<runtime::Value>& results);

  // ---- Behind it ----
  /// Differentiates the outputs that are on the tape, for gradients from outside: the joint graph.
  /// An error where that cannot be done. After `TensorWrites::finish`.
  Result<JointGraph> differentiate();
  /// The outputs that are on the tape; `went_backward`: those that were differentiated already.
  std::vector<uint32_t> taped_outputs(bool went_backward) const;
  /// The calls that gave those outputs, as eager execution has them.
  std::shared_ptr<const std::vector<autograd::EagerCall>> eager_calls(
      const std::vector<uint32_t>& outputs) const;
  /// The inputs that the tape leads to from these outputs.
  std::vector<uint32_t> inputs_behind(const std::vector<uint32_t>& outputs) const;
  /// What the live tape has saved becomes output too, so that it stays good outside. What it kept
  /// for the trace alone goes: a tensor that was written has a history that leads to a call which
  /// it went into, and would keep itself alive.
  void keep_tape();

 private:
  /// Why `backward` may not run, of the nodes behind one tensor; empty: it may. Adds the leaves
  /// that it meets.
  std::string_view obstacle_behind(const Tensor& root, std::vector<Tensor>& leaves);
  std::string_view obstacle_at(const autograd::Node& node, std::vector<Tensor>& leaves);
  void note_leaf(const Tensor& tensor);
  /// The `grad` of a tensor from outside is read, unless the region has set it.
  bool note_gradient(const Tensor& tensor);
  /// Whether a backward may add to the gradient that a leaf has; false: the trace stops before it.
  bool may_add_to_gradient(const Tensor& leaf);
  /// The nodes that lead to these tensors, down to `ends`.
  std::vector<Ref<autograd::Node>> nodes_behind(
      std::span<const Tensor> tensors, const std::unordered_set<const autograd::Node*>& ends) const;
  /// The nodes on the tape that stand for operators' calls.
  std::vector<Ref<autograd::Node>> calls_on_tape() const;
  /// Says of outputs and inputs whether the tape saves nothing of their memory; of outputs, whether
  /// only for the call that gave them.
  void find_writable(JointGraph& joint) const;
  /// Says of each taped output to which inputs the tape leads from it, and what else it alone
  /// knows.
  void find_reached(JointGraph& joint) const;
  /// `keeping`: by taped output, the nodes behind it that keep anything.
  void find_kept(JointGraph& joint,
                 std::span<const std::unordered_set<const autograd::Node*>> keeping) const;
  /// The gradients of the taped outputs, to the inputs that require one; undefined: none flows.
  std::vector<Tensor> run_tape(std::span<const uint32_t> outputs, std::span<const Tensor> tangents,
                               std::span<const Tensor> wanted, std::vector<size_t>& arrivals);
  /// Leaves the gradients among the graph's outputs.
  Result<JointGraph> differentiate_outputs();

  Trace& trace_;
};

}  // namespace glint::capture
