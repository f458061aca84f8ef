// The invariants of a kernel, in the numbering of kernel.h. One walk in text order, with the stack
// of open loops beside it.
#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "ir/kernel.h"
#include "ir/kernel_text.h"
#include "ir/text_cursor.h"

namespace glint {

namespace {

class KernelVerifier {
 public:
  KernelVerifier(const Kernel& kernel, std::span<const int64_t> symbols)
      : kernel_(kernel), symbols_(symbols) {}

  std::optional<Error> verify() {
    buffers();
    for (size_t i = 0; i < kernel_.statements.size() && !error_; ++i) {
      at_ = i;
      while (!open_.empty() && loop_end(open_.back()) <= i) open_.pop_back();
      const Statement& statement = kernel_.statements[i];
      if (statement.origin != Statement::kNoOrigin && statement.origin >= kernel_.origins.size())
        complain("its origin does not exist");
      enclosing_.push_back(open_.empty() ? StatementId(~0u) : open_.back());
      std::visit(*this, statement.kind);
    }
    return error_;
  }

  void operator()(const Loop& loop) {
    size_t end = index(loop.end);
    size_t limit = open_.empty() ? kernel_.statements.size() : loop_end(open_.back());
    if (end <= at_ || end > limit) return complain("a loop ends within the loop around it");
    if (loop.rest) expect_rest(*loop.rest);
    open_.push_back(StatementId(at_));
  }
  void operator()(const Load& load) {
    place(load.buffer, load.indices);
    if (!load.mask) bounds(load.buffer, load.indices);
    if (load.mask.has_value() != load.otherwise.has_value())
      return complain("`if` and `else` of a load stand together");
    if (!load.mask || error_) return;
    expect_dtype(*load.mask, DType::kBool);
    expect_dtype(*load.otherwise, kernel_[load.buffer].type.dtype);
  }
  void operator()(const Store& store) {
    place(store.buffer, store.indices);
    if (!store.mask) bounds(store.buffer, store.indices);
    if (error_) return;
    expect_dtype(store.value, kernel_[store.buffer].type.dtype);
    if (store.mask) expect_dtype(*store.mask, DType::kBool);
    if (kernel_[store.buffer].type.scalar) complain("a number is not stored to");
    stored_.insert(index(store.buffer));
  }
  void operator()(const Compute& compute) {
    const ScalarFunctionInfo& row = info(compute.function);
    if (compute.operands.size() != row.arity)
      return complain(fmt::format("`{}` takes {} operands", row.name, row.arity));
    for (size_t i = 0; i < compute.operands.size() && !error_; ++i) {
      const Operand& operand = compute.operands[i];
      if (compute.function == ScalarFunction::kCast)
        available(operand);
      else if (compute.function == ScalarFunction::kWhere && i == 0)
        expect_dtype(operand, DType::kBool);
      else
        expect_dtype(operand, compute.dtype);
    }
    if (!takes(compute.function, compute.dtype))
      complain(fmt::format("`{}` does not take {}", row.name, dtype_name(compute.dtype)));
  }
  void operator()(const IndexValue& value) { expression(value.expression); }
  void operator()(const Reduction& reduction) {
    if (reduction.combiner == Combiner::kWelford && !is_floating(reduction.dtype))
      complain("`welford` takes floating point");
    bool truth = reduction.combiner == Combiner::kAny || reduction.combiner == Combiner::kAll;
    if (truth && reduction.dtype != DType::kBool) complain("`any` and `all` take bool");
  }
  void operator()(const Accumulate& accumulate) {
    if (index(accumulate.reduction) >= at_ || !visible(accumulate.reduction))
      return complain("its reduction is not open here");
    auto* reduction = kernel_[accumulate.reduction].get_if<Reduction>();
    if (!reduction) return complain("`+=` takes a reduction");
    if (!fed_by_loop(accumulate.reduction))
      return complain("`+=` stands inside a reduce or scan loop inside its reduction's block");
    if (accumulate.operands.size() != info(reduction->combiner).operands)
      return complain(fmt::format("`{}` combines {} values", info(reduction->combiner).name,
                                  info(reduction->combiner).operands));
    for (size_t i = 0; i < accumulate.operands.size(); ++i)
      expect_dtype(accumulate.operands[i],
                   part_dtype(reduction->combiner, reduction->dtype, static_cast<uint8_t>(i)));
  }
  void operator()(const Scratch& scratch) {
    if (index(scratch.buffer) >= kernel_.buffers.size() || !kernel_[scratch.buffer].scratch)
      return complain("it opens a buffer that is no scratch");
    if (scratch_at_.size() < kernel_.buffers.size()) scratch_at_.resize(kernel_.buffers.size());
    if (scratch_at_[index(scratch.buffer)]) return complain("the scratch buffer is opened twice");
    scratch_at_[index(scratch.buffer)] = StatementId(at_);
  }
  void operator()(const Check& check) {
    expect_dtype(check.condition, DType::kBool);
    checked_ = true;
  }

