#include "runtime/capture/traced_graph.h"

#include <algorithm>

#include "core/support/check.h"
#include "runtime/autograd/node.h"

namespace glint::capture {

namespace {

uint64_t next_number() {
  static uint64_t last = 0;
  return ++last;
}

}  // namespace

TracedGraph::TracedGraph(const ShapeEnvironment& shapes)
    : number_(next_number()), shapes_(shapes) {}

NodeId TracedGraph::append(const ops::OpEntry& entry, std::vector<Argument> arguments) {
  NodeId node = builder.append(entry, std::move(arguments));
  graph[node].phase = phase;
  graph[node].gradient_of = gradient_of;
  return node;
}

// ---- What goes in ------------------------------------------------------------------------------

const Value* TracedGraph::parameter_of(const Tensor& tensor) const {
  auto found = parameter_of_.find(&tensor.impl());
  return found == parameter_of_.end() ? nullptr : &found->second;
}

const Value* TracedGraph::number_of(uint32_t step) const {
  auto found = number_of_step_.find(step);
  return found == number_of_step_.end() ? nullptr : &found->second;
}

Value TracedGraph::add_parameter(const Tensor& tensor, SourceId source, std::string_view name,
                                 TensorType type, std::vector<Span> origins) {
  parameters.push_back(source);
  inputs.push_back(tensor);
  return parameter_of_[&tensor.impl()] =
             graph.add_constant(name, std::move(type), {}, std::move(origins));
}

Value TracedGraph::add_number(uint32_t step, std::string_view name, std::vector<Span> origins) {
  numbers.push_back(step);
  return number_of_step_[step] =
             graph.add_constant(name, TensorType::number(DType::kFloat64), {}, std::move(origins));
}

Value TracedGraph::add_constant(TensorType type, std::vector<std::byte> data,
                                std::vector<Span> origins) {
  Value value = graph.add_constant("tensor", std::move(type), std::move(data), std::move(origins));
  constants_.insert(static_cast<uint32_t>(index(value.node)));
  return value;
}

// ---- Pending tensors and memories --------------------------------------------------------------

TracedTensor* TracedGraph::traced(const Tensor& tensor) const {
  TracedTensor* record = record_of(tensor.impl());
  return record && record->trace == number_ ? record : nullptr;
}

runtime::Value TracedGraph::pending_tensor(Value value, uint32_t memory) {
  const TensorType& type = graph.type(value);
  std::vector<int64_t> sizes;
  for (SymInt size : type.sizes) sizes.push_back(shapes_.hint(size));
  Tensor tensor = Tensor::pending(IntSpan(sizes.data(), sizes.size()), type.dtype,
                                  device.value_or(Device::cpu()));
  for (size_t i = 0; i < type.strides.size(); ++i)
    tensor->strides[i] = shapes_.hint(type.strides[i]);
  tensor->contiguous = type.contiguous();
  auto record = make_ref<TracedTensor>();
  record->trace = number_;
  record->value = value;
  record->memory = memory;
  tensor->traced = record;
  pending_.push_back(tensor);
  return runtime::Value(tensor.ref());
}

Tensor TracedGraph::pending_number(uint32_t step, Value value) {
  Tensor number = Tensor::pending({}, DType::kFloat64);
  auto record = make_ref<TracedTensor>();
  record->trace = number_;
  record->value = value;
  record->memory = memories_++;
  record->number = step;
  number->traced = std::move(record);
  return number;
}

uint32_t TracedGraph::memory_of(const Tensor& tensor) {
  if (TracedTensor* record = traced(tensor)) return record->memory;
  auto [found, added] = outside_memories_.try_emplace(tensor.storage().get(), memories_);
  memories_ += added;
  return found->second;
}

bool TracedGraph::is_outside_memory(uint32_t memory) const {
  return std::ranges::any_of(outside_memories_,
                             [&](const auto& each) { return each.second == memory; });
}

Tensor TracedGraph::input_with(uint32_t memory) {
  auto found =
      std::ranges::find_if(inputs, [&](const Tensor& each) { return memory_of(each) == memory; });
  return is_outside_memory(memory) && found != inputs.end() ? *found : Tensor();
}

std::vector<Tensor> TracedGraph::in_use(uint32_t memory) const {
  std::vector<Tensor> found;
  for (const Tensor& tensor : pending_) {
    TracedTensor* record = traced(tensor);
    if (tensor->ref_count() > 1 && record && record->memory == memory) found.push_back(tensor);
  }
  return found;
}

// ---- What comes out ----------------------------------------------------------------------------

Value TracedGraph::view_of_parameter(const TracedTensor& view) {
  std::vector<Argument> arguments = view.step.arguments;
  arguments[0] = view.step.of ? view_of_parameter(*record_of(*view.step.of))
                              : *parameter_of(input_with(view.memory));
  return {append(*view.step.entry, std::move(arguments)), view.step.output};
}

std::optional<uint32_t> TracedGraph::output_of(const Tensor& tensor) {
  TracedTensor* record = traced(tensor);
  if (!record) return std::nullopt;
  auto [found, added] =
      output_index_.try_emplace(&tensor.impl(), static_cast<uint32_t>(outputs.size()));
  if (added) {
    bool shows_written = record->step.entry && written_memories_.contains(record->memory);
    outputs.push_back(tensor);
    graph.outputs.push_back(shows_written ? view_of_parameter(*record) : record->value);
  }
  return found->second;
}

void TracedGraph::keep_all_alive() {
  for (const Tensor& tensor : pending_) {
    bool held = tensor->ref_count() > 1;
    if (held) output_of(tensor);
  }
}

std::vector<OutputBase> TracedGraph::output_bases() const {
  std::vector<OutputBase> bases;
  for (uint32_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].defined() || !outputs[i]->base) continue;
    const Ref<TensorImpl>& base = outputs[i]->base;
    const TensorImpl* shown = traced(outputs[i])->shown;
    auto input =
        std::ranges::find_if(inputs, [&](const Tensor& each) { return &each.impl() == shown; });
    auto output = output_index_.find(base.get());
    if (shown && input != inputs.end())
      bases.push_back({i, true, static_cast<uint32_t>(input - inputs.begin())});
    else if (!base->storage && output != output_index_.end())
      bases.push_back({i, false, output->second});
    else
      continue;
    bases.back().origin = outputs[i]->view_origin;
    bases.back().writes = autograd::version_of(outputs[i]) - outputs[i]->view_version;
  }
  return bases;
}

