#include "runtime/autograd/expand.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "core/tensor/grad_mode.h"
#include "runtime/autograd/apply.h"

namespace glint::autograd {

namespace {

bool is_watched(const Node& node, const ResultRelations& relations,
                std::span<const uint32_t> wanted) {
  auto is_inner = [&](uint32_t result) { return relations.inner[result]; };
  auto looks_at_inner = [&](const auto& watcher) { return is_inner(watcher.first); };
  return std::ranges::any_of(wanted, is_inner) || std::ranges::any_of(node.hooks, looks_at_inner) ||
         std::ranges::any_of(node.retained, looks_at_inner);
}

/// What looks at the region's results looks at those of the calls.
void hand_over_watchers(Node& node, std::span<const Edge> expanded) {
  for (auto& [result, hook] : std::exchange(node.hooks, {}))
    expanded[result].node->hooks.emplace_back(expanded[result].output, std::move(hook));
  for (auto [result, meta] : std::exchange(node.retained, {})) {
    const Edge& edge = expanded[result];
    edge.node->retained.emplace_back(edge.output, meta);
    meta->node = edge.node;
    meta->output = edge.output;
  }
}

/// The calls behind a result, as if its gradient had been through them already.
void release_behind(const CompiledCall& call, const Edge& result) {
  std::unordered_set<const Node*> seen;
  for (const SavedTensor& input : call.inputs) seen.insert(edge_of(input.tensor).node.get());
  std::vector<Ref<Node>> reached = {result.node};
  while (!reached.empty()) {
    Ref<Node> node = std::move(reached.back());
    reached.pop_back();
    if (!node || !seen.insert(node.get()).second) continue;
    node->release_saved();
    for (const Edge& edge : node->edges) reached.push_back(edge.node);
  }
}

/// Where what the compiled backward reads is gone, the results that keep nothing go backward all
/// the same.
bool has_let_go(const CompiledCall& call) {
  const auto& spends = call.relations->spends;
  for (size_t i = 0; i < call.spent.size(); ++i)
    if (spends[i][i] && !call.spent[i]) return false;
  return !call.spent.empty();
}

}  // namespace

const CompiledCall* expandable(const Node& node) {
  const auto* call = std::get_if<CompiledCall>(&node.work);
  return call && call->exact && !node.released ? call : nullptr;
}

bool expand_if_watched(OperatorRunner& runner, Node& node, std::span<const uint32_t> wanted) {
  auto& call = std::get<CompiledCall>(node.work);
  if (call.expanded.empty()) {
    if (!is_watched(node, *call.relations, wanted) && !has_let_go(call)) return false;
    for (const SavedTensor& input : call.inputs) check_version(input.tensor, input.version);
    GradModeScope recording(GradState{});
    for (const Tensor& result : call.backward->run_forward(runner, call))
      call.expanded.push_back(edge_of(result));
    for (size_t i = 0; i < call.spent.size(); ++i)
      if (call.spent[i]) release_behind(call, call.expanded[i]);
  }
  hand_over_watchers(node, call.expanded);
  return true;
}

void look_into_maker(OperatorRunner& runner, const Tensor& tensor) {
  Ref<Node> node = node_of(tensor);
  const CompiledCall* call = node ? expandable(*node) : nullptr;
  if (!call) return;
  auto unchanged = [](const SavedTensor& input) {
    return version_of(input.tensor) == input.version;
  };
  if (std::ranges::all_of(call->inputs, unchanged)) expand_if_watched(runner, *node, {});
}

}  // namespace glint::autograd