 private:
  void expect_rest(const IndexExpression& rest) {
    expression(rest);
    if (open_.empty()) complain("a loop over a block stands in the loop over the blocks");
    for (const IndexTerm& term : rest.terms)
      if (!error_ && !kernel_[term.variable].get_if<Loop>())
        complain("what is left of an axis is made of loop indices and sizes");
  }

  void complain(std::string_view what) {
    if (error_) return;
    std::string place = at_ < kernel_.statements.size() ? fmt::format(", statement {}", at_) : "";
    error_ = Error{fmt::format("kernel {}{}: {}", kernel_.name, place, what)};
  }

  void buffers() {
    at_ = kernel_.statements.size();
    std::unordered_set<std::string> names;
    for (size_t i = 0; i < kernel_.buffers.size(); ++i) {
      const KernelBuffer& buffer = kernel_.buffers[i];
      if (buffer.scratch != (i >= kernel_.parameter_count))
        complain("parameters come before scratch buffers");
      if (!is_word(buffer.name)) complain("a buffer's name is a word");
      if (!names.insert((buffer.scratch ? "" : "%") + buffer.name).second)
        complain(fmt::format("the buffer name `{}` is taken", buffer.name));
      if (buffer.over &&
          (index(*buffer.over) >= i || kernel_[*buffer.over].type.dtype != buffer.type.dtype))
        complain("`over` names an earlier parameter of the same dtype");
    }
  }

  size_t loop_end(StatementId id) const { return index(kernel_[id].get_if<Loop>()->end); }
  bool is_open(StatementId loop) const {
    return loop == StatementId(~0u) || std::find(open_.begin(), open_.end(), loop) != open_.end();
  }
  /// Whether the block that a statement stands in is still open.
  bool visible(StatementId id) const {
    if (kernel_[id].get_if<Loop>()) return is_open(id);
    return is_open(enclosing_[index(id)]);
  }

  void available(const Operand& operand) {
    if (operand.is_literal()) {
      if (operand.part != 0) complain("a literal has one part");
      return;
    }
    StatementId id = operand.statement();
    if (index(id) >= at_ || !visible(id)) return complain("an operand is not made before it");
    const Statement& statement = kernel_[id];
    if (!kernel_.dtype(operand)) return complain("an operand is no value");
    uint8_t parts = 1;
    if (auto* reduction = statement.get_if<Reduction>()) {
      parts = info(reduction->combiner).parts;
      // Inside a loop that feeds it the value is there only in a scan.
      for (StatementId loop : open_)
        if (loop > id && kernel_[loop].get_if<Loop>()->kind == LoopKind::kReduce && feeds(loop, id))
          complain("a reduction is read behind the loop that feeds it");
    }
    if (operand.part >= parts) complain("an operand names a part that its value does not have");
  }

  bool feeds(StatementId loop, StatementId reduction) const {
    for (size_t i = index(loop) + 1; i < loop_end(loop); ++i)
      if (auto* accumulate = kernel_.statements[i].get_if<Accumulate>();
          accumulate && accumulate->reduction == reduction)
        return true;
    return false;
  }

  bool fed_by_loop(StatementId reduction) const {
    for (StatementId loop : open_)
      if (loop > reduction && kernel_[loop].get_if<Loop>()->kind != LoopKind::kParallel)
        return true;
    return false;
  }

  void expect_dtype(const Operand& operand, DType dtype) {
    available(operand);
    if (error_) return;
    if (auto found = kernel_.dtype(operand)) {
      if (*found != dtype)
        complain(fmt::format("`{}` is {}, {} was expected", operand_text(kernel_, operand),
                             dtype_name(*found), dtype_name(dtype)));
    } else if (operand.value.index() == 2 && !is_floating(dtype)) {
      complain(fmt::format("the literal {} does not fit {}", operand_text(kernel_, operand),
                           dtype_name(dtype)));
    }
  }

