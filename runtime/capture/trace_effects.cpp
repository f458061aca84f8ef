#include "runtime/capture/trace_effects.h"

#include <ranges>

#include "ops/op.h"
#include "runtime/interpreter/protocol.h"

namespace glint::capture {

void TraceEffects::keep_one(const Result& result) {
  TracedTensor* record = made_.traced(result.tensor);
  bool written = record && record->value != result.value;
  Tensor tensor =
      written ? runtime::tensor_of(made_.pending_tensor(result.value)) : Tensor(result.tensor);
  if (std::optional<uint32_t> output = made_.output_of(tensor))
    outputs_.push_back({result.call, *output});
}

void TraceEffects::drop(uint32_t step) {
  auto is_unfinished = [&](const Result& each) { return each.call.step == step; };
  for (const Result& draw : draws_)
    if (is_unfinished(draw)) made_.drop(draw.value.node);
  std::erase_if(draws_, is_unfinished);
  std::erase_if(checks_, is_unfinished);
}

void TraceEffects::keep() {
  if (made_.outputs.empty() && !draws_.empty()) keep_one(draws_.front());
  if (checks_.empty()) return;
  std::vector<bool> live(made_.graph.nodes.size());
  auto mark = [&](Value output) {
    live[glint::index(output.node)] = true;
    for (size_t i = glint::index(output.node) + 1; i-- > 0;) {
      if (!live[i]) continue;
      auto arguments = std::span(made_.graph.nodes[i].arguments);
      const ops::OpEntry* entry = ops::find_op(made_.graph.nodes[i].target.text());
      if (entry && entry->reads_only_type) arguments = arguments.subspan(1);
      for (const NamedArgument& argument : arguments)
        for_each_value(argument.value,
                       [&](const Value& value) { live[glint::index(value.node)] = true; });
    }
  };
  for (Value output : made_.graph.outputs) mark(output);
  // The last first: it keeps alive what it is made of.
  for (const Result& check : checks_ | std::views::reverse) {
    if (!made_.traced(check.tensor) || live[glint::index(check.value.node)]) continue;
    keep_one(check);
    mark(check.value);
  }
}

}  // namespace glint::capture
