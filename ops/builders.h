// The two builders of ops/: one executes at once on tensors, one computes nothing but types. Both
// run the decompositions of composite operators.
#pragma once

#include "ops/op.h"

namespace glint::ops {

/// Floats of 16 bits, which compute in float32.
constexpr bool is_narrow_float(DType dtype) {
  return dtype == DType::kBFloat16 || dtype == DType::kFloat16;
}

/// bfloat16 and float16 as float32, for composites that round once, at their end, as PyTorch's do.
inline OpValue widened(OpBuilder& b, OpValue x) {
  return is_narrow_float(b.dtype(x)) ? b.to(std::move(x), DType::kFloat32) : x;
}

/// Where a type builder's values keep their type.
struct TypeHolder final : RefCounted {
  explicit TypeHolder(TensorType held) : type(std::move(held)) {}
  TensorType type;
};

OpBuilder& type_builder();
OpValue type_value(const TensorType& type);
const TensorType& value_type(const OpValue& value);

/// Arguments with another kind of tensor, by a function from tensor to tensor.
template <class To, class From, class F>
BasicArgument<To> map_argument(const BasicArgument<From>& argument, F&& map) {
  return std::visit(
      [&]<class T>(const T& value) -> BasicArgument<To> {
        if constexpr (std::is_same_v<T, From>) {
          return BasicArgument<To>(map(value));
        } else if constexpr (std::is_same_v<T, BasicArgumentList<From>>) {
          BasicArgumentList<To> list;
          list.reserve(value.size());
          for (const auto& item : value) list.push_back(map_argument<To>(item, map));
          return BasicArgument<To>(std::move(list));
        } else if constexpr (std::is_same_v<T, std::monostate>) {
          return {};
        } else {
          return BasicArgument<To>(value);
        }
      },
      argument.value);
}

/// One argument a parameter from positional and named ones, defaults filled in; for C++ callers,
/// which are trusted to pass what the signature takes.
template <class V>
std::vector<BasicArgument<V>> complete_arguments(const OpEntry& entry,
                                                 std::vector<BasicArgument<V>> positional,
                                                 const std::vector<BasicNamedArgument<V>>& named) {
  const Signature& parsed = signature(entry);
  std::vector<BasicArgument<V>> result = std::move(positional);
  size_t given = result.size();
  check(given <= parsed.parameters.size(), "no more arguments than parameters");
  result.resize(parsed.parameters.size());
  auto no_tensor = [](const Tensor&) -> V { fail("a default is no tensor"); };
  for (size_t i = given; i < result.size(); ++i)
    result[i] = map_argument<V>(parsed.parameters[i].default_value, no_tensor);
  for (const auto& argument : named) {
    auto found = parsed.find(argument.name.text());
    check(found.has_value(), "the operator has such a parameter");
    result[*found] = argument.value;
  }
  return result;
}

}  // namespace glint::ops
