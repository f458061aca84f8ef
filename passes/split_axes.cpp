#include "passes/split_axes.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "ir/kernel_edit.h"

namespace glint::passes {
namespace {

/// Of a loop's index i: floor((i mod below) / divisor), or floor(i / divisor) of all of it.
struct Part {
  SymInt divisor = 1;
  std::optional<SymInt> below = {};
};

class Splitter {
 public:
  explicit Splitter(Kernel& kernel) : kernel_(kernel) {}

  bool run() {
    bool any = false;
    for (size_t at = 0; at < kernel_.statements.size(); ++at) {
      const Loop* loop = kernel_.statements[at].get_if<Loop>();
      if (loop != nullptr && is_flat(at, *loop)) any |= try_split(at);
    }
    if (any) name_loops(kernel_);
    return any;
  }

 private:
  bool is_flat(size_t at, const Loop& loop) const {
    if (loop.kind != LoopKind::kParallel || loop.binding != Binding::kUnbound || loop.rest)
      return false;
    return std::none_of(kernel_.statements.begin() + static_cast<long>(at) + 1,
                        kernel_.statements.begin() + index(loop.end), [](const Statement& each) {
                          return each.get_if<Loop>() != nullptr ||
                                 each.get_if<Scratch>() != nullptr;
                        });
  }

  bool try_split(size_t at) {
    loop_ = StatementId(at);
    end_ = index(kernel_.statements[at].get_if<Loop>()->end);
    parts_.clear();
    points_.clear();
    sizes_.clear();
    for (const KernelBuffer& buffer : kernel_.buffers)
      sizes_.insert(sizes_.end(), buffer.type.sizes.begin(), buffer.type.sizes.end());
    for (size_t i = at + 1; i < end_; ++i)
      if (!find_part(i)) return false;
    if (points_.empty() || !find_loops()) return false;
    replace_parts();
    insert_loops();
    drop_unused();
    return true;
  }

  // ---- the parts of the index -------------------------------------------------------------------

  /// Notes what a statement makes of the loop's index; false if it divides it otherwise.
  bool find_part(size_t at) {
    const Statement& statement = kernel_.statements[at];
    if (const auto* value = statement.get_if<IndexValue>()) {
      if (value->expression == IndexExpression(loop_)) parts_[at] = {};
      return true;
    }
    const auto* compute = statement.get_if<Compute>();
    if (compute == nullptr) return true;
    if (std::ranges::any_of(compute->operands,
                            [&](const Operand& each) { return names(each, loop_); })) {
      return false;
    }
    const bool divides = compute->function == ScalarFunction::kFloorDivide;
    if ((!divides && compute->function != ScalarFunction::kRemainder) ||
        compute->operands[0].is_literal()) {
      return true;
    }
    const auto part = parts_.find(index(compute->operands[0].statement()));
    if (part == parts_.end()) return true;
    const auto by = size_of(compute->operands[1]);
    if (!by) return false;
    sizes_.push_back(*by);
    const auto made = divides ? divided(part->second, *by) : remainder(part->second, *by);
    if (!made) return false;
    parts_[at] = *made;
    if (!made->divisor.is(1)) add_point(made->divisor);
    if (made->below) add_point(*made->below);
    return true;
  }

  static bool names(const Operand& operand, StatementId id) {
    return !operand.is_literal() && operand.statement() == id;
  }

  /// A number, or an expression of sizes.
  std::optional<SymInt> size_of(const Operand& operand) const {
    if (const int64_t* number = std::get_if<int64_t>(&operand.value))
      return *number > 0 ? std::optional<SymInt>(*number) : std::nullopt;
    if (operand.is_literal()) return std::nullopt;
    const auto* value = kernel_[operand.statement()].get_if<IndexValue>();
    if (value == nullptr || !value->expression.is_constant()) return std::nullopt;
    return value->expression.constant;
  }

  std::optional<Part> divided(const Part& part, const SymInt& by) const {
    const SymInt divisor = part.divisor * by;
    if (part.below && !exact_quotient(*part.below, divisor)) return std::nullopt;
    return Part{divisor, part.below};
  }
  std::optional<Part> remainder(const Part& part, const SymInt& by) const {
    const SymInt below = part.divisor * by;
    if (part.below && !exact_quotient(*part.below, below)) return std::nullopt;
    return Part{part.divisor, below};
  }

  /// The quotient of two sizes where nothing remains. A sum of products of sizes is no product as
  /// it is written: there one of the kernel's sizes may be the quotient.
  std::optional<SymInt> exact_quotient(const SymInt& value, const SymInt& divisor) const {
    if (value == divisor) return 1;
    const SymInt quotient = floor_divide(value, divisor);
    if (quotient * divisor == value) return quotient;
    for (const SymInt& size : sizes_)
      if (size * divisor == value || known_equal(size * divisor, value) == true) return size;
    return std::nullopt;
  }

  void add_point(const SymInt& point) {
    if (std::ranges::find(points_, point) == points_.end()) points_.push_back(point);
  }

  // ---- the loops --------------------------------------------------------------------------------

