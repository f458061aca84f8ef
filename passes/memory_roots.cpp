#include "passes/memory_roots.h"

#include <algorithm>

#include <fmt/format.h>

#include "ops/sharing.h"
#include "passes/operators.h"

namespace glint::passes {

namespace {

uint64_t key(Value value) {
  return uint64_t(index(value.node)) << 8 | value.output;
}

/// The argument whose memory the value shows; nothing if it has its own.
std::optional<Value> shown_argument(const Graph& graph, Value value) {
  const Node& node = graph[value.node];
  if (node.kind != NodeKind::kCall) return std::nullopt;
  std::vector<Argument> bound = bound_arguments(node);
  ops::Sharing sharing =
      ops::sharing(entry_of(node), infer_arguments(graph, bound)).at(value.output);
  if (sharing.kind == ops::Sharing::Kind::kFresh) return std::nullopt;
  std::vector<Value> operands;
  for (const Argument& argument : bound)
    for_each_value(argument, [&](const Value& operand) { operands.push_back(operand); });
  return operands.at(sharing.tensor);
}

/// `memory(i)` identifies the memory of output i, `parameter(i)` the parameter that has it, if any.
template <class Memory, class Parameter>
std::vector<OutputRoot> number_roots(size_t count, const Memory& memory,
                                     const Parameter& parameter) {
  std::vector<OutputRoot> roots;
  for (size_t i = 0; i < count; ++i) {
    if (std::optional<size_t> given = parameter(i)) {
      roots.push_back({OutputRoot::Kind::kParameter, *given});
      continue;
    }
    size_t first = 0;
    while (memory(first) != memory(i)) ++first;
    roots.push_back({OutputRoot::Kind::kOutput, first});
  }
  return roots;
}

std::string root_text(const OutputRoot& root, size_t output) {
  if (root.kind == OutputRoot::Kind::kParameter) return fmt::format("of input {}", root.number);
  return root.number == output ? "of its own" : fmt::format("of output {}", root.number);
}

}  // namespace

Value MemoryRoots::root(Value value) {
  if (auto known = roots_.find(key(value)); known != roots_.end()) return known->second;
  std::optional<Value> shown = shown_argument(graph_, value);
  Value found = shown ? root(*shown) : value;
  roots_.emplace(key(value), found);
  return found;
}

bool MemoryRoots::escapes(Value value) {
  Value wanted = root(value);
  return std::ranges::any_of(graph_.outputs, [&](Value output) { return root(output) == wanted; });
}

std::vector<OutputRoot> output_roots(const Graph& graph) {
  MemoryRoots roots(graph);
  auto memory = [&](size_t i) { return roots.root(graph.outputs[i]); };
  return number_roots(graph.outputs.size(), memory, [&](size_t i) -> std::optional<size_t> {
    size_t node = index(memory(i).node);
    return node < graph.parameter_count ? std::optional(node) : std::nullopt;
  });
}

std::vector<OutputRoot> output_roots(const Schedule& schedule) {
  using Role = ScheduleTensor::Role;
  auto base = [&](size_t i) {
    TensorId id = schedule.outputs[i];
    while (schedule[id].role == Role::kView) id = schedule[id].base;
    return id;
  };
  auto memory = [&](size_t i) {
    TensorId id = base(i);
    bool slot = schedule[id].role == Role::kSlot;
    return std::pair(slot, slot ? size_t(schedule[id].slot) : index(id));
  };
  return number_roots(schedule.outputs.size(), memory, [&](size_t i) -> std::optional<size_t> {
    TensorId id = base(i);
    return schedule[id].role == Role::kInput ? std::optional(index(id)) : std::nullopt;
  });
}

std::optional<Error> compare_roots(const std::vector<OutputRoot>& wanted,
                                   const std::vector<OutputRoot>& got) {
  for (size_t i = 0; i < wanted.size() && i < got.size(); ++i)
    if (wanted[i] != got[i])
      return Error{fmt::format("output {} has the memory {}, in the captured graph {}", i,
                               root_text(got[i], i), root_text(wanted[i], i))};
  return std::nullopt;
}

}  // namespace glint::passes
