#include "ir/symbolic_range.h"

#include <algorithm>
#include <cmath>

#include "core/support/check.h"
#include "ir/symbolic_expression.h"

namespace glint {

namespace {

std::optional<int64_t> evaluate_atom(const Atom& atom, std::span<const int64_t> values) {
  if (atom.kind == AtomKind::kSymbol) {
    check(atom.symbol < values.size(), "a symbol has no value");
    return values[atom.symbol];
  }
  std::optional<int64_t> left = evaluate_exactly(atom.left, values);
  std::optional<int64_t> right = evaluate_exactly(atom.right, values);
  if (!left || !right) return std::nullopt;
  bool divides = atom.kind == AtomKind::kFloorDivide || atom.kind == AtomKind::kRemainder;
  bool impossible = *right == 0 || (*left == std::numeric_limits<int64_t>::min() && *right == -1);
  if (divides && impossible) return std::nullopt;
  switch (atom.kind) {
    case AtomKind::kFloorDivide:
      return glint::floor_divide(*left, *right).constant();
    case AtomKind::kRemainder:
      return glint::remainder(*left, *right).constant();
    case AtomKind::kMinimum:
      return std::min(*left, *right);
    default:
      return std::max(*left, *right);
  }
}

}  // namespace

std::optional<int64_t> evaluate_exactly(SymInt value, std::span<const int64_t> values) {
  if (value.is_constant()) return value.constant();
  const ExpressionTable& table = ExpressionTable::instance();
  const Expression& expression = table.expression(value);
  int64_t sum = expression.constant;
  for (const Monomial& monomial : expression.monomials) {
    int64_t term = monomial.coefficient;
    for (uint32_t id : monomial.atoms) {
      std::optional<int64_t> factor = evaluate_atom(table.atom(id), values);
      if (!factor || __builtin_mul_overflow(term, *factor, &term)) return std::nullopt;
    }
    if (__builtin_add_overflow(sum, term, &sum)) return std::nullopt;
  }
  return sum;
}

double greatest_magnitude(SymInt value, const std::function<double(uint32_t)>& limit) {
  if (value.is_constant()) return std::abs(static_cast<double>(value.constant()));
  const ExpressionTable& table = ExpressionTable::instance();
  const Expression& expression = table.expression(value);
  double sum = std::abs(static_cast<double>(expression.constant));
  for (const Monomial& monomial : expression.monomials) {
    double term = std::abs(static_cast<double>(monomial.coefficient));
    for (uint32_t id : monomial.atoms) {
      const Atom& atom = table.atom(id);
      term *= atom.kind == AtomKind::kSymbol ? limit(atom.symbol)
                                             : std::max({1.0, greatest_magnitude(atom.left, limit),
                                                         greatest_magnitude(atom.right, limit)});
    }
    sum += term;
  }
  return sum;
}

double greatest_magnitude(SymInt value, double limit) {
  return greatest_magnitude(value, [limit](uint32_t) { return limit; });
}

}  // namespace glint
