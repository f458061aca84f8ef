// The graph of a trace, and the tensors of the script that stand for its values.
//
//     def f(x):            x is from outside: parameter %x, which input 0 becomes
//         y = x * 2        y is pending: its record says value %mul, memory 1
//         return y         output 0, as somebody still holds y where the region ends
//
// A tensor from outside becomes a parameter when an operator first uses it. As a parameter cannot
// be put in front then, it is kept as an empty constant until `finish` puts the nodes in order.
// Memories are numbered, so that views are known for what they show; those from outside too.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/graph.h"
#include "passes/graph_builder.h"
#include "runtime/capture/recipe.h"
#include "runtime/capture/source.h"
#include "runtime/capture/traced_tensor.h"
#include "runtime/interpreter/value.h"

namespace glint::capture {

class TracedGraph {
 public:
  /// `shapes` knows the sizes of this call.
  explicit TracedGraph(const ShapeEnvironment& shapes);

  // ---- The graph ----
  Graph graph;
  passes::GraphBuilder builder{graph, {}};
  Phase phase = Phase::kForward;            ///< of the operators at work
  Name gradient_of = {};                    ///< the operator whose gradient rule is at work
  std::set<std::string> method_nodes = {};  ///< their names: those called as methods of a tensor
  std::set<std::string> unrecorded_nodes = {};  ///< those of calls that ran without grad mode
  /// Appends a call in the phase at work; throws ops::OpError as the builder does.
  NodeId append(const ops::OpEntry& entry, std::vector<Argument> arguments);
  /// The graph with its parameters in front, in the order of `parameters`, then the numbers, then
  /// `more`.
  Graph finish(std::span<const Value> more = {}) const;
  /// The region does not make that call.
  void drop(NodeId call) { dropped_.insert(index(call)); }

  // ---- Where it runs ----
  /// The device of all its tensors, once one is known. The graph's types do not say it.
  std::optional<Device> device = {};

  // ---- What goes in ----
  std::vector<SourceId> parameters = {};  ///< the sources of the tensors
  std::vector<Tensor> inputs = {};        ///< the tensors of this first run
  std::vector<uint32_t> numbers = {};     ///< steps of the float program: parameters behind those
  /// The parameter that a tensor, or a step of the float program, is; null: it is none yet.
  const Value* parameter_of(const Tensor& tensor) const;
  const Value* number_of(uint32_t step) const;
  Value add_parameter(const Tensor& tensor, SourceId source, std::string_view name, TensorType type,
                      std::vector<Span> origins);
  Value add_number(uint32_t step, std::string_view name, std::vector<Span> origins);
  /// A tensor that the region makes of a literal.
  Value add_constant(TensorType type, std::vector<std::byte> data, std::vector<Span> origins);

  // ---- Pending tensors ----
  /// What is known of a pending tensor of this trace; null: it is none.
  TracedTensor* traced(const Tensor& tensor) const;
  runtime::Value pending_tensor(Value value, uint32_t memory);
  /// The same with a memory of its own.
  runtime::Value pending_tensor(Value value) { return pending_tensor(value, memories_++); }
  /// For the tape, the number that is a parameter of the graph.
  Tensor pending_number(uint32_t step, Value value);
  /// All that were made, to find those still alive.
  const std::vector<Tensor>& pending() const { return pending_; }
  /// Forgets those behind the first few: nobody will hold them.
  void keep_pending(size_t count) { pending_.resize(count); }

  // ---- Memories ----
  /// The number of a tensor's memory, also of one from outside.
  uint32_t memory_of(const Tensor& tensor);
  bool is_outside_memory(uint32_t memory) const;
  /// The input whose memory that is; undefined where there is none. (No other input has it, where
  /// the region writes it.)
  Tensor input_with(uint32_t memory);
  /// An input of that memory is written at the end of the region: what shows it then is taken from
  /// the input itself, not from the value that is written.
  void will_be_written(uint32_t memory) { written_memories_.insert(memory); }
  /// The pending tensors that somebody holds and that show that memory.
  std::vector<Tensor> in_use(uint32_t memory) const;
  uint32_t memory_count() const { return memories_; }

  // ---- What comes out ----
  std::vector<Tensor> outputs = {};  ///< the pending tensors that are outputs, in their order
  /// Makes a pending tensor an output; nothing: it is none of this trace.
  std::optional<uint32_t> output_of(const Tensor& tensor);
  /// Makes every pending tensor that somebody still holds an output.
  void keep_all_alive();
  /// Whose views outputs are, of inputs and of other outputs. A view of neither loses its base.
  std::vector<OutputBase> output_bases() const;
  /// Whether an output shares its memory with a tensor that others see, so that a write to one
  /// would change the history of the other.
  bool shows_live_tensor(uint32_t output) const;

 private:
  /// A view of an input, taken of the parameter.
  Value view_of_parameter(const TracedTensor& view);

  uint64_t number_;  ///< of all traces
  const ShapeEnvironment& shapes_;
  std::unordered_map<const TensorImpl*, Value> parameter_of_;
  std::map<uint32_t, Value> number_of_step_;
  std::unordered_set<uint32_t> constants_;  ///< nodes
  std::unordered_set<size_t> dropped_;      ///< nodes: calls that the region does not make
  std::vector<Tensor> pending_;
  uint32_t memories_ = 0;  ///< how many have been numbered
  std::unordered_map<const Storage*, uint32_t> outside_memories_;
  std::unordered_set<uint32_t> written_memories_;  ///< from outside
  std::unordered_map<const TensorImpl*, uint32_t> output_index_;
};

}  // namespace glint::capture
