#include "runtime/autograd/node.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/support/check.h"
#include "ops/gradient.h"
#include "runtime/autograd/record.h"

namespace glint::autograd {

namespace {

uint64_t next_sequence = 0;

template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};

/// Graphs are as deep as a loop is long, so they are not freed recursively: a node that goes hands
/// what it holds to the node that is being freed already.
struct Draining {
  bool active = false;
  std::vector<Ref<RefCounted>> rest;
};
Draining& draining() {
  static Draining state;
  return state;
}

void hand_over(Tensor& tensor, std::vector<Ref<RefCounted>>& rest) {
  if (tensor.defined()) rest.emplace_back(std::move(tensor).take());
}

/// Moves all that keeps other nodes alive out of a node.
void take_references(Node& node, std::vector<Ref<RefCounted>>& rest) {
  for (Edge& edge : node.edges)
    if (edge.node) rest.emplace_back(std::move(edge.node));
  node.edges.clear();
  std::visit(Overloaded{
                 [&](OperatorCall& call) {
                   for (ops::Argument& argument : call.arguments)
                     for_each_value(argument, [&](Tensor& tensor) { hand_over(tensor, rest); });
                   for (SavedTensor& saved : call.results) hand_over(saved.tensor, rest);
                   for (SavedType& type : call.types) hand_over(type.traced, rest);
                 },
                 [&](CompiledCall& call) {
                   for (SavedTensor& saved : call.saved) hand_over(saved.tensor, rest);
                   for (SavedTensor& input : call.inputs) hand_over(input.tensor, rest);
                   for (Edge& edge : call.expanded) rest.emplace_back(std::move(edge.node));
                   call.expanded.clear();
                 },
                 [&](AccumulateGradient& accumulate) {
                   auto* meta = static_cast<AutogradMeta*>(accumulate.leaf->autograd.get());
                   if (meta && meta->accumulator == &node) meta->accumulator = nullptr;
                 },
                 [&](CustomCall& call) {
                   for (SavedTensor& saved : call.saved) hand_over(saved.tensor, rest);
                 },
                 [](const auto&) {},
             },
             node.work);
}

}  // namespace

Node::Node(Work what) : RefCounted(kNodeKind), work(std::move(what)) {
  bool leaf = std::holds_alternative<AccumulateGradient>(work);
  sequence = leaf ? std::numeric_limits<uint64_t>::max() : next_sequence++;
}

Node::~Node() {
  Draining& state = draining();
  take_references(*this, state.rest);
  if (state.active) return;
  state.active = true;
  while (!state.rest.empty()) {
    Ref<RefCounted> last = std::move(state.rest.back());
    state.rest.pop_back();
  }
  state.active = false;
}

std::string Node::name(uint32_t output) const {
  return std::visit(Overloaded{
                        [](const OperatorCall& call) {
                          std::string_view in_place = call.entry->in_place_grad_name;
                          if (call.in_place && !in_place.empty()) return std::string(in_place);
                          return call.copied ? std::string("UnsafeViewBackward0")
                                             : ops::gradient_name(*call.entry, call.arguments);
                        },
                        [&](const CompiledCall& call) {
                          return call.shown_as ? (*call.shown_as)[output].name
                                               : std::string("CompiledFunctionBackward");
                        },
                        [](const AccumulateGradient&) { return std::string("AccumulateGrad"); },
                        [](const CustomCall& call) { return call.name; },
                        [](const CopySlices&) { return std::string("CopySlices"); },
                        [](const ViewOfBase&) { return std::string("AsStridedBackward0"); },
                        [](const NotDifferentiable& call) { return call.name; },
                    },
                    work);
}

std::string Node::short_name(uint32_t output) const {
  if (std::holds_alternative<CopySlices>(work)) return "torch::autograd::CopySlices";
  // `MulBackward0` is `Mul`, `PowBackward1` is `Pow1`.
  constexpr std::string_view kBackward = "Backward";
  std::string full = name(output);
  size_t place = full.rfind(kBackward);
  if (place == std::string::npos) return full;
  std::string number = full.substr(place + kBackward.size());
  return full.substr(0, place) + (number == "0" ? "" : number);
}

bool Node::saves_anything() const {
  if (auto* call = std::get_if<OperatorCall>(&work)) return call->saves_any;
  if (auto* custom = std::get_if<CustomCall>(&work)) return !custom->saved.empty();
  return std::holds_alternative<CompiledCall>(work);
}

bool concerns(const std::vector<std::vector<bool>>& by_result, const std::vector<bool>& results,
              size_t place) {
  for (size_t i = 0; i < results.size(); ++i)
    if (results[i] && by_result[i][place]) return true;
  return false;
}

/// Frees what a backward from these results needed last; whether nothing is left that gradients may
/// still come from.
static bool spend(CompiledCall& region, const std::vector<bool>& reached) {
  const std::vector<std::vector<bool>>& spends = region.relations->spends;
  region.spent.resize(spends.size(), false);
  for (size_t to = 0; to < spends.size(); ++to)
    if (concerns(spends, reached, to)) region.spent[to] = true;
  std::vector<bool> left = region.spent;
  left.flip();
  for (size_t i = 0; i < region.saved.size(); ++i)
    if (!concerns(region.relations->reads, left, i)) region.saved[i] = {};
  for (size_t i = 0; i < region.inputs.size(); ++i)
    if (!concerns(region.relations->needs, left, i)) region.inputs[i] = {};
  return std::ranges::find(left, true) == left.end();
}

