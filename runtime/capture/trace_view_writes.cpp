#include "runtime/capture/trace_view_writes.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <unordered_set>

#include "core/tensor/grad_mode.h"
#include "runtime/autograd/node.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

namespace {

/// How the way back from a view is found.
enum class WayBack : uint8_t {
  kScatter,  ///< the operator takes what was seen, the view's new value and the view's arguments
  kSame,     ///< the same operator with the same arguments
  kReshape   ///< all elements in their order: the sizes of what was seen
};

struct ViewWayBack {
  std::string_view view;
  WayBack way;
  std::string_view scatter = {};
};

constexpr ViewWayBack kWaysBack[] = {
    {"select", WayBack::kScatter, "select_scatter"},
    {"slice", WayBack::kScatter, "slice_scatter"},
    {"diagonal", WayBack::kScatter, "diagonal_scatter"},
    {"transpose", WayBack::kSame},
    {"t", WayBack::kSame},
    {"alias", WayBack::kReshape},
    {"view", WayBack::kReshape},
    {"reshape", WayBack::kReshape},
    {"flatten", WayBack::kReshape},
    {"unflatten", WayBack::kReshape},
    {"squeeze", WayBack::kReshape},
    {"unsqueeze", WayBack::kReshape},
};

/// So many writes to parts of a tensor are part of the graph whatever its size; more are if they
/// write one element in so many, or if the tensor has no more elements than a call of an operator
/// costs.
constexpr uint32_t kFreeWrites = 4;
constexpr int64_t kPassPerElement = 8;
constexpr int64_t kPassPerWrite = 8192;

const ViewWayBack* way_back(const ops::OpEntry& entry) {
  auto found = std::ranges::find(kWaysBack, entry.name, &ViewWayBack::view);
  return found == std::end(kWaysBack) ? nullptr : found;
}

/// The tensor that a pending one shows, however many views away: itself, if it is no view.
const TensorImpl& owner_of(const Tensor& tensor) {
  const TensorImpl* each = &tensor.impl();
  while (const TensorImpl* seen = record_of(*each)->step.of) each = seen;
  return *each;
}

}  // namespace

std::optional<std::string> ViewWrites::obstacle(const Tensor& target,
                                                std::span<const Value> arguments) {
  std::optional<std::string> found = obstacle_in_memory(target);
  if (!found) found = obstacle_by_history(target, arguments);
  return found ? found : obstacle_in_view(target, arguments);
}

std::optional<std::string> ViewWrites::obstacle_in_memory(const Tensor& target) {
  uint32_t memory = made_.memory_of(target);
  if (made_.is_outside_memory(memory)) return "that shows the memory of one from outside";
  for (const Tensor& other : made_.in_use(memory))
    if (&owner_of(other) != &owner_of(target))
      return fmt::format("that shares its memory with {}",
                         made_.graph.text(made_.traced(other)->value));
  return std::nullopt;
}

std::optional<std::string> ViewWrites::obstacle_by_history(const Tensor& target,
                                                           std::span<const Value> arguments) {
  if (!grad_mode()) return std::nullopt;
  std::vector<Tensor> views = made_.in_use(made_.memory_of(target));
  std::erase_if(views, [&](const Tensor& view) { return view.is_same(target); });
  auto is_taped = [](const Value& value) {
    return value.is(kTensorKind) && autograd::requires_grad(tensor_of(value));
  };
  bool taped = std::ranges::any_of(arguments, is_taped) ||
               std::ranges::any_of(views, &autograd::requires_grad);
  if (views.empty() || !taped) return std::nullopt;
  return fmt::format("whose memory {} shows, while gradients are recorded",
                     made_.graph.text(made_.traced(views[0])->value));
}

bool ViewWrites::is_same_view(glint::Value left, glint::Value right) const {
  if (left == right) return true;
  const Node &one = made_.graph[left.node], &other = made_.graph[right.node];
  if (left.output != right.output || one.target != other.target || one.arguments.empty() ||
      one.arguments.size() != other.arguments.size())
    return false;
  const ops::OpEntry* entry = ops::find_op(one.target.text());
  if (!entry || !way_back(*entry)) return false;
  for (size_t i = 1; i < one.arguments.size(); ++i)
    if (!(one.arguments[i] == other.arguments[i])) return false;
  const auto& seen = one.arguments[0].value;
  const auto& seen_too = other.arguments[0].value;
  return seen.is_value() && seen_too.is_value() && is_same_view(seen.tensor(), seen_too.tensor());
}

