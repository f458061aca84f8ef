#include "passes/operators.h"

#include <unordered_map>

#include <fmt/format.h>

#include "core/support/check.h"

namespace glint::passes {

const ops::OpEntry* find_entry(Name target) {
  static std::unordered_map<Name, const ops::OpEntry*> known;
  auto [found, added] = known.try_emplace(target, nullptr);
  if (added) found->second = ops::find_op(target.text());
  return found->second;
}

const ops::OpEntry& entry_of(const Node& node) {
  const ops::OpEntry* entry = find_entry(node.target);
  check(entry != nullptr, fmt::format("there is no operator `{}`", node.target.text()));
  return *entry;
}

namespace {

/// A signature's default, as an argument of a graph or a builder; defaults hold no tensors.
template <class V>
BasicArgument<V> default_argument(const ops::Parameter& parameter) {
  return convert_argument<V>(parameter.default_value, [](const Tensor&) { return V(); });
}

/// Puts arguments into the places of the signature's parameters.
template <class V>
std::vector<BasicArgument<V>> bind(const ops::OpEntry& entry,
                                   std::vector<BasicArgument<V>> positional,
                                   std::vector<BasicNamedArgument<V>> named) {
  const ops::Signature& signature = ops::signature(entry);
  const auto& parameters = signature.parameters;
  std::vector<BasicArgument<V>> bound(parameters.size());
  std::vector<bool> given(parameters.size(), false);
  check(positional.size() <= parameters.size(),
        fmt::format("`{}` is called with too many arguments", entry.name));
  for (size_t i = 0; i < positional.size(); ++i) {
    bound[i] = std::move(positional[i]);
    given[i] = true;
  }
  for (auto& argument : named) {
    auto place = signature.find(argument.name.text());
    check(place.has_value() && !given[*place],
          fmt::format("`{}` takes no `{}` here", entry.name, argument.name.text()));
    bound[*place] = std::move(argument.value);
    given[*place] = true;
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (given[i]) continue;
    check(!parameters[i].required,
          fmt::format("`{}` is called without `{}`", entry.name, parameters[i].name));
    bound[i] = default_argument<V>(parameters[i]);
  }
  return bound;
}

bool equals_default(const ops::Parameter& parameter, const Argument& argument) {
  return !parameter.required && default_argument<Value>(parameter) == argument;
}

}  // namespace

std::vector<Argument> bound_arguments(const Node& node) {
  std::vector<Argument> positional;
  std::vector<NamedArgument> named;
  for (const NamedArgument& argument : node.arguments) {
    if (argument.name.empty())
      positional.push_back(argument.value);
    else
      named.push_back(argument);
  }
  return bind(entry_of(node), std::move(positional), std::move(named));
}

std::vector<OpArgument> bind_arguments(const ops::OpEntry& entry,
                                       std::vector<OpArgument> positional,
                                       std::vector<OpNamedArgument> named) {
  return bind(entry, std::move(positional), std::move(named));
}

std::vector<NamedArgument> spell_arguments(const ops::OpEntry& entry,
                                           std::span<const Argument> bound) {
  const auto& parameters = ops::signature(entry).parameters;
  std::vector<NamedArgument> spelled;
  bool by_position = true;
  for (size_t i = 0; i < bound.size(); ++i) {
    by_position &= parameters[i].required && !parameters[i].keyword_only;
    if (by_position)
      spelled.push_back({Name(), bound[i]});
    else if (!equals_default(parameters[i], bound[i]))
      spelled.push_back({Name(parameters[i].name), bound[i]});
  }
  return spelled;
}

std::vector<ops::InferArgument> infer_arguments(const Graph& graph,
                                                std::span<const Argument> arguments) {
  std::vector<ops::InferArgument> types;
  types.reserve(arguments.size());
  for (const Argument& argument : arguments)
    types.push_back(convert_argument<TensorType>(
        argument, [&](const Value& value) { return graph.type(value); }));
  return types;
}

std::optional<Error> verify_calls(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    if (node.kind != NodeKind::kCall) continue;
    Span span = node.origins.empty() ? Span{} : node.origins.front();
    const ops::OpEntry* entry = find_entry(node.target);
    if (!entry)
      return Error{fmt::format("%{}: there is no operator `{}`", node.name, node.target.text()),
                   span};
    try {
      std::vector<Argument> bound = bound_arguments(node);
      std::vector<TensorType> types = ops::infer(*entry, infer_arguments(graph, bound));
      if (types.size() != node.outputs.size())
        return Error{fmt::format("%{}: `{}` has {} outputs", node.name, entry->name, types.size()),
                     span};
      for (size_t i = 0; i < types.size(); ++i)
        if (types[i] != node.outputs[i])
          return Error{fmt::format("%{}: its type is {}, `{}` gives {}", node.name,
                                   node.outputs[i].text(), entry->name, types[i].text()),
                       span};
    } catch (const ops::OpError& error) {
      return Error{fmt::format("%{}: {}", node.name, error.message), span};
    } catch (const InternalError& error) {
      return Error{fmt::format("%{}: {}", node.name, error.message()), span};
    }
  }
  return std::nullopt;
}

}  // namespace glint::passes
