#include "ir/kernel_values.h"

#include <bit>

#include "ir/kernel_edit.h"

namespace glint {

void OpenLoops::reach(size_t at) {
  while (!open_.empty() && index(kernel_[open_.back()].get_if<Loop>()->end) <= at) open_.pop_back();
  if (kernel_.statements[at].get_if<Loop>()) open_.push_back(StatementId(at));
}

ValueLoops::ValueLoops(const Kernel& kernel) : of_(kernel.statements.size()) {
  OpenLoops loops(kernel);
  for (size_t i = 0; i < of_.size(); ++i) {
    loops.reach(i);
    Statement statement = kernel.statements[i];
    if (statement.get_if<Loop>()) {
      of_[i] = {StatementId(i)};
      continue;
    }
    for_each_id(statement, [&](StatementId id) {
      const Loops& more = of_[index(id)];
      of_[i].insert(more.begin(), more.end());
    });
    if (const auto* accumulate = statement.get_if<Accumulate>())
      of_[index(accumulate->reduction)].insert(loops.open().begin(), loops.open().end());
  }
}

ValueNumbers::ValueNumbers(const Kernel& kernel)
    : kernel_(kernel), written_(kernel.written()), of_(kernel.statements.size()) {
  OpenLoops loops(kernel);
  for (size_t i = 0; i < of_.size(); ++i) {
    loops.reach(i);
    const auto next = static_cast<int64_t>(known_.size());
    of_[i] = known_.try_emplace(key(i, loops.open().size()), next).first->second;
  }
}

std::vector<int64_t> ValueNumbers::key(const std::vector<IndexExpression>& indices) const {
  std::vector<int64_t> key;
  for (const IndexExpression& each : indices) add(key, each);
  return key;
}

std::vector<int64_t> ValueNumbers::key(size_t at, size_t depth) const {
  const Statement& statement = kernel_.statements[at];
  std::vector<int64_t> key = {static_cast<int64_t>(statement.kind.index())};
  if (const auto* loop = statement.get_if<Loop>()) {
    key.push_back(static_cast<int64_t>(depth));
    add(key, IndexExpression(loop->extent));
    if (loop->rest) add(key, *loop->rest);
  } else if (const auto* load = statement.get_if<Load>(); load && stays(load->buffer)) {
    key.push_back(static_cast<int64_t>(index(load->buffer)));
    for (const IndexExpression& each : load->indices) add(key, each);
    for (const auto& operand : {load->mask, load->otherwise})
      if (operand) add(key, *operand);
  } else if (const auto* compute = statement.get_if<Compute>()) {
    key.push_back(static_cast<int64_t>(compute->function));
    key.push_back(static_cast<int64_t>(compute->dtype));
    for (const Operand& operand : compute->operands) add(key, operand);
  } else if (const auto* value = statement.get_if<IndexValue>()) {
    add(key, value->expression);
  } else {
    key = {-1, static_cast<int64_t>(at)};
  }
  return key;
}

/// Whether a buffer holds the same throughout a launch.
bool ValueNumbers::stays(BufferId buffer) const {
  return index(buffer) < written_.size() && !written_[index(buffer)];
}

void ValueNumbers::add(std::vector<int64_t>& key, const IndexExpression& expression) const {
  key.push_back(static_cast<int64_t>(expression.terms.size()));
  key.push_back(static_cast<int64_t>(expression.constant.key()));
  for (const IndexTerm& term : expression.terms) {
    key.push_back(static_cast<int64_t>(term.coefficient.key()));
    key.push_back(of_[index(term.variable)]);
  }
}

void ValueNumbers::add(std::vector<int64_t>& key, const Operand& operand) const {
  key.push_back(static_cast<int64_t>(operand.value.index()));
  key.push_back(operand.part);
  if (!operand.is_literal())
    key.push_back(of_[index(operand.statement())]);
  else if (const auto* integer = std::get_if<int64_t>(&operand.value))
    key.push_back(*integer);
  else
    key.push_back(std::bit_cast<int64_t>(std::get<double>(operand.value)));
}

}  // namespace glint
