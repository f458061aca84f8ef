#include "ir/kernel_builder.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/support/check.h"
#include "ir/kernel_name.h"

namespace glint {

KernelBuilder::KernelBuilder(std::string name) {
  kernel_.name = std::move(name);
}

BufferId KernelBuilder::parameter(std::string_view name, TensorType type) {
  glint::check(kernel_.parameter_count == kernel_.buffers.size(),
               "parameters come before scratch buffers");
  std::string unique(name);
  auto taken = [&](const std::string& text) {
    return std::any_of(kernel_.buffers.begin(), kernel_.buffers.end(),
                       [&](const KernelBuffer& buffer) { return buffer.name == text; });
  };
  for (int k = 1; taken(unique); ++k) unique = fmt::format("{}_{}", name, k);
  type.device = {};
  type.simplify();
  kernel_.buffers.push_back({.name = std::move(unique), .type = std::move(type)});
  return BufferId(kernel_.parameter_count++);
}

uint32_t KernelBuilder::add_origin(std::string_view node, std::vector<Span> spans) {
  for (uint32_t i = 0; i < kernel_.origins.size(); ++i)
    if (kernel_.origins[i].node == node) return i;
  kernel_.origins.push_back({std::string(node), std::move(spans)});
  return static_cast<uint32_t>(kernel_.origins.size() - 1);
}

StatementId KernelBuilder::append(Statement::Kind kind, std::string name) {
  kernel_.statements.push_back({std::move(kind), std::move(name), origin_});
  return StatementId(kernel_.statements.size() - 1);
}

std::string KernelBuilder::value_name() {
  return glint::value_name(values_++);
}

StatementId KernelBuilder::open(LoopKind kind, SymInt extent, std::optional<IndexExpression> rest) {
  std::string name = loop_name(open_.size());
  StatementId id =
      append(Loop{.kind = kind, .extent = extent, .rest = std::move(rest)}, std::move(name));
  kernel_.statements.back().origin = Statement::kNoOrigin;
  open_.push_back(id);
  return id;
}

void KernelBuilder::close() {
  glint::check(!open_.empty(), "there is no loop to close");
  kernel_.statements[index(open_.back())].get_if<Loop>()->end =
      StatementId(kernel_.statements.size());
  open_.pop_back();
}

Operand KernelBuilder::load(BufferId buffer, std::vector<IndexExpression> indices) {
  return append(Load{buffer, std::move(indices), {}, {}}, value_name());
}

void KernelBuilder::store(BufferId buffer, std::vector<IndexExpression> indices, Operand value,
                          std::optional<Operand> mask) {
  append(Store{buffer, std::move(indices), value, mask}, "");
}

Operand KernelBuilder::compute(ScalarFunction function, DType dtype,
                               std::vector<Operand> operands) {
  return append(Compute{function, dtype, std::move(operands)}, value_name());
}

Operand KernelBuilder::cast(Operand operand, DType dtype) {
  if (operand.is_literal()) {
    if (dtype == DType::kBool) return int64_t(operand.number() != 0.0);
    if (is_floating(dtype)) return operand.number();
    if (operand.value.index() == 1) return operand;
    return static_cast<int64_t>(operand.number());
  }
  if (kernel_.dtype(operand) == dtype) return operand;
  return compute(ScalarFunction::kCast, dtype, {operand});
}

Operand KernelBuilder::as_index(Operand operand) {
  Operand number = cast(operand, DType::kInt64);
  if (number.is_literal() || !kernel_[number.statement()].get_if<Reduction>()) return number;
  return compute(ScalarFunction::kCast, DType::kInt64, {number});
}

Operand KernelBuilder::index_value(IndexExpression expression) {
  if (expression.is_constant() && expression.constant.is_constant())
    return expression.constant.constant();
  return append(IndexValue{std::move(expression)}, value_name());
}

StatementId KernelBuilder::reduction(Combiner combiner, DType dtype) {
  std::string name = reductions_ ? fmt::format("acc{}", reductions_) : "acc";
  ++reductions_;
  return append(Reduction{combiner, dtype}, std::move(name));
}

void KernelBuilder::accumulate(StatementId reduction, std::vector<Operand> operands) {
  append(Accumulate{reduction, std::move(operands)}, "");
}

BufferId KernelBuilder::scratch(ScratchScope scope, TensorType type) {
  size_t count = kernel_.buffers.size() - kernel_.parameter_count;
  std::string name = count ? fmt::format("t{}", count) : "t";
  auto id = BufferId(kernel_.buffers.size());
  kernel_.buffers.push_back(
      {.name = name, .type = std::move(type), .scratch = true, .scope = scope});
  append(Scratch{id}, name);
  return id;
}

void KernelBuilder::check(Operand condition, std::string message) {
  append(Check{condition, std::move(message)}, "");
}

Kernel KernelBuilder::finish() {
  glint::check(open_.empty(), "a loop is still open");
  return std::move(kernel_);
}

}  // namespace glint
