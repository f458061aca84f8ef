// Writes through views of tensors that the region made: the graph stays free of writes.
//
//     y = torch.zeros(4)      %zeros
//     y[0] = 7                %select   = select %zeros, 0, 0            the view that is written
//                             %fill     = fill %select, 7                what it is from now on
//                             %zeros_1  = select_scatter %zeros, %fill, 0, 0      y from now on
//
// Each kind of view has an operator that goes back: from the view's new value and what was seen to
// what is seen now. It is applied from the written view down to the tensor that owns the memory;
// then all views of it that are in use are taken once more. Where there is no such operator
// (`expand`), and where the tape would have to know (while gradients are recorded), the write ends
// the region.

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <unordered_set>

#include "core/tensor/grad_mode.h"
#include "runtime/capture/trace.h"
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

}  // namespace

const TensorImpl& Trace::owner_of(const Tensor& tensor) const {
  const TensorImpl* each = &tensor.impl();
  while (const TensorImpl* seen = record_of(*each)->step.of)
    each = seen;
  return *each;
}

bool Trace::is_same_view(glint::Value left, glint::Value right) const {
  if (left == right) return true;
  const Node &one = graph_[left.node], &other = graph_[right.node];
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

bool Trace::is_copy_of_itself(const ops::OpEntry& entry, std::span<const Value> arguments) {
  if (std::string_view(entry.functional_form->name) != "copy_from") return false;
  if (arguments.size() < 2 || !arguments[1].is(kTensorKind)) return false;
  TracedTensor* source = traced(tensor_of(arguments[1]));
  TracedTensor* target = traced(tensor_of(arguments[0]));
  return source && source->memory == target->memory && is_same_view(source->value, target->value);
}

std::optional<std::string> Trace::obstacle_to_write_through(const Tensor& view,
                                                            std::span<const Value> arguments) {
  TracedTensor* record = traced(view);
  // Whether they overlap, eager execution finds out.
  for (const Value& value : arguments.subspan(1)) {
    if (!value.is(kTensorKind) || value.identical(arguments[0])) continue;
    TracedTensor* read = traced(tensor_of(value));
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
    record = traced(seen);
  }
  // Each write becomes a pass over all elements, if a fused one: a few are cheap, many are not.
  bool small = owner_of(view).numel > kPassPerElement * view.numel() + kPassPerWrite;
  if (small && part_writes_[record->memory] >= kFreeWrites)
    return "that is a small part of a large one, of which many are written: in place that is "
           "cheaper";
  // What the ways back give lies in row-major order.
  if (!graph_.type(record->value).contiguous())
    return "that is a view of one whose elements lie in another order";
  return std::nullopt;
}

glint::Value Trace::value_seen(const ViewStep& step, glint::Value seen, glint::Value view) {
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
      for (SymInt size : graph_.type(seen).sizes) sizes.push_back(size);
      arguments = {view, sizes};
      break;
    }
  }
  NodeId node = builder_.append(*entry, std::move(arguments));
  graph_[node].phase = phase_;
  return {node, 0};
}

void Trace::renew_views(uint32_t memory) {
  std::vector<TracedTensor*> views;
  std::unordered_set<const TensorImpl*> used;
  for (const Tensor& each : pending_ | std::views::reverse) {
    TracedTensor* record = traced(each);
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
    NodeId node = builder_.append(*view->step.entry, view->step.arguments);
    graph_[node].phase = phase_;
    view->value = {node, view->step.output};
  }
}

void Trace::write_through(const Tensor& view) {
  ShapeEnvironment::Scope scope(shapes_);
  TracedTensor* written = traced(view);
  if (written->step.of) ++part_writes_[written->memory];
  while (const TensorImpl* seen = written->step.of) {
    TracedTensor* below = record_of(*seen);
    below->value = value_seen(written->step, below->value, written->value);
    written = below;
    if (!below->step.of && !graph_.type(below->value).contiguous())
      below->value = {builder_.append(*ops::find_op("contiguous"), {below->value}), 0};
  }
  renew_views(written->memory);
}

}  // namespace glint::capture
