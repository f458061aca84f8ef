#include "runtime/autograd/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <ranges>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/support/check.h"
#include "core/support/profile.h"
#include "core/tensor/accelerator.h"
#include "core/tensor/grad_mode.h"
#include "ops/call.h"
#include "ops/gradient.h"
#include "runtime/autograd/accumulate.h"
#include "runtime/autograd/apply.h"
#include "runtime/autograd/builder.h"
#include "runtime/autograd/expand.h"

namespace glint::autograd {

namespace {

std::string size_text(IntSpan sizes) {
  return fmt::format("torch.Size([{}])", fmt::join(sizes, ", "));
}

/// A gradient where its tensor is: a number may have been used on another device.
Tensor on_device_of(OperatorRunner& runner, Tensor gradient, Device device) {
  if (gradient.device().type == device.type) return gradient;
  if (gradient.rank() > 0)
    throw ops::OpError{"RuntimeError",
                       fmt::format("invalid gradient at index 0 - expected device {} but got {}",
                                   to_string(device), to_string(gradient.device()))};
  return call_one(runner, "to_device", {gradient, device, false});
}

/// One run from roots to leaves.
class Backward {
 public:
  Backward(OperatorRunner& runner, const BackwardOptions& options)
      : runner_(runner), options_(options) {}

  void want(const Tensor& input);
  void start(const Tensor& root, Tensor gradient);
  std::vector<Tensor> run();

 private:
  struct Pending {
    std::vector<Tensor> gradients;  ///< one a result of the node
    /// One a result: the calls of eager execution lead to it. A region's one node has edges to all
    /// its inputs, whichever of its results the gradients come from.
    std::vector<bool> reached;
    uint32_t missing = 0;  ///< edges that lead into the node and have not delivered
    bool needed = true;
  };
  struct Capture {
    size_t input = 0;
    uint32_t output = 0;
  };
  struct Later {
    bool operator()(const Ref<Node>& a, const Ref<Node>& b) const {
      return a->sequence < b->sequence;
    }
  };

  /// Whether this run ends at the node: what lies behind is another's business.
  bool stops_at(Node& node) const { return options_.stops_at_inputs && captures_.contains(&node); }
  void expand(Edge& edge);
  void count();
  void count_edges(const std::vector<Ref<Node>>& post_order);
  void mark_needed(const std::vector<Ref<Node>>& post_order);
  void add(Tensor& sum, const Tensor& more);
  void deliver(const Edge& edge, const Tensor& gradient);
  void run_node(const Ref<Node>& node);
  void run_next();
  void send(const Node& node, const std::vector<bool>& reached, std::vector<Tensor> results);
  void capture(const Ref<Node>& node, const std::vector<Tensor>& gradients);
  void accumulate(const Tensor& leaf, Tensor gradient);
  void accumulate_wanted(GradientChanges& changes);
  void settle(bool finished);
  void check_nan(const Node& node, const std::vector<Tensor>& results);

  OperatorRunner& runner_;
  const BackwardOptions& options_;
  std::unordered_map<Node*, Pending> pending_;
  std::unordered_map<Node*, std::vector<Capture>> captures_;
  std::priority_queue<Ref<Node>, std::vector<Ref<Node>>, Later> ready_;
  std::vector<std::pair<Edge, Tensor>> roots_;
  std::vector<Tensor> captured_;
  /// The accumulators of wanted leaves live no longer than somebody's reference to them.
  std::vector<Ref<Node>> kept_;

