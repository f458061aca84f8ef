// The tape: nodes, the edges between them, and what a tensor knows of it.
//
//     x = torch.ones(3, requires_grad=True)       x: AutogradMeta{gradient, accumulator}
//     y = x.exp() * 2                             y: AutogradMeta{node = MulBackward0, output 0}
//
//     MulBackward0 --edge--> ExpBackward0 --edge--> AccumulateGrad(x)
//
// A node stands for one call of an operator. It has an edge for each tensor among the call's
// arguments (an empty one where no gradient is wanted), and keeps what its gradient rules read.
// Tensors point at nodes and nodes at earlier ones, never back: a result that its own node saves is
// kept without its history. So reference counts alone free a graph, and with it what it saved.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/tensor/generator.h"
#include "core/tensor/tensor.h"
#include "ops/op.h"

namespace glint::autograd {

class Node;
struct AutogradMeta;

/// Where a gradient goes: to result number `output` of the call that `node` stands for.
struct Edge {
  Ref<Node> node;
  uint32_t output = 0;
  explicit operator bool() const { return bool(node); }
};

/// Sizes and dtype: what is left of a tensor that is not saved. While a trace runs, the tensor
/// itself is kept too, since only it knows its symbolic sizes.
struct SavedType {
  DType dtype = DType::kFloat32;
  Device device;
  Dims sizes;
  Tensor traced;
  bool transposed = false;  ///< a matrix whose transpose lies in order
};

/// What a trace keeps of a pending tensor (`TensorImpl::traced`).
struct PendingRecord : RefCounted {
  uint32_t version = 0;  ///< counts writes, as the storage will
  /// It stands for a number, as which an argument would be kept: of a symbolic float, its place in
  /// the trace.
  std::optional<uint32_t> number = {};
};
/// Whether an argument that is a tensor stands for a number.
bool stands_for_number(const Tensor& argument);

/// How often a tensor's memory was written; of a pending tensor, how often it will have been.
uint32_t version_of(const Tensor& tensor);

/// Which call gave a tensor its present value: kept apart from the tensor, for who holds only its
/// memory.
struct Maker final : RefCounted {
  Maker() = default;
  Maker(std::string name, uint32_t output) : name(std::move(name)), output(output) {}