  /// The steps that the loops take of the one there was, the longest first, and their extents;
  /// false where they do not divide one another.
  bool find_loops() {
    const SymInt whole = kernel_[loop_].get_if<Loop>()->extent;
    std::erase_if(points_, [&](const SymInt& point) { return point == whole || point.is(1); });
    std::ranges::sort(points_, std::greater<>(), size_at_primes);
    steps_ = points_;
    steps_.emplace_back(1);
    extents_.clear();
    SymInt around = whole;
    for (const SymInt& step : steps_) {
      const auto extent = exact_quotient(around, step);
      if (!extent) return false;
      extents_.push_back(*extent);
      around = step;
    }
    return true;
  }

  /// What an expression is for sizes of little in common. Of two that divide, the greater is.
  static int64_t size_at_primes(const SymInt& expression) {
    static constexpr std::array<int64_t, 12> kPrimes = {97,  101, 103, 107, 109, 113,
                                                        127, 131, 137, 139, 149, 151};
    std::vector<int64_t> values;
    for (const uint32_t symbol : expression.symbols())
      while (values.size() <= symbol) values.push_back(kPrimes[values.size() % kPrimes.size()]);
    return expression.evaluate(values);
  }

  size_t added() const { return steps_.size() - 1; }

  /// A part as a sum of the loops' indices; they come to stand where the one loop stands.
  IndexExpression sum_of(const Part& part) const {
    IndexExpression sum;
    const auto found = std::ranges::find(steps_, part.divisor);
    if (found == steps_.end() || part.below == part.divisor) return sum;
    const auto last = static_cast<size_t>(found - steps_.begin());
    SymInt multiple = 1;
    // Inside the step that bounds the part, or all of them.
    for (size_t i = last + 1; i-- > 0;) {
      sum = sum + IndexExpression(StatementId(index(loop_) + i)) * multiple;
      multiple *= extents_[i];
      if (part.below && i > 0 && steps_[i - 1] == *part.below) break;
    }
    return sum;
  }

  /// The expression with its parts of the index written out, in the numbers that statements will
  /// have.
  IndexExpression written_out(const IndexExpression& expression) const {
    IndexExpression sum(expression.constant);
    for (const IndexTerm& term : expression.terms) {
      const auto part = parts_.find(index(term.variable));
      if (term.variable == loop_) {
        sum = sum + sum_of({}) * term.coefficient;
      } else if (part != parts_.end()) {
        sum = sum + sum_of(part->second) * term.coefficient;
      } else {
        sum = sum + IndexExpression(moved(term.variable)) * term.coefficient;
      }
    }
    return sum;
  }

  StatementId moved(StatementId id) const {
    return id > loop_ ? StatementId(index(id) + added()) : id;
  }

  void replace_parts() {
    for (size_t i = 0; i < kernel_.statements.size(); ++i) {
      Statement& statement = kernel_.statements[i];
      if (auto* loop = statement.get_if<Loop>()) loop->end = moved(loop->end);
      const auto part = parts_.find(i);
      if (part != parts_.end()) {
        statement.kind = IndexValue{sum_of(part->second)};
        continue;
      }
      for_each_operand(statement, [&](Operand& operand) {
        if (auto* id = std::get_if<StatementId>(&operand.value)) *id = moved(*id);
      });
      for_each_expression(statement, [&](IndexExpression& each) { each = written_out(each); });
      if (auto* accumulate = statement.get_if<Accumulate>())
        accumulate->reduction = moved(accumulate->reduction);
    }
  }

  void insert_loops() {
    Statement loop = kernel_[loop_];
    std::vector<Statement> loops;
    for (const SymInt& extent : extents_) {
      loop.get_if<Loop>()->extent = extent;
      loops.push_back(loop);
    }
    const auto at = kernel_.statements.begin() + index(loop_);
    kernel_.statements.insert(kernel_.statements.erase(at), loops.begin(), loops.end());
  }

  /// Values of the body that nothing reads any more.
  void drop_unused() {
    for (size_t i = end_ + added(); i-- > index(loop_) + steps_.size();) {
      const Statement& statement = kernel_.statements[i];
      if (statement.get_if<IndexValue>() == nullptr && statement.get_if<Compute>() == nullptr)
        continue;
      if (!is_named(StatementId(i))) drop(i);
    }
  }

  bool is_named(StatementId id) {
    bool found = false;
    for (Statement& statement : kernel_.statements)
      for_each_id(statement, [&](StatementId& each) { found |= each == id; });
    return found;
  }

  void drop(size_t at) {
    kernel_.statements.erase(kernel_.statements.begin() + static_cast<long>(at));
    const auto renumber = [&](StatementId& id) {
      if (index(id) > at) id = StatementId(index(id) - 1);
    };
    for (Statement& statement : kernel_.statements) {
      if (auto* loop = statement.get_if<Loop>()) renumber(loop->end);
      for_each_id(statement, renumber);
    }
  }

  Kernel& kernel_;
  StatementId loop_{};
  size_t end_ = 0;
  std::map<size_t, Part> parts_;  ///< by statement
  std::vector<SymInt> points_;    ///< where the index is cut
  std::vector<SymInt> sizes_;     ///< that may be quotients
  std::vector<SymInt> steps_, extents_;
};

}  // namespace

bool split_axes(Kernel& kernel) {
  return Splitter(kernel).run();
}

}  // namespace glint::passes