  /// What waits for the end of a run that may be given up.
  struct {
    std::vector<std::pair<Tensor, Tensor>> gradients;  ///< of leaves
    std::vector<std::pair<AutogradMeta*, Tensor>> retained;
    std::vector<std::pair<Ref<Node>, std::vector<bool>>> released;
  } later_;
};

void Backward::want(const Tensor& input) {
  Edge edge = edge_of(input);
  captures_[edge.node.get()].push_back({captured_.size(), edge.output});
  captured_.emplace_back();
  kept_.push_back(std::move(edge.node));
}

void Backward::start(const Tensor& root, Tensor gradient) {
  roots_.emplace_back(edge_of(root), std::move(gradient));
}

/// Lets the edge lead to the calls that a region stands for, where somebody looks into that.
void Backward::expand(Edge& edge) {
  const CompiledCall* region = expandable(*edge.node);
  if (!region || stops_at(*edge.node)) return;
  auto captured = captures_.find(edge.node.get());
  std::vector<uint32_t> wanted;
  if (captured != captures_.end())
    for (const Capture& each : captured->second) wanted.push_back(each.output);
  if (!expand_if_watched(runner_, *edge.node, wanted)) return;
  if (captured != captures_.end()) {
    std::vector<Capture> moved = std::move(captured->second);
    captures_.erase(captured);
    for (const auto& [input, output] : moved) {
      const Edge call =
          region->expanded[output] ? region->expanded[output] : Edge{edge.node, output};
      captures_[call.node.get()].push_back({input, call.output});
    }
  }
  if (const Edge call = region->expanded[edge.output]) edge = call;
}

/// Finds all nodes that the roots reach, and how many edges lead to each.
void Backward::count() {
  std::vector<Ref<Node>> post_order;
  std::vector<std::pair<Ref<Node>, size_t>> path;
  auto visit = [&](const Ref<Node>& node) {
    if (pending_.try_emplace(node.get()).second) path.emplace_back(node, 0);
  };
  for (auto& [root, gradient] : roots_) {
    expand(root);
    visit(root.node);
    while (!path.empty()) {
      Ref<Node> node = path.back().first;
      if (stops_at(*node) || path.back().second == node->edges.size()) {
        post_order.push_back(std::move(node));
        path.pop_back();
        continue;
      }
      Edge& edge = node->edges[path.back().second++];
      if (!edge) continue;
      expand(edge);
      visit(edge.node);
    }
  }
  count_edges(post_order);
  if (!captured_.empty()) mark_needed(post_order);
}

/// Whether the calls that a node stands for lead from these of its results to that edge.
bool leads_to(const Node& node, const std::vector<bool>& reached, size_t edge) {
  if (!node.edges[edge] || std::ranges::find(reached, true) == reached.end()) return false;
  const auto* region = std::get_if<CompiledCall>(&node.work);
  return !region || !region->exact || concerns(region->relations->reaches, reached, edge);
}

void Backward::count_edges(const std::vector<Ref<Node>>& post_order) {
  auto reach = [&](const Edge& edge) {
    Pending& pending = pending_.at(edge.node.get());
    pending.reached.resize(std::max<size_t>(edge.node->outputs.size(), 1));
    pending.reached[edge.output] = true;
    ++pending.missing;
  };
  for (const auto& [root, gradient] : roots_) reach(root);
  // From the roots on: who leads to a node stands behind it in post-order.
  for (const Ref<Node>& node : post_order | std::views::reverse) {
    if (stops_at(*node)) continue;
    const std::vector<bool>& reached = pending_.at(node.get()).reached;
    for (size_t edge = 0; edge < node->edges.size(); ++edge)
      if (leads_to(*node, reached, edge)) reach(node->edges[edge]);
  }
}

/// Where only some inputs are wanted, only the nodes that lead to them run.
void Backward::mark_needed(const std::vector<Ref<Node>>& post_order) {
  for (const Ref<Node>& node : post_order) {
    bool leads = std::ranges::any_of(node->edges, [&](const Edge& edge) {
      return edge && (captures_.contains(edge.node.get()) || pending_[edge.node.get()].needed);
    });
    pending_[node.get()].needed = leads && !stops_at(*node);
  }
}

void Backward::add(Tensor& sum, const Tensor& more) {
  if (!more.defined()) return;
  sum = sum.defined() ? call_one(runner_, "add", {sum, more}) : more;
}

void Backward::deliver(const Edge& edge, const Tensor& gradient) {
  Pending& pending = pending_.at(edge.node.get());
  pending.gradients.resize(pending.reached.size());
  add(pending.gradients[edge.output], gradient);
  if (--pending.missing == 0) ready_.push(edge.node);
}

/// Hooks may remove themselves while they run.
std::vector<Ref<GradientHook>> copy_of(const std::vector<Ref<GradientHook>>& hooks) {
  return hooks;
}

void Backward::accumulate(const Tensor& leaf, Tensor gradient) {
  if (options_.may_be_given_up) {
    later_.gradients.emplace_back(leaf, std::move(gradient));
    return;
  }
  keep_gradient(runner_, options_.creates_graph, leaf, std::move(gradient));
  for (const Ref<GradientHook>& hook : copy_of(meta_of(leaf)->accumulated_hooks))
    if (hook->run) hook->run(leaf);
}

/// Each hook sees what the one before it made of the gradient.
void run_hooks(const Node& node, std::vector<Tensor>& gradients) {
  auto run = [](const Ref<GradientHook>& hook, Tensor& gradient) {
    if (!hook->run || !gradient.defined()) return;
    if (Tensor other = hook->run(gradient); other.defined()) gradient = std::move(other);
  };
  if (auto* accumulate = std::get_if<AccumulateGradient>(&node.work)) {
    AutogradMeta* meta = meta_of(Tensor(accumulate->leaf));
    if (meta->hooks.empty()) return;
    for (const Ref<GradientHook>& hook : copy_of(meta->hooks)) run(hook, gradients[0]);
  }
  if (node.hooks.empty()) return;
  for (const auto& [output, hook] : std::vector(node.hooks)) run(hook, gradients[output]);
}

bool has_nan(const Tensor& tensor) {
  if (tensor.is_pending() || !is_floating(tensor.dtype())) return false;
  return ops::call_eager("any", {ops::call_eager("isnan", {tensor})}).item().as_bool();
}

void Backward::check_nan(const Node& node, const std::vector<Tensor>& results) {
  for (size_t i = 0; i < results.size(); ++i) {
    if (!results[i].defined() || !has_nan(results[i])) continue;
    runner_.warn(node.origin.empty()
                     ? fmt::format("Error detected in {}. No forward pass information available. "
                                   "Enable detect anomaly during forward pass for more "
                                   "information.",
                                   node.name())
                     : fmt::format("Error detected in {}. Traceback of forward call that caused "
                                   "the error:\n{}",
                                   node.name(), node.origin));
    throw ops::OpError{
        "RuntimeError",
        fmt::format("Function '{}' returned nan values in its {}th output.", node.name(), i)};
  }
}

void Backward::capture(const Ref<Node>& node, const std::vector<Tensor>& gradients) {
  auto found = captures_.find(node.get());
  if (found == captures_.end()) return;
  for (const Capture& each : found->second) {
    captured_[each.input] = gradients[each.output];
    if (options_.arrivals) options_.arrivals->push_back(each.input);
  }
}

void Backward::run_node(const Ref<Node>& node) {
  Pending& pending = pending_.at(node.get());
  std::vector<Tensor> gradients = std::move(pending.gradients);
  gradients.resize(std::max<size_t>(node->outputs.size(), 1));
  for (size_t i = 0; i < node->outputs.size(); ++i) {
    if (!gradients[i].defined()) continue;
    if (gradients[i].dtype() != node->outputs[i].dtype)
      gradients[i] = call_one(runner_, "to", {gradients[i], node->outputs[i].dtype});
    gradients[i] = on_device_of(runner_, std::move(gradients[i]), node->outputs[i].device);
  }
  // What watches the gradients of these inputs is the business of the run that goes on there.
  if (stops_at(*node)) return capture(node, gradients);
  // As in PyTorch: who wants the gradient of a tensor on the way to others gets what arrived, who
  // wants one at an end what the hooks made of it.
  if (pending.needed) capture(node, gradients);
  run_hooks(*node, gradients);
  if (!pending.needed) capture(node, gradients);
  for (const auto& [output, meta] : node->retained)
    if (options_.may_be_given_up)
      later_.retained.emplace_back(meta, gradients[output]);
    else
      retain_gradient(runner_, *meta, gradients[output]);
  if (auto* accumulate = std::get_if<AccumulateGradient>(&node->work)) {
    if (captured_.empty() && gradients[0].defined())
      this->accumulate(Tensor(accumulate->leaf), std::exchange(gradients[0], Tensor()));
    return;
  }
  const std::vector<bool> reached = std::move(pending.reached);
  if (!pending.needed) return send(*node, reached, std::vector<Tensor>(node->edges.size()));
  profile::Scope profiled;
  if (profile::recording()) [[unlikely]]
    profiled.begin("backward", node->name());
  runner_.differentiating(node.get());
  // What the rules make of nothing is where the gradients are.
  const DefaultDeviceScope scope(node->outputs.empty() ? Device::cpu() : node->outputs[0].device);
  std::vector<Tensor> results = apply(runner_, *node, std::move(gradients), reached);
  if (anomaly_mode().enabled && anomaly_mode().checks_nan) check_nan(*node, results);
  if (!options_.keeps_graph) {
    if (options_.may_be_given_up)
      later_.released.emplace_back(node, reached);
    else
      node->release_saved(reached);
  }
  send(*node, reached, std::move(results));
}

/// Gradients go on to the nodes behind. Those of a region go to its leaves as the calls would send
/// them that it stands for: should a hook raise, the leaves before it have theirs.
void Backward::send(const Node& node, const std::vector<bool>& reached,
                    std::vector<Tensor> results) {
  const auto* region = std::get_if<CompiledCall>(&node.work);
  auto deliver_one = [&](size_t edge) {
    if (leads_to(node, reached, edge))
      deliver(node.edges[edge], std::exchange(results[edge], Tensor()));
  };
  for (size_t edge = 0; !region && edge < node.edges.size(); ++edge) deliver_one(edge);
  if (!region) return;
  auto leaf_is_ready = [&] {
    return !ready_.empty() && std::holds_alternative<AccumulateGradient>(ready_.top()->work);
  };
  for (uint32_t edge : region->relations->order) {
    deliver_one(edge);
    while (leaf_is_ready()) run_next();
  }
}

void Backward::run_next() {
  Ref<Node> node = ready_.top();
  ready_.pop();
  run_node(node);
}

/// Adds what arrived at the wanted inputs to their gradients.
void Backward::accumulate_wanted(GradientChanges& changes) {
  for (size_t i = 0; i < captured_.size(); ++i) {
    if (!captured_[i].defined()) continue;
    AutogradMeta& meta = make_meta(options_.inputs[i]);
    changes.note(meta);
    if (meta.gradient.defined())
      add_to_gradient(runner_, options_.creates_graph, meta, captured_[i]);
    else
      meta.gradient = captured_[i];
  }
}

/// Does what waited, all of it or nothing.
void Backward::settle(bool finished) {
  GradientChanges changes;
  try {
    for (auto& [leaf, gradient] : later_.gradients) {
      changes.note(make_meta(leaf));
      keep_gradient(runner_, options_.creates_graph, leaf, std::exchange(gradient, Tensor()));
    }
    for (const auto& [meta, gradient] : later_.retained) {
      changes.note(*meta);
      retain_gradient(runner_, *meta, gradient);
    }
    if (finished && options_.accumulates) accumulate_wanted(changes);
  } catch (const Interrupted&) {
    changes.take_back();
    throw;
  }
  for (const auto& [node, reached] : later_.released) node->release_saved(reached);
  later_ = {};
}

std::vector<Tensor> Backward::run() {
  GradModeScope scope(options_.creates_graph);
  count();
  for (const auto& [edge, gradient] : roots_) deliver(edge, gradient);
  roots_.clear();
  try {
    while (!ready_.empty()) run_next();
  } catch (const ops::OpError&) {
    settle(false);
    throw;
  }
  settle(true);
  runner_.differentiating(nullptr);
  return std::move(captured_);
}

/// The gradient that a root starts with.
Tensor first_gradient(OperatorRunner& runner, const Tensor& root, const Tensor& given) {
  if (!given.defined()) {
    if (root.numel() != 1)
      throw ops::OpError{"RuntimeError", "grad can be implicitly created only for scalar outputs"};
    return call_one(runner, "ones_like", {root});
  }
  if (!(given->sizes == root->sizes))
    throw ops::OpError{
        "RuntimeError",
        fmt::format("Mismatch in shape: grad_output[0] has a shape of {} and output[0] has a shape "
                    "of {}.",
                    size_text(given.sizes()), size_text(root.sizes()))};
  return on_device_of(runner, given, root.device());
}

}  // namespace

AnomalyMode& anomaly_mode() {
  static AnomalyMode mode;
  return mode;
}

std::vector<Tensor> run_backward(OperatorRunner& runner, std::span<const Tensor> roots,
                                 std::span<const Tensor> gradients,
                                 const BackwardOptions& options) {
  Backward backward(runner, options);
  if (!gradients.empty() && gradients.size() != roots.size())
    throw ops::OpError{"RuntimeError", fmt::format("got {} tensors and {} gradients", roots.size(),
                                                   gradients.size())};
  for (size_t i = 0; i < roots.size(); ++i) {
    if (!edge_of(roots[i]))
      throw ops::OpError{"RuntimeError", fmt::format("element {} of tensors does not require grad "
                                                     "and does not have a grad_fn",
                                                     i)};
    Tensor given = i < gradients.size() ? gradients[i] : Tensor();
    backward.start(roots[i], first_gradient(runner, roots[i], given));
  }
  for (const Tensor& input : options.inputs) {
    if (!input.requires_grad())
      throw ops::OpError{"RuntimeError", "One of the differentiated Tensors does not require grad"};
    backward.want(input);
  }
  std::vector<Tensor> captured = backward.run();
  for (size_t i = 0; i < captured.size(); ++i) {
    if (!captured[i].defined() && !options.allows_unused && !options.accumulates)
      throw ops::OpError{
          "RuntimeError",
          fmt::format("The differentiated Tensor at index {} appears to not have been "
                      "used in the graph. Set allow_unused=True if this is the "
                      "desired behavior.",
                      i)};
  }
  return captured;
}

}  // namespace glint::autograd
