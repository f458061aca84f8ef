// Graph nodes and the operator table: which entry a call names, its arguments as the signature
// orders them, and the one spelling of a call.
//
//     %sum = sum %x, dim=1      bound_arguments gives {%x, 1, False, None}: one a parameter
//     spell_arguments           gives back {%x} by position, dim=1 by name, and no defaults
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ir/graph.h"
#include "ir/op_builder.h"
#include "ops/infer.h"
#include "ops/op.h"

namespace glint::passes {

/// The entry that a call names; throws InternalError where there is none.
const ops::OpEntry& entry_of(const Node& node);
const ops::OpEntry* find_entry(Name target);

/// One argument a parameter, defaults filled in.
std::vector<Argument> bound_arguments(const Node& node);
/// Python's arguments, by position and by name, to one a parameter. Throws InternalError.
std::vector<OpArgument> bind_arguments(const ops::OpEntry& entry,
                                       std::vector<OpArgument> positional,
                                       std::vector<OpNamedArgument> named);
/// The spelling that graphs use, from one argument a parameter.
std::vector<NamedArgument> spell_arguments(const ops::OpEntry& entry,
                                           std::span<const Argument> bound);

/// With types in place of values, for ops::infer.
std::vector<ops::InferArgument> infer_arguments(const Graph& graph,
                                                std::span<const Argument> arguments);
/// The same argument with other values: `replace` gives a U for a V.
template <class U, class V, class F>
BasicArgument<U> convert_argument(const BasicArgument<V>& argument, const F& replace);

/// Checks that every call fits its operator: the entry exists, the arguments bind, and the types
/// are those that the entry infers.
std::optional<Error> verify_calls(const Graph& graph);

template <class U, class V, class F>
BasicArgument<U> convert_argument(const BasicArgument<V>& argument, const F& replace) {
  if (const V* value = argument.template get_if<V>()) return BasicArgument<U>(replace(*value));
  BasicArgument<U> converted;
  if (argument.is_list()) {
    BasicArgumentList<U> items;
    for (const auto& item : argument.list()) items.push_back(convert_argument<U>(item, replace));
    converted.value = std::move(items);
  } else if (auto* flag = argument.template get_if<bool>()) {
    converted.value = *flag;
  } else if (auto* size = argument.template get_if<SymInt>()) {
    converted.value = *size;
  } else if (auto* real = argument.template get_if<double>()) {
    converted.value = *real;
  } else if (auto* text = argument.template get_if<std::string>()) {
    converted.value = *text;
  } else if (auto* dtype = argument.template get_if<DType>()) {
    converted.value = *dtype;
  } else if (auto* device = argument.template get_if<Device>()) {
    converted.value = *device;
  }
  return converted;
}

}  // namespace glint::passes
