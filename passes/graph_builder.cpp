#include "passes/graph_builder.h"

#include <fmt/format.h>

#include "core/support/check.h"
#include "passes/operators.h"

namespace glint::passes {

NodeId GraphBuilder::append(const ops::OpEntry& entry, std::vector<Argument> bound,
                            std::string_view name) {
  std::vector<TensorType> types = ops::infer(entry, infer_arguments(graph_, bound));
  NodeId made =
      graph_.add_call(name.empty() ? std::string_view(ops::signature(entry).name) : name,
                      Name(entry.name), spell_arguments(entry, bound), std::move(types), origins_);
  graph_[made].module = module_;
  return made;
}

std::vector<OpValue> GraphBuilder::call_all(std::string_view target,
                                            std::vector<OpArgument> positional,
                                            std::vector<OpNamedArgument> named) {
  const ops::OpEntry* entry = find_entry(Name(target));
  check(entry != nullptr, fmt::format("there is no operator `{}`", target));
  std::vector<OpArgument> bound = bind_arguments(*entry, std::move(positional), std::move(named));
  std::vector<Argument> arguments;
  arguments.reserve(bound.size());
  for (const OpArgument& argument : bound)
    arguments.push_back(
        convert_argument<Value>(argument, [](const OpValue& v) { return v.value; }));
  NodeId node = append(*entry, std::move(arguments));
  std::vector<OpValue> outputs;
  for (uint32_t i = 0; i < graph_[node].outputs.size(); ++i) outputs.push_back(value({node, i}));
  return outputs;
}

}  // namespace glint::passes
