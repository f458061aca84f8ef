// Writes a kernel statement by statement; names values and loops as it goes.
//
//     KernelBuilder b("relu");
//     BufferId x = b.parameter("x", f32[s0]), out = b.parameter("out", f32[s0]);
//     StatementId i = b.open(LoopKind::kParallel, s0);
//     Operand v = b.load(x, {i});
//     b.store(out, {i}, b.compute(ScalarFunction::kMaximum, DType::kFloat32, {v, 0.0}));
//     b.close();
//     Kernel kernel = b.finish();
#pragma once

#include <string_view>
#include <vector>

#include "ir/kernel.h"

namespace glint {

class KernelBuilder {
 public:
  explicit KernelBuilder(std::string name);

  /// All parameters come before the first scratch buffer. A name that is taken gets a number.
  BufferId parameter(std::string_view name, TensorType type);

  /// Where the statements from here on come from.
  uint32_t add_origin(std::string_view node, std::vector<Span> spans);
  void set_origin(uint32_t origin) { origin_ = origin; }
  uint32_t origin() const { return origin_; }

  /// `rest`: of a loop over one block of a longer axis, what is left of that.
  StatementId open(LoopKind kind, SymInt extent, std::optional<IndexExpression> rest = {});
  void close();

  Operand load(BufferId buffer, std::vector<IndexExpression> indices);
  void store(BufferId buffer, std::vector<IndexExpression> indices, Operand value,
             std::optional<Operand> mask = std::nullopt);
  Operand compute(ScalarFunction function, DType dtype, std::vector<Operand> operands);
  /// The operand itself when it has the dtype already; a literal is converted here.
  Operand cast(Operand operand, DType dtype);
  /// The operand as int64, as an index may name it: a value of its own, where it is what a
  /// reduction has found.
  Operand as_index(Operand operand);
  /// An int64 value: a literal where the expression is one.
  Operand index_value(IndexExpression expression);
  StatementId reduction(Combiner combiner, DType dtype);
  void accumulate(StatementId reduction, std::vector<Operand> operands);
  BufferId scratch(ScratchScope scope, TensorType type);
  void check(Operand condition, std::string message);

  std::optional<DType> dtype(const Operand& operand) const { return kernel_.dtype(operand); }
  const KernelBuffer& buffer(BufferId id) const { return kernel_[id]; }
  size_t depth() const { return open_.size(); }
  /// Closes nothing: every loop must be closed.
  Kernel finish();

 private:
  StatementId append(Statement::Kind kind, std::string name);
  std::string value_name();

  Kernel kernel_;
  std::vector<StatementId> open_;
  uint32_t origin_ = Statement::kNoOrigin;
  uint32_t values_ = 0;
  uint32_t reductions_ = 0;
};

}  // namespace glint
