// Runs Kernel IR itself: one statement at a time, in the order of the text, exactly.
//
// It is the reference that compiled kernels are compared with, and a kernel's debugger: `step` runs
// one statement, and between steps every value, loop index and reduction can be looked at.
//
//     KernelInterpreter run(kernel, symbols, parameters);
//     while (run.step()) fmt::print("{} = {}\n", run.statement(), run.text(run.statement()));
//
// Scalar functions are those of ops/scalar, one element at a time, so that elementwise results are
// the compiled kernel's to the last bit. Floating sums and products are kept in float64 and rounded
// when read: the exact sum, nearly, which other backends' orders of summation are held against.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/kernel.h"

namespace glint {

/// A value in the form that its dtype has in memory.
struct Number {
  alignas(8) std::byte bytes[8] = {};
};

class KernelInterpreter {
 public:
  KernelInterpreter(const Kernel& kernel, std::span<const int64_t> symbols,
                    std::span<std::byte* const> parameters);

  /// Limits the outermost parallel loop to [begin, end).
  void limit(int64_t begin, int64_t end);
  /// Runs statement `statement()` and moves on; false when the kernel is done or a check failed.
  bool step();
  /// Runs to the end.
  void run();

  /// The statement that `step` will run.
  uint32_t statement() const { return at_; }
  bool done() const { return at_ >= kernel_.statements.size() || failed_; }
  /// The number of the check that failed.
  std::optional<uint32_t> failed() const { return failed_; }
  /// A statement's latest value as text, `1.5`; of a loop, its index.
  std::string text(uint32_t statement) const;
  int64_t loop_index(uint32_t statement) const { return indices_[statement]; }
  uint64_t steps() const { return steps_; }

 private:
  struct OpenLoop {
    uint32_t statement;
    int64_t index;
    int64_t extent;
  };
  /// A buffer's type in this run, worked out once: every access reads it.
  struct Layout {
    std::vector<int64_t> sizes;
    std::vector<int64_t> strides;  ///< elements
    int64_t element_bytes = 0;
  };
  struct Running {
    double sum = 0.0;      ///< of a floating sum or product, and Welford's mean
    double squares = 0.0;  ///< Welford's
    double count = 0.0;
    Number value;          ///< of the others
    int64_t position = 0;  ///< of argmax and argmin
  };

  void execute(const Loop& loop);
  void execute(const Load& load);
  void execute(const Store& store);
  void execute(const Compute& compute);
  void execute(const IndexValue& value);
  void execute(const Reduction& reduction);
  void execute(const Accumulate& accumulate);
  void execute(const Scratch& scratch);
  void execute(const Check& check);
  void close_loops();

  Layout layout_of(const TensorType& type) const;
  int64_t evaluate(SymInt size) const { return size.evaluate(symbols_); }
  int64_t evaluate(const IndexExpression& expression) const;
  std::byte* element(BufferId buffer, const std::vector<IndexExpression>& indices);
  Number value(const Operand& operand, DType dtype) const;
  Number reduction_value(StatementId id, uint8_t part) const;
  bool truth(const Operand& operand) const;
  DType dtype_of(const Operand& operand, DType otherwise) const;
  void accumulate_position(const Reduction& reduction, Running& running, const Number& value,
                           int64_t position);

  const Kernel& kernel_;
  std::span<const int64_t> symbols_;
  std::vector<std::byte*> buffers_;
  std::vector<Layout> layouts_;
  std::vector<std::vector<std::byte>> scratch_;
  std::vector<Number> values_;
  std::vector<int64_t> indices_;
  std::vector<Running> running_;
  std::vector<OpenLoop> loops_;
  std::optional<std::pair<int64_t, int64_t>> limit_;
  std::optional<uint32_t> failed_;
  uint32_t at_ = 0;
  uint64_t steps_ = 0;
};

}  // namespace glint