  std::string name;  ///< as messages have it: `Mul`
  uint32_t output = 0;
  bool detached = false;  ///< by `detach_`, which leaves the value as it is
};

/// A tensor that a rule reads, and the version of its memory when it was saved.
struct SavedTensor {
  Tensor tensor;
  uint32_t version = 0;
  Ref<Maker> maker = {};  ///< null: the tensor knows itself
};

/// The call of an operator with gradient rules.
struct OperatorCall {
  const ops::OpEntry* entry = nullptr;
  /// One a parameter; tensors that are not saved are undefined.
  std::vector<ops::Argument> arguments;
  /// One a tensor among the arguments, in order.
  std::vector<SavedType> types;
  std::vector<uint32_t> versions;
  /// One a result; undefined where it is not saved. Without history of their own.
  std::vector<SavedTensor> results;
  bool saves_any = false;
  /// A reshape whose result could not be a view: its name says so.
  bool copied = false;
  bool in_place = false;  ///< the result was written over the first argument
};

/// A leaf: gradients that arrive are added to its `grad`.
struct AccumulateGradient {
  Ref<TensorImpl> leaf;
};

/// Where a view lies in its base; the offset counts elements from the base's first.
struct ViewGeometry {
  Dims sizes, strides;
  int64_t offset = 0;
  Dims base_sizes, base_strides;
};

/// The write of a view. Edge 0: what the base was; edge 1: what was written into it.
struct CopySlices {
  ViewGeometry view;
};

/// A view whose base was written: the base seen through the view's geometry. Edge 0: the base.
struct ViewOfBase {
  ViewGeometry view;
};

class OperatorRunner;
struct CompiledCall;

/// The backward of a compiled region; capture implements it.
class CompiledBackward {
 public:
  virtual ~CompiledBackward() = default;
  /// One gradient an edge, undefined where none flows from those that arrived; nothing is recorded.
  /// Throws OpError.
  virtual std::vector<Tensor> run(const CompiledCall& call, std::span<const Tensor> gradients) = 0;
  /// The same, recorded: the operators of the forward run once more, on `call.inputs`. A gradient
  /// that did not arrive is undefined.
  virtual std::vector<Tensor> run_recorded(OperatorRunner& runner, const CompiledCall& call,
                                           std::span<const Tensor> gradients) = 0;
  /// The results once more, each with the history that it would have had; with the forward's
  /// operators recorded one by one. Undefined where what it was computed from is freed.
  virtual std::vector<Tensor> run_forward(OperatorRunner& runner, const CompiledCall& call) = 0;
};

/// The call that gave a result in eager execution: its name, and which of its results that is.
struct EagerCall {
  std::string name;
  uint32_t output = 0;
};

/// How the results of a region hang together, so that its one node can do as the calls would that
/// it stands for.
struct ResultRelations {
  std::vector<bool> inner;                 ///< by result: another one is computed from it
  std::vector<std::vector<bool>> reaches;  ///< by result, then by edge: a gradient flows there
  /// By result, then by saved tensor: the gradients that flow from there read it.
  std::vector<std::vector<bool>> reads;
  /// By result, then by the region's input: running the region for that result reads it.
  std::vector<std::vector<bool>> needs;
  /// By result, then by result: one of the calls behind both keeps something, so that a gradient
  /// from the second cannot go where one from the first has been.
  std::vector<std::vector<bool>> spends;
  /// The edges, in the order in which the calls would send the gradients of leaves.
  std::vector<uint32_t> order;
};

/// Whether one of these results has that place in a table of them.
bool concerns(const std::vector<std::vector<bool>>& by_result, const std::vector<bool>& results,
              size_t place);

/// A run of a compiled region.
struct CompiledCall {
  std::shared_ptr<CompiledBackward> backward;
  std::vector<SavedTensor> saved;
  std::vector<int64_t> symbols;  ///< the sizes that vary
  /// One a result, where the region is not to be seen: it was compiled because all calls are. Null:
  /// the results say that they come from a compiled function.
  std::shared_ptr<const std::vector<EagerCall>> shown_as;
  std::shared_ptr<const ResultRelations> relations;
  /// It may run once more, operator by operator. Else it is as PyTorch's compiled functions: no
  /// gradient passes from one result to another, and every input gets one.
  bool exact = false;
  /// The calls that it stands for, where somebody had to see a gradient between two results: one
  /// edge a result, none for one that is spent (expand.cpp). Empty: they were never asked for.
  std::vector<Edge> expanded;
  /// By result, where it is exact: a backward has freed what its gradient would need. Empty: there
  /// was none. What no other result needs of `inputs` and `saved` is freed with it.
  std::vector<bool> spent;
  bool is_spent(uint32_t result) const { return !spent.empty() && spent[result]; }
  /// What it ran on, where it may run recorded: its tensors and numbers, and the state that its
  /// random numbers came from.
  std::vector<SavedTensor> inputs;
  std::vector<double> numbers;
  std::shared_ptr<const Generator> generator;
};

/// A call whose derivative nobody knows: running it raises.
struct NotDifferentiable {
  std::string name;  ///< as Python shows it
  std::string message;
};

/// A user's function with a backward of its own.
struct CustomCall {
  std::string name;
  /// Results among them are kept without their history: `saved_result` says which one, or -1.
  std::vector<SavedTensor> saved;
  std::vector<int32_t> saved_result;
  /// What the gradients have to fit.
  std::vector<SavedType> types;
  /// A gradient that did not arrive is handed over as zeros.
  bool materializes = true;
  /// From the saved tensors and the gradients of the results to one gradient an edge.
  std::function<std::vector<Tensor>(std::vector<Tensor>, std::vector<Tensor>)> backward;
};

using Work = std::variant<OperatorCall, CompiledCall, AccumulateGradient, CopySlices, ViewOfBase,
                          NotDifferentiable, CustomCall>;

/// What is called with a gradient that arrives. It may give another one to go on with, or an
/// undefined tensor. `remove()` of its handle empties it.
struct GradientHook final : RefCounted {
  std::function<Tensor(const Tensor&)> run;
};

/// The interpreter's objects have kinds of their own; it asks for this one by `kNodeKind`.
inline constexpr ObjectKind kNodeKind = 2;
inline constexpr ObjectKind kMetaKind = 3;

class Node final : public RefCounted {
 public:
  explicit Node(Work work);
  ~Node() override;

