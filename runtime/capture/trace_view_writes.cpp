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

/// So many writes to parts of a tensor are part of the graph whatever its size; more are if they
/// write one element in so many, or if the tensor has no more elements than a call of an operator
/// costs.
constexpr uint32_t kFreeWrites = 4;
constexpr int64_t kPassPerElement = 8;
constexpr int64_t kPassPerWrite = 8192;

ops::WayBack way_back(const ops::OpEntry& entry) {
  const auto* view = entry.lowers_to<ops::View>();
  return view ? view->back : ops::WayBack::kNone;
}

/// Whether gradients flow to what the tensor shows.
bool has_history(const Tensor& seen) {
  const autograd::AutogradMeta* base = seen->base ? autograd::meta_of(Tensor(seen->base)) : nullptr;
  return seen->requires_grad || (base && base->node);
}

}  // namespace

const TensorImpl& ViewWrites::owner_of(const Tensor& tensor) {
  Tensor input = made_.input_with(made_.memory_of(tensor));
  if (input.defined()) return input.impl();
  const TensorImpl* each = &tensor.impl();
  while (const TensorImpl* seen = record_of(*each)->step.of) each = seen;
  return *each;
}

glint::Value ViewWrites::value_of_input(const Tensor& input) {
  const OutsideWrite* write = outside_.written(input);
  return write ? write->value : *made_.parameter_of(input);
}

std::optional<std::string> ViewWrites::obstacle(const Tensor& target,
                                                std::span<const Value> arguments) {
  std::optional<std::string> found = obstacle_in_memory(target);
  if (!found) found = obstacle_by_history(target, arguments);
  if (!found) found = obstacle_by_reads(arguments);
  return found ? found : obstacle_in_view(target, arguments);
}

std::optional<std::string> ViewWrites::obstacle_in_memory(const Tensor& target) {
  uint32_t memory = made_.memory_of(target);
  if (made_.is_outside_memory(memory) && !made_.input_with(memory).defined())
    return "that shows the memory of one from outside";
  for (const Tensor& other : made_.in_use(memory))
    if (&owner_of(other) != &owner_of(target))
      return fmt::format("that shares its memory with {}",
                         made_.graph.text(made_.traced(other)->value));
  return std::nullopt;
}

