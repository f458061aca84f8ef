#include "runtime/autograd/apply.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/support/check.h"
#include "core/tensor/accelerator.h"
#include "core/tensor/grad_mode.h"
#include "ops/blockwise.h"
#include "ops/builders.h"
#include "ops/call.h"
#include "ops/gradient.h"
#include "ops/layout.h"
#include "runtime/autograd/builder.h"
#include "runtime/autograd/memory_order.h"

namespace glint::autograd {

namespace {

/// As PyTorch's message has it: two dtypes have no legacy name there.
std::string type_name(const Tensor& tensor) {
  std::string_view scalar = ops::scalar_type_name(tensor.dtype());
  if (tensor.dtype() != DType::kBool && tensor.dtype() != DType::kBFloat16)
    return fmt::format("torch.{}Tensor", scalar);
  return fmt::format("{}{}Type", tensor.device().is_cpu() ? "CPU" : "CUDA", scalar);
}

[[noreturn]] void refuse_detached() {
  throw ops::OpError{"RuntimeError",
                     "Trying to use a saved tensor that has been detached in-place, i.e. with "
                     ".detach_().This is not supported, please use out-of-place `.detach()` "
                     "instead"};
}

/// An argument that came from a call, `from`, still does; its version was looked at.
void check_history(const Tensor& argument, const Edge& from) {
  if (!from || std::holds_alternative<AccumulateGradient>(from.node->work)) return;
  const AutogradMeta* meta = meta_of(argument);
  if (!meta || (!meta->node && !argument->base)) refuse_detached();
}

}  // namespace

void check_version(const Tensor& tensor, uint32_t saved, Ref<Maker> maker) {
  if (version_of(tensor) == saved) return;
  if (!maker && !hides_history(tensor) && node_of(tensor)) maker = maker_of(tensor);
  std::string origin =
      maker ? fmt::format(", which is output {} of {},", maker->output, maker->name) : "";
  throw ops::OpError{
      "RuntimeError",
      fmt::format("one of the variables needed for gradient computation has been modified by an "
                  "inplace operation: [{} [{}]]{} is at version {}; expected version {} instead. "
                  "Hint: enable anomaly detection to find the operation that failed to compute its "
                  "gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).",
                  type_name(tensor), fmt::join(tensor.sizes(), ", "), origin, version_of(tensor),
                  saved)};
}

void check_inputs(const CompiledCall& call) {
  for (const SavedTensor& input : call.inputs)
    if (input.tensor.defined()) check_version(input.tensor, input.version);
}

namespace {

TensorType full_type(OperatorRunner& runner, const SavedType& type) {
  // It may have become a view of itself since (`unsqueeze_`), outside the trace.
  if (type.traced.defined() && same_dims(type.traced->sizes, type.sizes))
    return runner.type(type.traced);
  std::vector<SymInt> sizes(type.sizes.begin(), type.sizes.end());
  TensorType full = TensorType::tensor(type.dtype, std::move(sizes), type.device);
  if (type.transposed) full.strides = {1, type.sizes[0]};
  return full;
}

/// Refuses a gradient that cannot be summed down to the input that it is of.
void check_gradient(const Node& node, size_t at, IntSpan sizes, IntSpan input) {
  bool fits = sizes.size() >= input.size();
  const size_t extra = fits ? sizes.size() - input.size() : 0;
  for (size_t i = 0; fits && i < input.size(); ++i)
    fits = input[i] == 1 || input[i] == sizes[i + extra];
  if (fits) return;
  throw ops::OpError{"RuntimeError",
                     fmt::format("Function {} returned an invalid gradient at index {} - got [{}] "
                                 "but expected shape compatible with [{}]",
                                 node.name(), at, fmt::join(sizes, ", "), fmt::join(input, ", "))};
}

bool arrived_any(const std::vector<Tensor>& gradients) {
  return std::ranges::any_of(gradients, [](const Tensor& each) { return each.defined(); });
}

/// Runs the gradient rules of one call.
class CallGradients {
 public:
  CallGradients(OperatorRunner& runner, Node& node)
      : runner_(runner),
        recording_(runner),
        node_(node),
        call_(std::get<OperatorCall>(node.work)) {}