  /// The name as Python shows it, where it looks at that result: `MulBackward0`, `AccumulateGrad`.
  std::string name(uint32_t output = 0) const;
  /// The name as messages have it: `Mul`.
  std::string short_name(uint32_t output = 0) const;

  Work work;
  std::vector<Edge> edges;
  /// One a result: what a gradient for it looks like.
  std::vector<SavedType> outputs;
  /// Results that keep their gradient (`retain_grad`), while their tensors live.
  std::vector<std::pair<uint32_t, AutogradMeta*>> retained;
  /// Hooks on results, in the order of registration.
  std::vector<std::pair<uint32_t, Ref<GradientHook>>> hooks;
  /// Where the script made the call; only known in anomaly mode.
  std::string origin;
  /// Later calls have larger numbers and run first; leaves have the largest.
  uint64_t sequence = 0;
  /// What was saved is gone: it went backward already.
  bool released = false;

  /// Whether a second backward needs something that the first one frees.
  bool saves_anything() const;
  /// Forgets what was saved. `reached`: of an exact region, which of its results the backward led
  /// to.
  void release_saved(const std::vector<bool>& reached);
};

/// What a tensor knows of the tape (`TensorImpl::autograd`).
struct AutogradMeta final : RefCounted {
  AutogradMeta() : RefCounted(kMetaKind) {}
  ~AutogradMeta() override;

  Ref<Node> node;  ///< null for leaves
  uint32_t output = 0;
  Tensor gradient;                ///< `x.grad`
  Node* accumulator = nullptr;    ///< of a leaf, while a graph leads to it; the node clears it
  bool retains_gradient = false;  ///< of a result: its node lists it
  std::vector<Ref<GradientHook>> hooks;              ///< of a leaf: a result's are its node's
  std::vector<Ref<GradientHook>> accumulated_hooks;  ///< of a leaf: called when `grad` is there
  Ref<Maker> maker;  ///< somebody else wants to know what `node` is; mostly null
  bool has_no_hooks() const { return hooks.empty() && accumulated_hooks.empty(); }
};

/// Null if the tensor has none.
AutogradMeta* meta_of(const Tensor& tensor);
AutogradMeta& make_meta(const Tensor& tensor);
/// The node that computed a tensor, brought up to date for a view whose base was written; null for
/// leaves (views.cpp). Throws OpError where such a view's history is nobody's to say, as that of
/// one whose `hides_history` is true.
Ref<Node> node_of(const Tensor& tensor);
/// Whether a view was made without grad mode, of what requires a gradient, and its memory was
/// written since.
bool hides_history(const Tensor& tensor);
/// Where a gradient for this tensor goes; empty if it requires none.
Edge edge_of(const Tensor& tensor);
/// The leaf has memory of another dtype or on another device: graphs that exist go on giving it
/// gradients as it was, later ones as it is.
void forget_accumulator(const Tensor& leaf);
bool is_leaf(const Tensor& tensor);
/// Which result of its call a tensor is, as Python sees it.
uint32_t output_number(const Tensor& tensor);
/// Who computed the tensor, from now on: not a leaf.
Ref<Maker> maker_of(const Tensor& tensor);
/// `x.detach_()`: from now on a leaf.
void forget_history(const Tensor& tensor);
/// Lets a result keep its gradient when backward passes through it.
void retain_gradient(const Tensor& tensor);
/// Calls `hook` with each gradient that arrives at the tensor.
void add_hook(const Tensor& tensor, Ref<GradientHook> hook);
/// Makes the tensor result number `output` of `node`.
void set_history(const Tensor& tensor, Ref<Node> node, uint32_t output);
void set_requires_grad(const Tensor& tensor, bool requires_grad);
/// Sizes and dtype now.
SavedType saved_type(const Tensor& tensor);

ViewGeometry geometry_of(const Tensor& view);

}  // namespace glint::autograd
