#include "runtime/autograd/expand.h"

#include <algorithm>
#include <utility>

#include "core/tensor/grad_mode.h"
#include "runtime/autograd/apply.h"

namespace glint::autograd {

namespace {

bool is_watched(const Node& node, const ResultRelations& relations,
                std::span<const uint32_t> wanted) {
  const auto& call = std::get<CompiledCall>(node.work);
  auto is_inner = [&](uint32_t result) {
    return relations.inner[result] && !call.is_spent(result);
  };
  auto looks_at_inner = [&](const auto& watcher) { return is_inner(watcher.first); };
  return std::ranges::any_of(wanted, is_inner) || std::ranges::any_of(node.hooks, looks_at_inner) ||
         std::ranges::any_of(node.retained, looks_at_inner);
}

/// What looks at the region's results looks at those of the calls.
void hand_over_watchers(Node& node, std::span<const Edge> expanded) {
  for (auto& [result, hook] : std::exchange(node.hooks, {})) {
    const Edge& edge = expanded[result];
    auto& hooks = edge ? edge.node->hooks : node.hooks;
    hooks.emplace_back(edge ? edge.output : result, std::move(hook));
  }
  for (auto [result, meta] : std::exchange(node.retained, {})) {
    const Edge& edge = expanded[result];
    if (!edge) {
      node.retained.emplace_back(result, meta);
      continue;
    }
    edge.node->retained.emplace_back(edge.output, meta);
    meta->node = edge.node;
    meta->output = edge.output;
  }
}

}  // namespace

const CompiledCall* expandable(const Node& node) {
  const auto* call = std::get_if<CompiledCall>(&node.work);
  return call && call->exact && !node.released ? call : nullptr;
}

bool expand_if_watched(OperatorRunner& runner, Node& node, std::span<const uint32_t> wanted) {
  auto& call = std::get<CompiledCall>(node.work);
  if (call.expanded.empty()) {
    if (!is_watched(node, *call.relations, wanted)) return false;
    check_inputs(call);
    GradModeScope recording(GradState{});
    for (const Tensor& result : call.backward->run_forward(runner, call)) {
      auto number = static_cast<uint32_t>(call.expanded.size());
      call.expanded.push_back(call.is_spent(number) ? Edge() : edge_of(result));
    }
  }
  hand_over_watchers(node, call.expanded);
  return true;
}

void look_into_maker(OperatorRunner& runner, const Tensor& tensor) {
  Ref<Node> node = node_of(tensor);
  const CompiledCall* call = node ? expandable(*node) : nullptr;
  if (!call) return;
  auto unchanged = [](const SavedTensor& input) {
    return !input.tensor.defined() || version_of(input.tensor) == input.version;
  };
  if (std::ranges::all_of(call->inputs, unchanged)) expand_if_watched(runner, *node, {});
}

}  // namespace glint::autograd
