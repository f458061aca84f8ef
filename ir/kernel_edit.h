// What passes that rewrite kernels share: the statements that a statement names, and loops' names.
#pragma once

#include "ir/kernel.h"

namespace glint {

namespace kernel_edit {

template <class F>
void visit(Operand& operand, const F& change) {
  if (auto* id = std::get_if<StatementId>(&operand.value)) change(*id);
}
template <class F>
void visit(IndexExpression& expression, const F& change) {
  for (IndexTerm& term : expression.terms) change(term.variable);
}
template <class T, class F>
void visit(std::optional<T>& value, const F& change) {
  if (value) visit(*value, change);
}
template <class T, class F>
void visit(std::vector<T>& values, const F& change) {
  for (T& value : values) visit(value, change);
}

}  // namespace kernel_edit

/// Calls `change` with each statement that the statement names, but a loop's end. The new numbers
/// are in the order of the old ones.
template <class F>
void for_each_id(Statement& statement, const F& change) {
  using kernel_edit::visit;
  if (auto* loop = statement.get_if<Loop>()) {
    visit(loop->rest, change);
  } else if (auto* load = statement.get_if<Load>()) {
    visit(load->indices, change);
    visit(load->mask, change);
    visit(load->otherwise, change);
  } else if (auto* store = statement.get_if<Store>()) {
    visit(store->indices, change);
    visit(store->value, change);
    visit(store->mask, change);
  } else if (auto* compute = statement.get_if<Compute>()) {
    visit(compute->operands, change);
  } else if (auto* value = statement.get_if<IndexValue>()) {
    visit(value->expression, change);
  } else if (auto* accumulate = statement.get_if<Accumulate>()) {
    change(accumulate->reduction);
    visit(accumulate->operands, change);
  } else if (auto* check = statement.get_if<Check>()) {
    visit(check->condition, change);
  }
}

/// i, j, k by depth.
void name_loops(Kernel& kernel);

}  // namespace glint
