// What passes that rewrite kernels share: the statements that a statement names, and loops' names.
#pragma once

#include "ir/kernel.h"

namespace glint {

namespace kernel_edit {

template <class T, class F>
void visit(T& value, const F& change) {
  change(value);
}
template <class T, class F>
void visit(std::optional<T>& value, const F& change) {
  if (value) change(*value);
}
template <class T, class F>
void visit(std::vector<T>& values, const F& change) {
  for (T& value : values) change(value);
}

}  // namespace kernel_edit

/// Calls `change` with each operand of a statement.
template <class F>
void for_each_operand(Statement& statement, const F& change) {
  using kernel_edit::visit;
  if (auto* load = statement.get_if<Load>()) {
    visit(load->mask, change);
    visit(load->otherwise, change);
  } else if (auto* store = statement.get_if<Store>()) {
    visit(store->value, change);
    visit(store->mask, change);
  } else if (auto* compute = statement.get_if<Compute>()) {
    visit(compute->operands, change);
  } else if (auto* accumulate = statement.get_if<Accumulate>()) {
    visit(accumulate->operands, change);
  } else if (auto* check = statement.get_if<Check>()) {
    visit(check->condition, change);
  }
}

/// Calls `change` with each expression of indices in a statement.
template <class F>
void for_each_expression(Statement& statement, const F& change) {
  using kernel_edit::visit;
  if (auto* loop = statement.get_if<Loop>()) {
    visit(loop->rest, change);
  } else if (auto* load = statement.get_if<Load>()) {
    visit(load->indices, change);
  } else if (auto* store = statement.get_if<Store>()) {
    visit(store->indices, change);
  } else if (auto* value = statement.get_if<IndexValue>()) {
    visit(value->expression, change);
  }
}

/// Calls `change` with each statement that the statement names, but a loop's end. The new numbers
/// are in the order of the old ones.
template <class F>
void for_each_id(Statement& statement, const F& change) {
  for_each_expression(statement, [&](IndexExpression& expression) {
    for (IndexTerm& term : expression.terms) change(term.variable);
  });
  for_each_operand(statement, [&](Operand& operand) {
    if (auto* id = std::get_if<StatementId>(&operand.value)) change(*id);
  });
  if (auto* accumulate = statement.get_if<Accumulate>()) change(accumulate->reduction);
}

/// By depth.
void name_loops(Kernel& kernel);

}  // namespace glint