  void expression(const IndexExpression& expression) {
    for (const IndexTerm& term : expression.terms) {
      available(Operand(term.variable));
      if (error_) return;
      if (kernel_.dtype(Operand(term.variable)) != DType::kInt64)
        return complain("an index is made of loop indices and int64 values");
      if (kernel_[term.variable].get_if<Reduction>())
        return complain("an index names no reduction, but a value made of it");
    }
  }

  void place(BufferId id, const std::vector<IndexExpression>& indices) {
    if (index(id) >= kernel_.buffers.size()) return complain("there is no such buffer");
    const KernelBuffer& buffer = kernel_[id];
    if (indices.size() != buffer.type.rank())
      return complain(fmt::format("`{}` takes {} indices", buffer.name, buffer.type.rank()));
    for (const IndexExpression& each : indices) expression(each);
    bool is_load = kernel_.statements[at_].get_if<Load>() != nullptr;
    if (buffer.scratch) {
      if (index(id) >= scratch_at_.size() || !scratch_at_[index(id)] ||
          !visible(*scratch_at_[index(id)]))
        complain("the scratch buffer is not open here");
    } else if (is_load && !stored_.contains(index(id)) && stored_later(id)) {
      complain(fmt::format("`%{}` is loaded before it is stored to", buffer.name));
    }
  }

  bool known_below(SymInt a, SymInt b) const {
    if (symbols_.empty()) return known_less(a, b) == true;
    return a.evaluate(symbols_) < b.evaluate(symbols_);
  }

  /// The least or the greatest value of an index; nothing where a loaded value or the sign of a
  /// factor decides.
  std::optional<SymInt> extreme(IndexExpression expression, bool greatest) const {
    end_blocks(expression, greatest);
    SymInt sum = expression.constant;
    for (const IndexTerm& term : expression.terms) {
      auto* loop = kernel_[term.variable].get_if<Loop>();
      bool negative = known_below(term.coefficient, 0);
      if (!loop || (!negative && !known_below(0, term.coefficient))) return std::nullopt;
      if (negative != greatest) sum += term.coefficient * (loop->extent - 1);
    }
    return sum;
  }

  /// Puts the end of the axis in the place of a block's index, where that gives the extreme.
  void end_blocks(IndexExpression& expression, bool greatest) const {
    for (const IndexTerm& term : std::vector(expression.terms)) {
      const auto* loop = kernel_[term.variable].get_if<Loop>();
      if (!loop || !loop->rest || known_below(term.coefficient, 0) == greatest) continue;
      const IndexExpression last = *loop->rest + IndexExpression(SymInt(-1));
      expression = expression + (last + IndexExpression(term.variable) * -1) * term.coefficient;
    }
  }

  /// Each index of an access that surely runs: a check that stands before it may end the run.
  void bounds(BufferId id, const std::vector<IndexExpression>& indices) {
    if (error_ || checked_) return;
    auto runs = [&](StatementId loop) {
      return known_below(0, kernel_[loop].get_if<Loop>()->extent);
    };
    if (!std::all_of(open_.begin(), open_.end(), runs)) return;
    for (size_t d = 0; d < indices.size(); ++d) {
      SymInt size = kernel_[id].type.sizes[d];
      auto least = extreme(indices[d], false), greatest = extreme(indices[d], true);
      bool below = least && known_below(*least, 0);
      bool above = greatest && known_below(size - 1, *greatest);
      if (below || above)
        complain(fmt::format("index {} of `{}{}` reaches {}, its size is {}", d,
                             kernel_[id].scratch ? "" : "%", kernel_[id].name,
                             at_symbols(below ? *least : *greatest), at_symbols(size)));
    }
  }
  std::string at_symbols(SymInt value) const {
    return symbols_.empty() ? value.text() : std::to_string(value.evaluate(symbols_));
  }

  bool stored_later(BufferId id) const {
    for (size_t i = at_ + 1; i < kernel_.statements.size(); ++i)
      if (auto* store = kernel_.statements[i].get_if<Store>(); store && store->buffer == id)
        return true;
    return false;
  }

  const Kernel& kernel_;
  std::span<const int64_t> symbols_;
  bool checked_ = false;  ///< a check stands before the statement at work
  std::optional<Error> error_;
  size_t at_ = 0;
  std::vector<StatementId> open_;
  std::vector<StatementId> enclosing_;  ///< of each statement, the innermost loop around it
  std::vector<std::optional<StatementId>> scratch_at_;
  std::unordered_set<size_t> stored_;
};

}  // namespace

std::optional<Error> verify_kernel(const Kernel& kernel, std::span<const int64_t> symbols) {
  return KernelVerifier(kernel, symbols).verify();
}

}  // namespace glint
