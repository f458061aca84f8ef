// What is known of symbolic sizes: intervals from the symbols' least values, the relations decided
// so far, and the hints that decide the rest.
#include <algorithm>

#include <fmt/format.h>

#include "core/support/check.h"
#include "ir/symbolic.h"
#include "ir/symbolic_expression.h"

namespace glint {

namespace {

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();

/// All values that an expression may have; the extremes of int64 stand for "no bound".
struct Interval {
  int64_t low = kLowest;
  int64_t high = kHighest;
};

int64_t saturate(__int128 value) {
  if (value <= kLowest) return kLowest;
  if (value >= kHighest) return kHighest;
  return static_cast<int64_t>(value);
}

int64_t saturating_product(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  bool negative = (a < 0) != (b < 0);
  if (a == kLowest || a == kHighest || b == kLowest || b == kHighest)
    return negative ? kLowest : kHighest;
  return saturate(static_cast<__int128>(a) * b);
}

int64_t saturating_sum(int64_t a, int64_t b) {
  if (a == kLowest || b == kLowest) return kLowest;
  if (a == kHighest || b == kHighest) return kHighest;
  return saturate(static_cast<__int128>(a) + b);
}

Interval multiply(Interval a, Interval b) {
  int64_t corners[] = {saturating_product(a.low, b.low), saturating_product(a.low, b.high),
                       saturating_product(a.high, b.low), saturating_product(a.high, b.high)};
  return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
}

Interval interval(SymInt value, const ShapeEnvironment& environment);

Interval interval(const Atom& atom, const ShapeEnvironment& environment) {
  if (atom.kind == AtomKind::kSymbol) return {environment.least(atom.symbol), kHighest};
  Interval a = interval(atom.left, environment);
  Interval b = interval(atom.right, environment);
  switch (atom.kind) {
    case AtomKind::kFloorDivide:
      if (b.low < 1) return {};
      // The quotient by the least divisor is the farthest from zero.
      return {a.low == kLowest ? kLowest
              : a.low < 0      ? floor_divide(a.low, b.low).constant()
                               : 0,
              a.high == kHighest ? kHighest
              : a.high < 0       ? -1
                                 : a.high / b.low};
    case AtomKind::kRemainder:
      if (b.low < 1) return {};
      return {0, b.high == kHighest ? kHighest : b.high - 1};
    case AtomKind::kMinimum:
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    default:
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
  }
}

Interval interval(SymInt value, const ShapeEnvironment& environment) {
  if (value.is_constant()) return {value.constant(), value.constant()};
  const ExpressionTable& table = ExpressionTable::instance();
  const Expression& expression = table.expression(value);
  Interval sum{expression.constant, expression.constant};
  for (const Monomial& monomial : expression.monomials) {
    Interval term{monomial.coefficient, monomial.coefficient};
    for (uint32_t id : monomial.atoms) term = multiply(term, interval(table.atom(id), environment));
    sum = {saturating_sum(sum.low, term.low), saturating_sum(sum.high, term.high)};
  }
  return sum;
}

/// Whether `difference < 0` or `<= 0` follows from a relation between the same two expressions.
std::optional<bool> from_relations(Relation::Kind kind, SymInt a, SymInt b) {
  using Kind = Relation::Kind;
  const ShapeEnvironment& environment = ShapeEnvironment::current();
  const SymInt difference = a - b;
  const std::vector<uint32_t>* numbers = environment.relations_of(difference);
  if (!numbers) return std::nullopt;
  for (uint32_t number : *numbers) {
    const Relation& relation = environment.relations()[number];
    const bool same = relation.left - relation.right == difference, opposite = !same;
    switch (relation.kind) {
      case Kind::kEqual:
        return kind == Kind::kEqual || kind == Kind::kLessEqual;
      case Kind::kNotEqual:
        if (kind == Kind::kEqual) return false;
        break;
      case Kind::kLess:
        if (kind == Kind::kEqual) return false;
        return same;
      case Kind::kLessEqual:
        if (same && kind == Kind::kLessEqual) return true;
        if (opposite && kind == Kind::kLess) return false;
        break;
    }
  }
  return std::nullopt;
}

thread_local ShapeEnvironment* current_environment = nullptr;

}  // namespace

std::optional<bool> known_equal(SymInt a, SymInt b) {
  if (a == b) return true;
  if (a.is_constant() && b.is_constant()) return false;
  Interval difference = interval(a - b, ShapeEnvironment::current());
  if (difference.low > 0 || difference.high < 0) return false;
  return from_relations(Relation::Kind::kEqual, a, b);
}

std::optional<bool> known_less(SymInt a, SymInt b) {
  if (a.is_constant() && b.is_constant()) return a.constant() < b.constant();
  if (a == b) return false;
  Interval difference = interval(a - b, ShapeEnvironment::current());
  if (difference.high < 0) return true;
  if (difference.low >= 0) return false;
  return from_relations(Relation::Kind::kLess, a, b);
}

std::optional<bool> known_less_equal(SymInt a, SymInt b) {
  if (a.is_constant() && b.is_constant()) return a.constant() <= b.constant();
  if (a == b) return true;
  Interval difference = interval(a - b, ShapeEnvironment::current());
  if (difference.high <= 0) return true;
  if (difference.low > 0) return false;
  return from_relations(Relation::Kind::kLessEqual, a, b);
}

bool decide_equal(SymInt a, SymInt b) {
  if (auto known = known_equal(a, b)) return *known;
  return ShapeEnvironment::current().decide(Relation::Kind::kEqual, a, b);
}

bool decide_less(SymInt a, SymInt b) {
  if (auto known = known_less(a, b)) return *known;
  return ShapeEnvironment::current().decide(Relation::Kind::kLess, a, b);
}

bool Relation::holds(std::span<const int64_t> values) const {
  int64_t a = left.evaluate(values), b = right.evaluate(values);
  switch (kind) {
    case Kind::kEqual:
      return a == b;
    case Kind::kNotEqual:
      return a != b;
    case Kind::kLess:
      return a < b;
    case Kind::kLessEqual:
      return a <= b;
  }
  return false;
}

std::string Relation::text() const {
  static constexpr std::string_view kSigns[] = {"==", "!=", "<", "<="};
  return fmt::format("{} {} {}", left.text(), kSigns[static_cast<size_t>(kind)], right.text());
}

SymInt ShapeEnvironment::new_symbol(int64_t hint, int64_t least) {
  hints_.push_back(hint);
  least_.push_back(least);
  return SymInt::symbol(static_cast<uint32_t>(hints_.size() - 1));
}

int64_t ShapeEnvironment::hint(SymInt value) const {
  if (value.is_constant()) return value.constant();
  std::vector<uint32_t> symbols = value.symbols();
  if (!symbols.empty() && symbols.back() < hints_.size()) return value.evaluate(hints_);
  // Symbols of a text that no call has bound: distinct sizes that nothing else has.
  std::vector<int64_t> values = hints_;
  for (auto k = static_cast<uint32_t>(values.size()); k <= symbols.back(); ++k)
    values.push_back(1009 + 12 * static_cast<int64_t>(k));
  return value.evaluate(values);
}

void ShapeEnvironment::add_relation(Relation relation) {
  const SymInt difference = relation.left - relation.right;
  std::vector<uint32_t>& alike = by_difference_[difference.key()];
  if (std::ranges::any_of(alike, [&](uint32_t each) { return relations_[each] == relation; }))
    return;
  const auto number = static_cast<uint32_t>(relations_.size());
  alike.push_back(number);
  if (!difference.is(0)) by_difference_[(-difference).key()].push_back(number);
  relations_.push_back(relation);
}

const std::vector<uint32_t>* ShapeEnvironment::relations_of(SymInt difference) const {
  const auto found = by_difference_.find(difference.key());
  return found == by_difference_.end() ? nullptr : &found->second;
}

bool ShapeEnvironment::decide(Relation::Kind kind, SymInt left, SymInt right) {
  using Kind = Relation::Kind;
  int64_t a = hint(left), b = hint(right);
  bool answer = kind == Kind::kEqual      ? a == b
                : kind == Kind::kNotEqual ? a != b
                : kind == Kind::kLess     ? a < b
                                          : a <= b;
  if (hints_.empty()) return answer;  // the environment of texts keeps nothing
  switch (kind) {
    case Kind::kEqual:
      add_relation({answer ? Kind::kEqual : Kind::kNotEqual, left, right});
      break;
    case Kind::kNotEqual:
      add_relation({answer ? Kind::kNotEqual : Kind::kEqual, left, right});
      break;
    case Kind::kLess:
      add_relation(answer ? Relation{kind, left, right} : Relation{Kind::kLessEqual, right, left});
      break;
    case Kind::kLessEqual:
      add_relation(answer ? Relation{kind, left, right} : Relation{Kind::kLess, right, left});
      break;
  }
  return answer;
}

ShapeEnvironment& ShapeEnvironment::current() {
  static thread_local ShapeEnvironment nobody;
  return current_environment ? *current_environment : nobody;
}

ShapeEnvironment::Scope::Scope(ShapeEnvironment& environment) : previous_(current_environment) {
  current_environment = &environment;
}
ShapeEnvironment::Scope::~Scope() {
  current_environment = previous_;
}

}  // namespace glint