bool ViewWrites::is_copy_of_itself(const ops::OpEntry& entry,
                                   std::span<const Value> arguments) const {
  if (std::string_view(entry.functional_form->name) != "copy_from") return false;
  if (arguments.size() < 2 || !arguments[1].is(kTensorKind)) return false;
  TracedTensor* source = made_.traced(tensor_of(arguments[1]));
  TracedTensor* target = made_.traced(tensor_of(arguments[0]));
  return source && source->memory == target->memory && is_same_view(source->value, target->value);
}

std::optional<std::string> ViewWrites::obstacle_in_view(const Tensor& view,
                                                        std::span<const Value> arguments) {
  TracedTensor* record = made_.traced(view);
  // Whether they overlap, eager execution finds out.
  for (const Value& value : arguments.subspan(1)) {
    if (!value.is(kTensorKind) || value.identical(arguments[0])) continue;
    TracedTensor* read = made_.traced(tensor_of(value));
    if (read && read->memory == record->memory) return "whose memory it also reads";
  }
  if (!record->step.entry) return std::nullopt;
  auto is_taped = [](const Value& value) {
    return value.is(kTensorKind) && autograd::requires_grad(tensor_of(value));
  };
  if (grad_mode() && std::ranges::any_of(arguments, is_taped))
    return "that is a view, while gradients are recorded";
  while (record->step.entry) {
    if (!record->step.of || !way_back(*record->step.entry))
      return fmt::format("that is a view by `{}`", record->step.entry->name);
    Tensor seen{Ref<TensorImpl>(const_cast<TensorImpl*>(record->step.of))};
    if (autograd::requires_grad(seen)) return "that is a view of one with a history";
    record = made_.traced(seen);
  }
  // Each write becomes a pass over all elements, if a fused one: a few are cheap, many are not.
  bool small = owner_of(view).numel > kPassPerElement * view.numel() + kPassPerWrite;
  if (small && part_writes_[record->memory] >= kFreeWrites)
    return "that is a small part of a large one, of which many are written: in place that is "
           "cheaper";
  // What the ways back give lies in row-major order.
  if (!made_.graph.type(record->value).contiguous())
    return "that is a view of one whose elements lie in another order";
  return std::nullopt;
}

glint::Value ViewWrites::value_seen(const ViewStep& step, glint::Value seen, glint::Value view) {
  const ViewWayBack& back = *way_back(*step.entry);
  const ops::OpEntry* entry = step.entry;
  std::vector<Argument> arguments = step.arguments;
  switch (back.way) {
    case WayBack::kScatter:
      entry = ops::find_op(back.scatter);
      arguments[0] = view;
      arguments.insert(arguments.begin(), seen);
      break;
    case WayBack::kSame:
      arguments[0] = view;
      break;
    case WayBack::kReshape: {
      entry = ops::find_op("reshape");
      Argument::List sizes;
      for (SymInt size : made_.graph.type(seen).sizes) sizes.push_back(size);
      arguments = {view, sizes};
      break;
    }
  }
  NodeId node = made_.append(*entry, std::move(arguments));
  return {node, 0};
}

void ViewWrites::renew_views(uint32_t memory) {
  std::vector<TracedTensor*> views;
  std::unordered_set<const TensorImpl*> used;
  for (const Tensor& each : made_.pending() | std::views::reverse) {
    TracedTensor* record = made_.traced(each);
    if (!record || record->memory != memory) continue;
    bool in_use = each->ref_count() > 1 || used.contains(&each.impl());
    if (!in_use) continue;
    ++record->version;
    if (!record->step.of) continue;
    used.insert(record->step.of);
    views.push_back(record);
  }
  for (TracedTensor* view : views | std::views::reverse) {
    view->step.arguments[0] = record_of(*view->step.of)->value;
    NodeId node = made_.append(*view->step.entry, view->step.arguments);
    view->value = {node, view->step.output};
  }
}

void ViewWrites::write_through(const Tensor& view) {
  ShapeEnvironment::Scope scope(shapes_);
  TracedTensor* written = made_.traced(view);
  if (written->step.of) ++part_writes_[written->memory];
  while (const TensorImpl* seen = written->step.of) {
    TracedTensor* below = record_of(*seen);
    below->value = value_seen(written->step, below->value, written->value);
    written = below;
    if (!below->step.of && !made_.graph.type(below->value).contiguous())
      below->value = {made_.builder.append(*ops::find_op("contiguous"), {below->value}), 0};
  }
  renew_views(written->memory);
}

}  // namespace glint::capture