void Node::release_saved(const std::vector<bool>& reached) {
  if (auto* region = std::get_if<CompiledCall>(&work)) {
    released = !region->exact || spend(*region, reached);
    if (released) region->saved.clear();
    return;
  }
  released = saves_anything();
  if (auto* custom = std::get_if<CustomCall>(&work)) {
    custom->saved.clear();
    custom->saved_result.clear();
    return;
  }
  auto* call = std::get_if<OperatorCall>(&work);
  if (!call) return;
  for (ops::Argument& argument : call->arguments)
    for_each_value(argument, [](Tensor& tensor) {
      if (tensor.defined() && !stands_for_number(tensor)) tensor = Tensor();
    });
  for (SavedTensor& saved : call->results) saved.tensor = Tensor();
  for (SavedType& type : call->types) type.traced = Tensor();
}

/// The node no longer knows of a tensor that keeps its gradient.
static void drop_from_node(AutogradMeta& meta) {
  if (meta.retains_gradient && meta.node)
    std::erase_if(meta.node->retained, [&](const auto& each) { return each.second == &meta; });
}

AutogradMeta::~AutogradMeta() {
  drop_from_node(*this);
}

void retain_gradient(const Tensor& tensor) {
  Ref<Node> node = node_of(tensor);
  AutogradMeta& meta = make_meta(tensor);
  if (!node || meta.retains_gradient) return;
  meta.retains_gradient = true;
  node->retained.emplace_back(meta.output, &meta);
}

bool stands_for_number(const Tensor& argument) {
  auto* record = static_cast<PendingRecord*>(argument->traced.get());
  return record && record->number;
}

uint32_t version_of(const Tensor& tensor) {
  if (!tensor.is_pending()) return tensor.version();
  auto* record = static_cast<PendingRecord*>(tensor->traced.get());
  return record ? record->version : 0;
}

void add_hook(const Tensor& tensor, Ref<GradientHook> hook) {
  Ref<Node> node = node_of(tensor);
  if (node)
    node->hooks.emplace_back(meta_of(tensor)->output, std::move(hook));
  else
    make_meta(tensor).hooks.push_back(std::move(hook));
}

AutogradMeta* meta_of(const Tensor& tensor) {
  return static_cast<AutogradMeta*>(tensor->autograd.get());
}

AutogradMeta& make_meta(const Tensor& tensor) {
  if (!tensor->autograd) tensor->autograd = make_ref<AutogradMeta>();
  return *meta_of(tensor);
}

Edge edge_of(const Tensor& tensor) {
  if (!tensor.requires_grad()) return {};
  if (Ref<Node> node = node_of(tensor)) return {std::move(node), meta_of(tensor)->output};
  if (!tensor->requires_grad) return {};  // its base does: none flows
  AutogradMeta& meta = make_meta(tensor);
  if (meta.accumulator) return {Ref<Node>(meta.accumulator), 0};
  auto accumulator = make_ref<Node>(AccumulateGradient{tensor.ref()});
  accumulator->outputs.push_back(saved_type(tensor));
  meta.accumulator = accumulator.get();
  return {std::move(accumulator), 0};
}

void forget_accumulator(const Tensor& leaf) {
  if (AutogradMeta* meta = meta_of(leaf)) meta->accumulator = nullptr;
}

bool is_leaf(const Tensor& tensor) {
  return !node_of(tensor);
}

uint32_t output_number(const Tensor& tensor) {
  AutogradMeta* meta = meta_of(tensor);
  if (!meta || !meta->node) return 0;
  auto* call = std::get_if<CompiledCall>(&meta->node->work);
  return call && call->shown_as ? (*call->shown_as)[meta->output].output : meta->output;
}

static void tell(Maker& maker, const Node& node, const Tensor& tensor) {
  maker.name = node.short_name(meta_of(tensor)->output);
  maker.output = output_number(tensor);
}

Ref<Maker> maker_of(const Tensor& tensor) {
  AutogradMeta& meta = *meta_of(tensor);
  if (!meta.maker) meta.maker = make_ref<Maker>();
  tell(*meta.maker, *meta.node, tensor);
  return meta.maker;
}

void forget_history(const Tensor& tensor) {
  if (AutogradMeta* meta = meta_of(tensor)) {
    drop_from_node(*meta);
    meta->node = nullptr;
    if (Ref<Maker> maker = std::exchange(meta->maker, nullptr)) maker->detached = true;
  }
  set_requires_grad(tensor, false);
}

void set_history(const Tensor& tensor, Ref<Node> node, uint32_t output) {
  AutogradMeta& meta = make_meta(tensor);
  drop_from_node(meta);
  bool retains = std::exchange(meta.retains_gradient, false);
  meta.node = std::move(node);
  meta.output = output;
  if (meta.maker) tell(*meta.maker, *meta.node, tensor);
  if (tensor->base) tensor->view_version = version_of(tensor);
  set_requires_grad(tensor, true);
  if (retains) retain_gradient(tensor);
}

void set_requires_grad(const Tensor& tensor, bool requires_grad) {
  if (tensor->requires_grad == requires_grad) return;
  tensor->requires_grad = requires_grad;
  tensor->meta = TensorMetaId::kUnknown;
}

SavedType saved_type(const Tensor& tensor) {
  bool transposed =
      tensor.rank() == 2 && tensor.stride(0) == 1 && tensor.stride(1) == tensor.size(0);
  // Another tensor of the same record: nobody shall think that the script still holds this one.
  Tensor traced = tensor.is_pending() ? without_history(tensor) : Tensor();
  return {tensor.dtype(), tensor.device(), tensor->sizes, std::move(traced), transposed};
}

}  // namespace glint::autograd
