#include "passes/kernel_copy.h"

#include <algorithm>
#include <utility>

#include "ir/kernel_edit.h"

namespace glint::passes {

KernelCopy::KernelCopy(const Kernel& from, std::string name)
    : from_(from), places_(from.statements.size()) {
  to_.name = std::move(name);
}

BufferId KernelCopy::add_parameter(std::string name, TensorType type) {
  auto taken = [&](const std::string& text) {
    return std::ranges::any_of(from_.buffers, [&](const auto& each) { return each.name == text; });
  };
  while (taken(name)) name += "_";
  to_.buffers.push_back({.name = std::move(name), .type = std::move(type)});
  parameters_.emplace_back(std::nullopt);
  return BufferId(to_.parameter_count++);
}

StatementId KernelCopy::add(Statement::Kind kind, std::string name, uint32_t origin) {
  to_.statements.push_back({std::move(kind), std::move(name), copy_origin(origin)});
  return StatementId(to_.statements.size() - 1);
}

void KernelCopy::close(StatementId loop) {
  to_.statements[index(loop)].get_if<Loop>()->end = StatementId(to_.statements.size());
}

void KernelCopy::cut_loop(size_t loop, Block block) {
  places_[loop] = block.inside;
  block_ = block;
}

void KernelCopy::copy(size_t i) {
  Statement statement = from_.statements[i];
  for_each_id(statement, [&](StatementId& id) { id = places_[index(id)]; });
  if (auto* load = statement.get_if<Load>()) {
    load->buffer = buffer(load->buffer);
    for (IndexExpression& each : load->indices) move_into_block(each);
  } else if (auto* store = statement.get_if<Store>()) {
    store->buffer = buffer(store->buffer);
    for (IndexExpression& each : store->indices) move_into_block(each);
  } else if (auto* value = statement.get_if<IndexValue>()) {
    move_into_block(value->expression);
  }
  places_[i] = add(std::move(statement.kind), std::move(statement.name), statement.origin);
}

void KernelCopy::copy(size_t first, size_t last) {
  for (size_t i = first; i < last; ++i) copy(i);
  for (size_t i = first; i < last; ++i)
    if (const auto* loop = from_.statements[i].get_if<Loop>())
      to_.statements[index(places_[i])].get_if<Loop>()->end =
          StatementId(index(places_[index(loop->end) - 1]) + 1);
}

Kernel KernelCopy::finish() {
  name_loops(to_);
  return std::move(to_);
}

void KernelCopy::move_into_block(IndexExpression& expression) const {
  if (!block_) return;
  const SymInt factor = expression.coefficient(block_->inside);
  if (!factor.is(0))
    expression = expression + IndexExpression(block_->blocks) * (factor * block_->size);
}

BufferId KernelCopy::buffer(BufferId id) {
  const auto known = std::ranges::find(parameters_, std::optional(id));
  if (known != parameters_.end()) return BufferId(known - parameters_.begin());
  KernelBuffer made = from_[id];
  if (made.over) {
    const auto over = std::ranges::find(parameters_, made.over);
    made.over = over == parameters_.end() ? std::nullopt
                                          : std::optional(BufferId(over - parameters_.begin()));
  }
  to_.buffers.push_back(std::move(made));
  parameters_.emplace_back(id);
  return BufferId(to_.parameter_count++);
}

uint32_t KernelCopy::copy_origin(uint32_t origin) {
  if (origin == Statement::kNoOrigin) return origin;
  const auto [known, added] =
      origins_.try_emplace(origin, static_cast<uint32_t>(to_.origins.size()));
  if (added) to_.origins.push_back(from_.origins[origin]);
  return known->second;
}

}  // namespace glint::passes
