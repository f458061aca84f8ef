#include "passes/fold_constants.h"

#include <cstring>
#include <optional>

#include "core/support/check.h"
#include "ops/call.h"
#include "passes/memory_roots.h"
#include "passes/operators.h"
#include "passes/rewriter.h"

namespace glint::passes {

namespace {

std::vector<int64_t> plain_sizes(const TensorType& type) {
  std::vector<int64_t> sizes;
  for (SymInt size : type.sizes) sizes.push_back(size.constant());
  return sizes;
}

Tensor tensor_of(const Node& constant) {
  const TensorType& type = constant.outputs.front();
  std::vector<int64_t> sizes = plain_sizes(type);
  Tensor tensor = Tensor::empty(sizes, type.dtype);
  if (!constant.data.empty())
    std::memcpy(tensor.raw_data(), constant.data.data(), constant.data.size());
  return tensor;
}

bool is_small(const TensorType& type) {
  for (SymInt size : type.sizes)
    if (!size.is_constant()) return false;
  return type.device.is_cpu() && !type.scalar && type.numel().constant() <= kLargestConstant;
}

bool holds_symbol(const Argument& argument) {
  if (auto* size = argument.get_if<SymInt>()) return !size->is_constant();
  if (!argument.is_list()) return false;
  for (const Argument& item : argument.list())
    if (holds_symbol(item)) return true;
  return false;
}

/// A call that reads tensors, all of them constants of the new graph.
bool is_foldable(const Rewriter& rewriter, const Graph& built, const Node& node) {
  const ops::Effects& effects = entry_of(node).effects;
  if (effects.random || effects.mutates || effects.may_fail || effects.data_dependent) return false;
  if (node.outputs.size() != 1 || !is_small(node.outputs.front())) return false;
  bool reads = false, known = true;
  for (const NamedArgument& argument : node.arguments) {
    known &= !holds_symbol(argument.value);
    for_each_value(argument.value, [&](const Value& value) {
      reads = true;
      known &= built[rewriter.map(value).node].kind == NodeKind::kConstant;
    });
  }
  return reads && known;
}

std::optional<Tensor> evaluate(const Rewriter& rewriter, const Graph& built, const Node& node) {
  std::vector<ops::Argument> arguments;
  for (const Argument& argument : bound_arguments(node))
    arguments.push_back(convert_argument<Tensor>(
        argument, [&](const Value& value) { return tensor_of(built[rewriter.map(value).node]); }));
  try {
    return ops::call_eager(entry_of(node), arguments).take_first();
  } catch (const ops::OpError&) {
    return std::nullopt;  // the error is raised when the call runs
  }
}

std::vector<std::byte> bytes_of(const Tensor& tensor) {
  const ops::OpEntry* clone = ops::find_op("contiguous");
  check(clone != nullptr, "there is no operator `contiguous`");
  ops::Argument argument(tensor);
  Tensor packed = ops::call_eager_one(*clone, {&argument, 1});
  std::vector<std::byte> bytes(static_cast<size_t>(packed.numel()) * dtype_size(packed.dtype()));
  if (!bytes.empty()) std::memcpy(bytes.data(), packed.raw_data(), bytes.size());
  return bytes;
}

}  // namespace

Graph fold_constants(const Graph& graph) {
  Rewriter rewriter(graph);
  Graph& built = rewriter.result();
  MemoryRoots roots(graph);
  for (size_t i = graph.parameter_count; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    std::optional<Tensor> value;
    // A view of a constant shows the constant's memory, as an output or under one.
    Value result{NodeId(i), 0};
    auto leaves = [&] { return roots.root(result) != result && roots.escapes(result); };
    if (node.kind == NodeKind::kCall && is_foldable(rewriter, built, node) && !leaves())
      value = evaluate(rewriter, built, node);
    if (!value) {
      rewriter.copy(NodeId(i));
      continue;
    }
    TensorType type = node.outputs.front();
    type.strides.clear();
    Value folded = built.add_constant(node.name, type, bytes_of(*value), node.origins);
    built[folded.node].module = node.module;
    rewriter.inherit_name(folded.node, NodeId(i));
    rewriter.replace({NodeId(i), 0}, folded);
  }
  return rewriter.finish();
}

}  // namespace glint::passes