  std::vector<Tensor> run(const std::vector<Tensor>& gradients) {
    unpack();  // whatever arrives: what was saved is looked at first
    if (!arrived_any(gradients)) return std::vector<Tensor>(node_.edges.size());
    std::vector<OpValue> arrived;
    for (const Tensor& gradient : gradients)
      arrived.push_back(gradient.defined() ? ops::eager_value(gradient) : OpValue{});
    const ops::GradientCall::Inputs inputs{arguments_, types_, results_, result_types_, arrived};
    if (may_put_off(gradients)) builder_ = &blockwise_;
    ops::GradientCall given(*builder_, *call_.entry, inputs);
    std::vector<Tensor> wanted(node_.edges.size());
    const auto& parameters = ops::signature(*call_.entry).parameters;
    size_t edge = 0, differentiable = 0;
    for (size_t i = 0; i < call_.arguments.size(); ++i) {
      size_t parts = 0;
      for_each_value(call_.arguments[i], [&](const Tensor&) { ++parts; });
      const ops::InputGradient* rule = ops::find_gradient(*call_.entry, parameters[i].name);
      for (given.part = 0; given.part < parts; ++given.part, ++edge) {
        if (!rule) continue;
        if (node_.edges[edge])
          wanted[edge] = fitted(rule->rule(given), types_[edge], call_.types[edge], differentiable);
        ++differentiable;
      }
      given.part = 0;
    }
    return wanted;
  }

 private:
  /// The gradient of the input that is number `at` of the differentiable ones.
  Tensor fitted(OpValue gradient, const TensorType& input, const SavedType& saved, size_t at) {
    if (gradient == OpValue{}) return Tensor();
    if (builder_ == &recording_)
      check_gradient(node_, at, ops::eager_tensor(gradient).sizes(), saved.sizes);
    else
      check_gradient(node_, at, ops::constant_dims(blockwise_.type(gradient).sizes), saved.sizes);
    const OpValue fits = ops::fit_gradient(*builder_, std::move(gradient), input);
    return builder_ == &blockwise_ ? blockwise_.tensor(fits) : ops::eager_tensor(fits);
  }

  /// Whether a rule's elementwise operators may run together: where nobody looks at each of them.
  bool may_put_off(const std::vector<Tensor>& gradients) const {
    if (!runner_.runs_at_once() || grad_state().records() || accelerator_named) return false;
    bool ready = true;
    const auto look = [&](const Tensor& tensor) {
      ready = ready && !(tensor.defined() && tensor.is_pending());
    };
    for (const Tensor& gradient : gradients) look(gradient);
    for (const ops::Argument& argument : call_.arguments) for_each_value(argument, look);
    for (const SavedTensor& result : call_.results) look(result.tensor);
    return ready;
  }

  /// Saved tensors as values, where they are still what they were.
  void unpack() {
    size_t place = 0;
    for (const ops::Argument& argument : call_.arguments)
      arguments_.push_back(ops::map_argument<OpValue>(argument, [&](const Tensor& tensor) {
        size_t at = place++;
        if (!tensor.defined()) return OpValue{};
        check_version(tensor, call_.versions[at]);
        check_history(tensor, node_.edges[at]);
        return ops::eager_value(tensor);
      }));
    for (const SavedType& type : call_.types) types_.push_back(full_type(runner_, type));
    for (const SavedType& type : node_.outputs) result_types_.push_back(full_type(runner_, type));
    for (size_t i = 0; i < call_.results.size(); ++i) {
      const SavedTensor& saved = call_.results[i];
      if (!saved.tensor.defined()) {
        results_.emplace_back();
        continue;
      }
      // With the history that it had (places have none); kept apart, so that the node does not keep
      // itself alive.
      Tensor result = without_history(saved.tensor);
      if (ops::has_gradient(*call_.entry, i, result.dtype()))
        set_history(result, Ref<Node>(&node_), static_cast<uint32_t>(i));
      check_version(result, saved.version);
      results_.push_back(ops::eager_value(result));
    }
  }