bool TracedGraph::shows_live_tensor(uint32_t output) const {
  const Tensor& tensor = outputs[output];
  const Ref<TensorImpl>& base = tensor->base;
  if (base && base->storage) return true;
  // Views that one call gave, like those of `chunk`, may not be written; others may be, and then
  // the histories of all that share the memory change.
  auto is_of_several = [&](const TracedTensor& record) {
    return graph[record.value.node].outputs.size() > 1;
  };
  const TracedTensor& record = *traced(tensor);
  return std::ranges::any_of(outputs, [&](const Tensor& other) {
    if (!other.defined() || other.is_same(tensor)) return false;
    const TracedTensor& beside = *traced(other);
    if (beside.memory != record.memory) return false;
    return &other.impl() == base.get() || !is_of_several(record) || !is_of_several(beside);
  });
}

Graph TracedGraph::finish(std::span<const Value> more) const {
  Graph ordered;
  ordered.name = graph.name;
  ordered.sizes = SizeFacts::of(shapes_);
  std::vector<Value> moved(graph.nodes.size());
  auto place_of = [&](const TensorImpl* tensor) { return parameter_of_.at(tensor).node; };
  for (const Tensor& input : inputs) {
    const Node& node = graph[place_of(&input.impl())];
    moved[index(place_of(&input.impl()))] =
        ordered.add_parameter(node.name, node.outputs[0], node.origins);
    ordered.nodes.back().module = node.module;
  }
  for (uint32_t step : numbers) {
    const Node& node = graph[number_of_step_.at(step).node];
    moved[index(number_of_step_.at(step).node)] =
        ordered.add_parameter(node.name, node.outputs[0], node.origins);
  }
  for (Value each : more) {
    const Node& node = graph[each.node];
    moved[index(each.node)] = ordered.add_parameter(node.name, node.outputs[0], node.origins);
  }
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (constants_.contains(static_cast<uint32_t>(i))) {
      moved[i] = ordered.add_constant(node.name, node.outputs[0], node.data, node.origins);
      continue;
    }
    if (node.kind != NodeKind::kCall || dropped_.contains(i)) continue;
    std::vector<NamedArgument> arguments = node.arguments;
    bool complete = true;
    for (NamedArgument& argument : arguments) {
      for_each_value(argument.value, [&](Value& value) {
        value = {moved[index(value.node)].node, value.output};
        complete = complete && value.node != Value().node;
      });
    }
    // It hangs on a gradient from outside, which only the joint graph has.
    if (!complete) continue;
    NodeId made =
        ordered.add_call(node.name, node.target, std::move(arguments), node.outputs, node.origins);
    ordered[made].belong_with(node);
    moved[i] = {made, 0};
  }
  for (const Value& output : graph.outputs) {
    NodeId made = moved[index(output.node)].node;
    check(made != Value().node, "an output hangs on a gradient from outside");
    ordered.outputs.push_back({made, output.output});
  }
  return ordered;
}

}  // namespace glint::capture
