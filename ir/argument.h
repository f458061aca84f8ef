// An argument of an operator: the same variant for graphs (tensors are graph values), for eager
// calls (tensors are tensors) and for decompositions (tensors are opaque).
//
//     using Argument = BasicArgument<Value>;          // ir/graph.h
//     multiply(%x, 2.5)      {Value, double}
//     sum(%x, dim=[0, 1])    {Value, list of SymInt}
//     cat([%x, %y], dim=0)   {list of Value, SymInt}
//
// Python ints are SymInt (a plain int is a constant one); Python bools, floats, strings, dtypes and
// None stand for themselves; lists and tuples are lists, of any of these.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/tensor/device.h"
#include "core/tensor/dtype.h"
#include "ir/name.h"
#include "ir/symbolic.h"

namespace glint {

template <class V>
struct BasicArgument;
template <class V>
using BasicArgumentList = std::vector<BasicArgument<V>>;

template <class V>
struct BasicArgument {
  using List = BasicArgumentList<V>;
  /// `monostate` is Python's None.
  std::variant<std::monostate, bool, SymInt, double, std::string, DType, Device, V, List> value;

  BasicArgument() = default;
  BasicArgument(std::nullptr_t) {}
  BasicArgument(std::same_as<bool> auto v) : value(v) {}
  BasicArgument(int v) : value(SymInt(v)) {}
  BasicArgument(int64_t v) : value(SymInt(v)) {}
  BasicArgument(SymInt v) : value(v) {}
  BasicArgument(double v) : value(v) {}
  BasicArgument(const char* v) : value(std::string(v)) {}
  BasicArgument(std::string v) : value(std::move(v)) {}
  BasicArgument(DType v) : value(v) {}
  BasicArgument(Device v) : value(v) {}
  BasicArgument(V v) : value(std::move(v)) {}
  BasicArgument(List v) : value(std::move(v)) {}
  template <class T>
  BasicArgument(const std::vector<T>& items)
    requires(std::is_constructible_v<BasicArgument, T> && !std::is_same_v<T, BasicArgument>)
      : value(List(items.begin(), items.end())) {}

  bool is_none() const { return value.index() == 0; }
  bool is_value() const { return std::holds_alternative<V>(value); }
  bool is_list() const { return std::holds_alternative<List>(value); }
  template <class T>
  const T* get_if() const {
    return std::get_if<T>(&value);
  }
  /// The tensor; only where `is_value()`.
  const V& tensor() const { return std::get<V>(value); }
  const List& list() const { return std::get<List>(value); }
  bool operator==(const BasicArgument&) const = default;
};

/// An argument under its parameter's name, `dim=1`.
template <class V>
struct BasicNamedArgument {
  Name name;
  BasicArgument<V> value;
  bool operator==(const BasicNamedArgument&) const = default;
};

/// Calls `visit(V&)` for each tensor in the argument, lists included, in order.
template <class V, class F>
void for_each_value(BasicArgument<V>& argument, F&& visit) {
  if (auto* v = std::get_if<V>(&argument.value)) {
    visit(*v);
  } else if (auto* list = std::get_if<BasicArgumentList<V>>(&argument.value)) {
    for (auto& item : *list) for_each_value(item, visit);
  }
}
template <class V, class F>
void for_each_value(const BasicArgument<V>& argument, F&& visit) {
  if (auto* v = std::get_if<V>(&argument.value)) {
    visit(*v);
  } else if (auto* list = std::get_if<BasicArgumentList<V>>(&argument.value)) {
    for (const auto& item : *list) for_each_value(item, visit);
  }
}

}  // namespace glint