  OperatorRunner& runner_;
  RecordingBuilder recording_;
  ops::BlockwiseBuilder blockwise_;
  OpBuilder* builder_ = &recording_;
  Node& node_;
  const OperatorCall& call_;
  std::vector<OpArgument> arguments_;
  std::vector<TensorType> types_, result_types_;
  std::vector<OpValue> results_;
};

std::vector<SymInt> symbolic(const Dims& dims) {
  return {dims.begin(), dims.end()};
}

/// Where each element of the view lies in the base's memory, as a vector.
OpValue places(OpBuilder& b, const ViewGeometry& view) {
  OpValue sum = b.full({}, view.offset, DType::kInt64);
  for (size_t dim = 0; dim < view.sizes.size(); ++dim) {
    std::vector<SymInt> column(view.sizes.size(), 1);
    column[dim] = view.sizes[dim];
    OpValue steps = b.call("arange_sized", {view.sizes[dim], 0, view.strides[dim]},
                           {{Name("dtype"), DType::kInt64}});
    sum = b.add(b.reshape(steps, column), sum);
  }
  return b.reshape(b.expand(sum, symbolic(view.sizes)), {-1});
}

/// The written part's share of a gradient, and what is left for the rest.
std::vector<Tensor> apply_copy_slices(OpBuilder& b, const CopySlices& write, const Node& node,
                                      const Tensor& gradient) {
  OpValue whole = to_memory_order(b, ops::eager_value(gradient), write.view.base_strides);
  std::vector<SymInt> sizes = b.sizes(whole);
  OpValue flat = b.reshape(whole, {-1}), at = places(b, write.view);
  std::vector<Tensor> result(2);
  if (node.edges[0]) {
    OpValue rest = b.reshape(b.call("index_fill", {flat, 0, at, 0}), sizes);
    result[0] = ops::eager_tensor(from_memory_order(b, rest, write.view.base_strides));
  }
  if (node.edges[1])
    result[1] = ops::eager_tensor(
        b.reshape(b.call("index_select", {flat, 0, at}), symbolic(write.view.sizes)));
  return result;
}

/// The view's gradient in its place, 0 around it; elements that are seen twice get both.
std::vector<Tensor> apply_view(OpBuilder& b, const ViewOfBase& seen, const Tensor& gradient) {
  std::vector<SymInt> sizes;
  SymInt count = 1;
  for (SymInt dim : storage_order(seen.view.base_strides)) {
    sizes.emplace_back(seen.view.base_sizes[static_cast<size_t>(dim.constant())]);
    count = count * sizes.back();
  }
  OpValue zeros = b.full({count}, 0, gradient.dtype());
  OpValue flat = b.reshape(ops::eager_value(gradient), {-1});
  OpValue whole = b.call("index_add", {zeros, 0, places(b, seen.view), flat});
  return {ops::eager_tensor(from_memory_order(b, b.reshape(whole, sizes), seen.view.base_strides))};
}

/// What follows from a compiled backward: it has no derivative of its own.
void record_second(const Node& node, std::span<const Tensor> gradients,
                   std::vector<Tensor>& results) {
  auto second = make_ref<Node>(NotDifferentiable{
      "CompiledFunctionBackwardBackward",
      "torch.compile with aot_autograd does not currently support double backward"});
  for (const Tensor& gradient : gradients) second->edges.push_back(edge_of(gradient));
  second->edges.insert(second->edges.end(), node.edges.begin(), node.edges.end());
  for (const Tensor& result : results)
    second->outputs.push_back(result.defined() ? saved_type(result) : SavedType());
  for (size_t i = 0; i < results.size(); ++i)
    if (results[i].defined()) set_history(results[i], second, static_cast<uint32_t>(i));
}

/// What gradients of these results read must be what it was.
void check_read(const CompiledCall& call, const std::vector<bool>& reached) {
  for (size_t i = 0; i < call.saved.size(); ++i) {
    const SavedTensor& each = call.saved[i];
    if (!each.tensor.defined() || !concerns(call.relations->reads, reached, i)) continue;
    check_version(each.tensor, each.version, each.maker);
    if (each.maker && each.maker->detached) refuse_detached();
  }
}

/// No gradient flows from a result that none arrived at.
void drop_unreached(const ResultRelations& relations, std::span<const Tensor> arriving,
                    std::vector<Tensor>& gradients) {
  std::vector<bool> arrived;
  for (const Tensor& gradient : arriving) arrived.push_back(gradient.defined());
  for (size_t edge = 0; edge < gradients.size(); ++edge)
    if (!concerns(relations.reaches, arrived, edge)) gradients[edge] = Tensor();
}

/// As with PyTorch's compiled functions every input gets a gradient.
void fill_unreached(const Node& node, std::vector<Tensor>& gradients) {
  for (size_t i = 0; i < gradients.size(); ++i) {
    const Edge& edge = node.edges[i];
    if (gradients[i].defined() || !edge) continue;
    const SavedType& type = edge.node->outputs[edge.output];
    gradients[i] = Tensor::zeros(type.sizes, type.dtype, type.device);
  }
}

ops::OpError second_backward() {
  return {"RuntimeError",
          "Trying to backward through the graph a second time (or directly access saved tensors "
          "after they have already been freed). Saved intermediate values of the graph are freed "
          "when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to "
          "backward through the graph a second time or if you need to access saved tensors after "
          "calling backward."};
}

std::vector<Tensor> apply_compiled(OperatorRunner& runner, const CompiledCall& call,
                                   const Node& node, std::vector<Tensor> gradients,
                                   const std::vector<bool>& reached) {
  for (uint32_t i = 0; i < reached.size(); ++i)
    if (reached[i] && call.is_spent(i)) throw second_backward();
  bool recorded = grad_mode() && call.exact;
  if (recorded)
    check_inputs(call);
  else
    check_read(call, reached);
  if (!arrived_any(gradients)) return std::vector<Tensor>(node.edges.size());
  if (recorded) return call.backward->run_recorded(runner, call, gradients);
  std::vector<Tensor> results = call.backward->run(call, gradients);
  if (call.exact)
    drop_unreached(*call.relations, gradients, results);
  else
    fill_unreached(node, results);
  if (grad_mode()) record_second(node, gradients, results);
  return results;
}

/// What a user's function saved: its results with the history that they had.
std::vector<Tensor> unpack_saved(Node& node, const CustomCall& call) {
  std::vector<Tensor> saved;
  for (size_t i = 0; i < call.saved.size(); ++i) {
    Tensor tensor = call.saved[i].tensor;
    if (call.saved_result[i] >= 0) {
      tensor = without_history(tensor);
      set_history(tensor, Ref<Node>(&node), static_cast<uint32_t>(call.saved_result[i]));
    }
    if (tensor.defined()) check_version(tensor, call.saved[i].version);
    saved.push_back(std::move(tensor));
  }
  return saved;
}

std::vector<Tensor> apply_custom(OperatorRunner& runner, Node& node,
                                 std::vector<Tensor> gradients) {
  const auto& call = std::get<CustomCall>(node.work);
  RecordingBuilder b(runner);
  for (size_t i = 0; i < gradients.size() && call.materializes; ++i) {
    if (gradients[i].defined()) continue;
    TensorType type = full_type(runner, node.outputs[i]);
    gradients[i] = ops::eager_tensor(b.full(type.sizes, 0, type.dtype));
  }
  std::vector<Tensor> given = call.backward(unpack_saved(node, call), std::move(gradients));
  for (size_t i = 0; i < given.size(); ++i) {
    if (!given[i].defined() || !node.edges[i]) continue;
    const SavedType& type = call.types[i];
    check_gradient(node, i, given[i].sizes(), type.sizes);
    given[i] = ops::eager_tensor(
        ops::fit_gradient(b, ops::eager_value(given[i]), full_type(runner, type)));
  }
  return given;
}

}  // namespace

std::vector<Tensor> apply(OperatorRunner& runner, Node& node, std::vector<Tensor> gradients,
                          const std::vector<bool>& reached) {
  if (node.released) throw second_backward();
  if (auto* unknown = std::get_if<NotDifferentiable>(&node.work))
    throw ops::OpError{"RuntimeError", unknown->message};
  if (std::holds_alternative<OperatorCall>(node.work))
    return CallGradients(runner, node).run(gradients);
  if (auto* region = std::get_if<CompiledCall>(&node.work))
    return apply_compiled(runner, *region, node, std::move(gradients), reached);
  if (std::holds_alternative<CustomCall>(node.work))
    return apply_custom(runner, node, std::move(gradients));
  if (!arrived_any(gradients)) return std::vector<Tensor>(node.edges.size());
  RecordingBuilder builder(runner);
  if (auto* write = std::get_if<CopySlices>(&node.work))
    return apply_copy_slices(builder, *write, node, gradients[0]);
  return apply_view(builder, std::get<ViewOfBase>(node.work), gradients[0]);
}

}  // namespace glint::autograd