std::optional<std::string> ViewWrites::obstacle_by_history(const Tensor& target,
                                                           std::span<const Value> arguments) {
  if (!grad_mode() || is_counted_apart(made_.traced(target))) return std::nullopt;
  std::vector<Tensor> views = made_.in_use(made_.memory_of(target));
  std::erase_if(views, [&](const Tensor& view) { return view.is_same(target); });
  auto is_taped = [](const Value& value) {
    return value.is(kTensorKind) && tensor_of(value).requires_grad();
  };
  bool taped = std::ranges::any_of(arguments, is_taped) ||
               std::ranges::any_of(views, &Tensor::requires_grad);
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
  if (!entry || way_back(*entry) == ops::WayBack::kNone) return false;
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

bool ViewWrites::reads_memory(const Value& value, uint32_t memory) {
  if (value.is(kTensorKind)) return made_.memory_of(tensor_of(value)) == memory;
  const std::vector<Value>* items = items_of(value);
  return items &&
         std::ranges::any_of(*items, [&](const Value& item) { return reads_memory(item, memory); });
}

std::optional<std::string> ViewWrites::obstacle_by_reads(std::span<const Value> arguments) {
  uint32_t memory = made_.memory_of(tensor_of(arguments[0]));
  // Whether they overlap, eager execution finds out.
  for (const Value& value : arguments.subspan(1))
    if (!value.identical(arguments[0]) && reads_memory(value, memory))
      return "whose memory it also reads";
  return std::nullopt;
}

std::optional<std::string> ViewWrites::obstacle_in_view(const Tensor& view,
                                                        std::span<const Value> arguments) {
  TracedTensor* record = made_.traced(view);
  if (!record->step.entry) return std::nullopt;
  auto is_taped = [](const Value& value) {
    return value.is(kTensorKind) && tensor_of(value).requires_grad();
  };
  if (grad_mode() && std::ranges::any_of(arguments, is_taped))
    return "that is a view, while gradients are recorded";
  Tensor input = made_.input_with(record->memory);
  glint::Value owner = record->value;
  while (record->step.entry) {
    bool known = record->step.of || input.defined();
    if (!known || way_back(*record->step.entry) == ops::WayBack::kNone)
      return fmt::format("that is a view by `{}`", record->step.entry->name);
    owner = record->step.of ? record_of(*record->step.of)->value : value_of_input(input);
    if (!record->step.of) break;
    Tensor seen{Ref<TensorImpl>(const_cast<TensorImpl*>(record->step.of))};
    if (has_history(seen)) return "that is a view of one with a history";
    record = made_.traced(seen);
  }
  // Each write becomes a pass over all elements, if a fused one: a few are cheap, many are not.
  bool small = owner_of(view).numel > kPassPerElement * view.numel() + kPassPerWrite;
  uint32_t free = input.defined() ? 0 : kFreeWrites;  // a whole input is written besides
  if (small && part_writes_[record->memory] >= free)
    return "that is a small part of a large one, of which many are written: in place that is "
           "cheaper";
  // What the ways back give lies in row-major order.
  if (!made_.graph.type(owner).contiguous())
    return "that is a view of one whose elements lie in another order";
  return std::nullopt;
}

glint::Value ViewWrites::value_seen(const ViewStep& step, glint::Value seen, glint::Value view) {
  const ops::OpEntry* entry = step.entry;
  std::vector<Argument> arguments = step.arguments;
  switch (way_back(*step.entry)) {
    case ops::WayBack::kNone:
      fail("a view without a way back is written through");
    case ops::WayBack::kScatter:
      entry = ops::find_op(step.entry->lowers_to<ops::View>()->scatter);
      arguments[0] = view;
      arguments.insert(arguments.begin(), seen);
      break;
    case ops::WayBack::kItself:
      return view;
    case ops::WayBack::kSame:
      arguments[0] = view;
      break;
    case ops::WayBack::kReshape: {
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

void ViewWrites::renew_views(uint32_t memory, bool counted) {
  std::vector<TracedTensor*> views;
  std::unordered_set<const TensorImpl*> used;
  Tensor input = made_.input_with(memory);
  for (const Tensor& each : made_.pending() | std::views::reverse) {
    TracedTensor* record = made_.traced(each);
    if (!record || record->memory != memory) continue;
    bool in_use = each->ref_count() > 1 || used.contains(&each.impl());
    if (!in_use) continue;
    if (counted != is_counted_apart(record)) ++record->version;
    if (!record->step.of && !(input.defined() && record->step.entry)) continue;
    used.insert(record->step.of);
    views.push_back(record);
  }
  for (TracedTensor* view : views | std::views::reverse) {
    view->step.arguments[0] =
        view->step.of ? record_of(*view->step.of)->value : value_of_input(input);
    NodeId node = made_.append(*view->step.entry, view->step.arguments);
    view->value = {node, view->step.output};
  }
}

bool ViewWrites::write_input(const Tensor& input, glint::Value value, bool counted) {
  uint32_t memory = made_.memory_of(input);
  made_.will_be_written(memory);
  bool first = outside_.write(input, value, counted);
  renew_views(memory, counted);
  return first;
}

Tensor ViewWrites::write_through(const Tensor& view) {
  ShapeEnvironment::Scope scope(shapes_);
  TracedTensor* written = made_.traced(view);
  const bool counted = !is_counted_apart(written);
  if (written->step.entry) ++part_writes_[written->memory];
  auto in_order = [&](glint::Value value) {
    if (made_.graph.type(value).contiguous()) return value;
    return glint::Value{made_.builder.append(*ops::find_op("contiguous"), {value}), 0};
  };
  while (const TensorImpl* seen = written->step.of) {
    TracedTensor* below = record_of(*seen);
    below->value = value_seen(written->step, below->value, written->value);
    written = below;
    if (!below->step.entry) below->value = in_order(below->value);
  }
  Tensor input = made_.input_with(written->memory);
  if (!input.defined()) {
    renew_views(written->memory, counted);
    return Tensor();
  }
  glint::Value seen = value_seen(written->step, value_of_input(input), written->value);
  return write_input(input, in_order(seen), counted) ? input : Tensor();
}

}  // namespace glint::capture
