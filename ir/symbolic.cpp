#include "ir/symbolic.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <unordered_map>

#include <fmt/format.h>

#include "core/support/check.h"
#include "ir/symbolic_expression.h"

namespace glint {

// ---- the table ---------------------------------------------------------------------------------

ExpressionTable& ExpressionTable::instance() {
  static ExpressionTable table;
  return table;
}

size_t ExpressionTable::KeyHash::operator()(const std::vector<int64_t>& key) const {
  uint64_t hash = 1469598103934665603ULL;
  for (int64_t word : key) hash = (hash ^ static_cast<uint64_t>(word)) * 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 29);
}

Expression ExpressionTable::as_expression(SymInt value) const {
  return value.is_constant() ? Expression{value.constant(), {}} : expression(value);
}

SymInt ExpressionTable::intern(Expression expression) {
  if (expression.monomials.empty()) return SymInt(expression.constant);
  std::vector<int64_t> key{expression.constant};
  for (const Monomial& monomial : expression.monomials) {
    key.push_back(monomial.coefficient);
    key.push_back(-1 - static_cast<int64_t>(monomial.atoms.size()));
    key.insert(key.end(), monomial.atoms.begin(), monomial.atoms.end());
  }
  auto [found, added] =
      expression_ids_.emplace(std::move(key), static_cast<uint32_t>(expressions_.size()));
  if (added) expressions_.push_back(std::move(expression));
  check(found->second < 1U << 30, "more expressions over sizes than can be numbered");
  return SymInt::from_word(std::numeric_limits<int64_t>::min() + found->second);
}

SymInt ExpressionTable::atom_value(const Atom& atom) {
  std::vector<int64_t> key{static_cast<int64_t>(atom.kind), atom.symbol,
                           static_cast<int64_t>(atom.left.key()),
                           static_cast<int64_t>(atom.right.key())};
  auto [found, added] = atom_ids_.emplace(std::move(key), static_cast<uint32_t>(atoms_.size()));
  if (added) atoms_.push_back(atom);
  return intern({0, {{1, {found->second}}}});
}

/// Symbols by their index first, then the other atoms in the order in which they were made.
bool ExpressionTable::atom_less(uint32_t a, uint32_t b) const {
  const Atom& x = atoms_[a];
  const Atom& y = atoms_[b];
  bool x_symbol = x.kind == AtomKind::kSymbol, y_symbol = y.kind == AtomKind::kSymbol;
  if (x_symbol && y_symbol) return x.symbol < y.symbol;
  return x_symbol != y_symbol ? x_symbol : a < b;
}

Expression add_expressions(const Expression& a, const Expression& b) {
  const ExpressionTable& table = ExpressionTable::instance();
  auto before = [&](const Monomial& x, const Monomial& y) {
    return std::lexicographical_compare(
        x.atoms.begin(), x.atoms.end(), y.atoms.begin(), y.atoms.end(),
        [&](uint32_t p, uint32_t q) { return table.atom_less(p, q); });
  };
  Expression sum{a.constant + b.constant, {}};
  auto x = a.monomials.begin();
  auto y = b.monomials.begin();
  while (x != a.monomials.end() || y != b.monomials.end()) {
    if (y == b.monomials.end() || (x != a.monomials.end() && before(*x, *y))) {
      sum.monomials.push_back(*x++);
    } else if (x == a.monomials.end() || before(*y, *x)) {
      sum.monomials.push_back(*y++);
    } else {
      int64_t coefficient = x->coefficient + y->coefficient;
      if (coefficient != 0) sum.monomials.push_back({coefficient, x->atoms});
      ++x, ++y;
    }
  }
  return sum;
}

Expression multiply_expressions(const Expression& a, const Expression& b) {
  const ExpressionTable& table = ExpressionTable::instance();
  Expression result;
  auto add_product = [&](int64_t p, const std::vector<uint32_t>& left, int64_t q,
                         const std::vector<uint32_t>& right) {
    if (p == 0 || q == 0) return;
    Monomial monomial{p * q, {}};
    std::merge(left.begin(), left.end(), right.begin(), right.end(),
               std::back_inserter(monomial.atoms),
               [&](uint32_t x, uint32_t y) { return table.atom_less(x, y); });
    Expression term;
    if (monomial.atoms.empty())
      term.constant = monomial.coefficient;
    else
      term.monomials.push_back(std::move(monomial));
    result = add_expressions(result, term);
  };
  static const std::vector<uint32_t> kNone;
  add_product(a.constant, kNone, b.constant, kNone);
  for (const Monomial& y : b.monomials) add_product(a.constant, kNone, y.coefficient, y.atoms);
  for (const Monomial& x : a.monomials) {
    add_product(x.coefficient, x.atoms, b.constant, kNone);
    for (const Monomial& y : b.monomials)
      add_product(x.coefficient, x.atoms, y.coefficient, y.atoms);
  }
  return result;
}

size_t ExpressionTable::OperandsHash::operator()(const Operands& operands) const {
  constexpr uint64_t kOdd = 0x9e3779b97f4a7c15ULL;
  const uint64_t hash = (operands.first * kOdd ^ operands.second) * kOdd;
  return hash ^ (hash >> 29);
}

ExpressionTable::Operands ExpressionTable::operands_of(SymInt a, SymInt b) {
  return {std::min(a.key(), b.key()), std::max(a.key(), b.key())};
}

SymInt ExpressionTable::sum(SymInt a, SymInt b) {
  auto [found, added] = sums_.try_emplace(operands_of(a, b), SymInt(0));
  if (added) found->second = intern(add_expressions(as_expression(a), as_expression(b)));
  return found->second;
}

SymInt ExpressionTable::product(SymInt a, SymInt b) {
  auto [found, added] = products_.try_emplace(operands_of(a, b), SymInt(0));
  if (added) found->second = intern(multiply_expressions(as_expression(a), as_expression(b)));
  return found->second;
}

// ---- SymInt ------------------------------------------------------------------------------------

namespace {

/// The integers that are too low to be their own word, by number.
struct LowIntegers {
  std::vector<int64_t> values;
  std::unordered_map<int64_t, int64_t> numbers;

  static LowIntegers& instance() {
    static LowIntegers integers;
    return integers;
  }
};

}  // namespace

int64_t SymInt::low_word(int64_t value) {
  LowIntegers& low = LowIntegers::instance();
  auto [found, added] = low.numbers.emplace(value, static_cast<int64_t>(low.values.size()));
  if (added) low.values.push_back(value);
  check(found->second < 1LL << 30, "more integers that low than can be numbered");
  return kExpressionEnd + found->second;
}

int64_t SymInt::low_constant() const {
  check(is_constant(), "a plain integer was expected, this is symbolic");
  return LowIntegers::instance().values[static_cast<size_t>(word_ - kExpressionEnd)];
}

SymInt SymInt::from_word(int64_t word) {
  SymInt value;
  value.word_ = word;
  return value;
}

SymInt SymInt::symbol(uint32_t index) {
  return ExpressionTable::instance().atom_value({.kind = AtomKind::kSymbol, .symbol = index});
}

std::optional<uint32_t> SymInt::maybe_symbol() const {
  if (is_constant()) return std::nullopt;
  const ExpressionTable& table = ExpressionTable::instance();
  const Expression& expression = table.expression(*this);
  if (expression.constant != 0 || expression.monomials.size() != 1) return std::nullopt;
  const Monomial& monomial = expression.monomials.front();
  if (monomial.coefficient != 1 || monomial.atoms.size() != 1) return std::nullopt;
  const Atom& atom = table.atom(monomial.atoms.front());
  if (atom.kind != AtomKind::kSymbol) return std::nullopt;
  return atom.symbol;
}

namespace {

/// A product that is no int64 is the nearest one: no tensor has so many elements either.
int64_t saturated_product(int64_t a, int64_t b) {
  int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) == (b < 0) ? std::numeric_limits<int64_t>::max()
                            : std::numeric_limits<int64_t>::min();
}

/// A sum that is no int64 wraps around, as sizes do in PyTorch's messages.
int64_t wrapped_sum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

}  // namespace

SymInt operator+(SymInt a, SymInt b) {
  if (a.is_constant() && b.is_constant()) return wrapped_sum(a.constant(), b.constant());
  if (a.is(0)) return b;
  if (b.is(0)) return a;
  return ExpressionTable::instance().sum(a, b);
}

SymInt operator*(SymInt a, SymInt b) {
  if (a.is_constant() && b.is_constant()) return saturated_product(a.constant(), b.constant());
  if (a.is(1) || b.is(0)) return a.is(1) ? b : 0;
  if (b.is(1) || a.is(0)) return b.is(1) ? a : 0;
  return ExpressionTable::instance().product(a, b);
}

SymInt operator-(SymInt a) {
  return a * SymInt(-1);
}
SymInt operator-(SymInt a, SymInt b) {
  if (a.is_constant() && b.is_constant()) {
    int64_t difference = 0;
    __builtin_sub_overflow(a.constant(), b.constant(), &difference);
    return difference;
  }
  return a == b ? SymInt(0) : a + -b;
}

SymInt& SymInt::operator+=(SymInt other) {
  return *this = *this + other;
}
SymInt& SymInt::operator-=(SymInt other) {
  return *this = *this - other;
}
SymInt& SymInt::operator*=(SymInt other) {
  return *this = *this * other;
}

namespace {

int64_t floor_divide_int(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
}

/// Splits `value` into a part that `divisor` divides term by term and the rest, for a divisor of
/// one monomial: 8*s0 + 3 by 4 gives 2*s0 and 3.
std::pair<SymInt, SymInt> split_multiple(SymInt value, SymInt divisor) {
  ExpressionTable& table = ExpressionTable::instance();
  Expression by = table.as_expression(divisor);
  Monomial unit{by.constant, {}};
  if (!by.monomials.empty()) {
    if (by.constant != 0 || by.monomials.size() != 1) return {0, value};
    unit = by.monomials.front();
  }
  if (unit.coefficient <= 0) return {0, value};
  Expression quotient, rest;
  auto place = [&](const Monomial& term) {
    Monomial reduced{term.coefficient / unit.coefficient, {}};
    std::vector<uint32_t> atoms = term.atoms;
    bool divides = term.coefficient % unit.coefficient == 0;
    for (uint32_t atom : unit.atoms) {
      auto found = std::find(atoms.begin(), atoms.end(), atom);
      if (found == atoms.end())
        divides = false;
      else
        atoms.erase(found);
    }
    Expression piece;
    reduced.atoms = atoms;
    const Monomial& chosen = divides ? reduced : term;
    if (chosen.atoms.empty())
      piece.constant = chosen.coefficient;
    else
      piece.monomials.push_back(chosen);
    Expression& side = divides ? quotient : rest;
    side = add_expressions(side, piece);
  };
  Expression all = table.as_expression(value);
  if (all.constant != 0) place({all.constant, {}});
  for (const Monomial& monomial : all.monomials) place(monomial);
  return {table.intern(std::move(quotient)), table.intern(std::move(rest))};
}

SymInt make_atom(AtomKind kind, SymInt a, SymInt b) {
  return ExpressionTable::instance().atom_value({.kind = kind, .left = a, .right = b});
}

}  // namespace

SymInt floor_divide(SymInt a, SymInt b) {
  check(!b.is(0), "division of a size by zero");
  if (a.is_constant() && b.is_constant()) return floor_divide_int(a.constant(), b.constant());
  if (b.is(1)) return a;
  if (a == b) return 1;
  if (a.is(0)) return 0;
  auto [whole, rest] = split_multiple(a, b);
  if (rest.is(0)) return whole;
  if (known_less_equal(0, rest) == true && known_less(rest, b) == true) return whole;
  if (rest.is_constant() && b.is_constant()) return whole + floor_divide(rest, b);
  return whole + make_atom(AtomKind::kFloorDivide, rest, b);
}

SymInt remainder(SymInt a, SymInt b) {
  check(!b.is(0), "division of a size by zero");
  if (a.is_constant() && b.is_constant())
    return a.constant() - floor_divide_int(a.constant(), b.constant()) * b.constant();
  if (b.is(1) || a == b || a.is(0)) return 0;
  auto [whole, rest] = split_multiple(a, b);
  if (rest.is(0)) return 0;
  if (known_less_equal(0, rest) == true && known_less(rest, b) == true) return rest;
  if (rest.is_constant() && b.is_constant()) return remainder(rest, b);
  return make_atom(AtomKind::kRemainder, rest, b);
}

SymInt ceil_divide(SymInt a, SymInt b) {
  return floor_divide(a + b - 1, b);
}

SymInt minimum(SymInt a, SymInt b) {
  if (auto less = known_less_equal(a, b)) return *less ? a : b;
  return a.key() < b.key() ? make_atom(AtomKind::kMinimum, a, b)
                           : make_atom(AtomKind::kMinimum, b, a);
}

SymInt maximum(SymInt a, SymInt b) {
  if (auto less = known_less_equal(a, b)) return *less ? b : a;
  return a.key() < b.key() ? make_atom(AtomKind::kMaximum, a, b)
                           : make_atom(AtomKind::kMaximum, b, a);
}

SymInt product(std::span<const SymInt> sizes) {
  SymInt result = 1;
  for (SymInt size : sizes) result *= size;
  return result;
}

// ---- evaluation --------------------------------------------------------------------------------

namespace {

struct Plain;

/// Rebuilds `value` in another domain: `leaf(symbol)` gives a T, and T has the operations.
template <class T, class Leaf>
T fold(SymInt value, const Leaf& leaf) {
  if (value.is_constant()) return T(value.constant());
  const ExpressionTable& table = ExpressionTable::instance();
  // A copy where rebuilding interns, for which the table may move what it has; numbers do not.
  using Held = std::conditional_t<std::is_same_v<T, Plain>, const Expression&, const Expression>;
  Held expression = table.expression(value);
  T sum = T(expression.constant);
  for (const Monomial& monomial : expression.monomials) {
    T term = T(monomial.coefficient);
    for (uint32_t id : monomial.atoms) {
      const Atom atom = table.atom(id);
      if (atom.kind == AtomKind::kSymbol) {
        term = term * leaf(atom.symbol);
        continue;
      }
      T left = fold<T>(atom.left, leaf);
      T right = fold<T>(atom.right, leaf);
      switch (atom.kind) {
        case AtomKind::kFloorDivide:
          term = term * floor_divide(left, right);
          break;
        case AtomKind::kRemainder:
          term = term * remainder(left, right);
          break;
        case AtomKind::kMinimum:
          term = term * minimum(left, right);
          break;
        default:
          term = term * maximum(left, right);
          break;
      }
    }
    sum = sum + term;
  }
  return sum;
}

void collect_symbols(SymInt value, std::vector<uint32_t>& found) {
  if (value.is_constant()) return;
  const ExpressionTable& table = ExpressionTable::instance();
  for (const Monomial& monomial : table.expression(value).monomials) {
    for (uint32_t id : monomial.atoms) {
      const Atom& atom = table.atom(id);
      if (atom.kind == AtomKind::kSymbol) {
        found.push_back(atom.symbol);
      } else {
        collect_symbols(atom.left, found);
        collect_symbols(atom.right, found);
      }
    }
  }
}

/// A plain integer with the operations of SymInt, so that `fold` can compute one.
struct Plain {
  int64_t value;
  explicit Plain(int64_t v) : value(v) {}
};
Plain operator+(Plain a, Plain b) {
  return Plain(wrapped_sum(a.value, b.value));
}
Plain operator*(Plain a, Plain b) {
  return Plain(saturated_product(a.value, b.value));
}
Plain floor_divide(Plain a, Plain b) {
  check(b.value != 0, "division of a size by zero");
  return Plain(floor_divide_int(a.value, b.value));
}
Plain remainder(Plain a, Plain b) {
  return Plain(a.value - floor_divide(a, b).value * b.value);
}
Plain minimum(Plain a, Plain b) {
  return Plain(std::min(a.value, b.value));
}
Plain maximum(Plain a, Plain b) {
  return Plain(std::max(a.value, b.value));
}

}  // namespace

int64_t SymInt::evaluate(std::span<const int64_t> values) const {
  if (is_constant()) return constant();
  return fold<Plain>(*this,
                     [&](uint32_t symbol) {
                       check(symbol < values.size(), "a symbol has no value");
                       return Plain(values[symbol]);
                     })
      .value;
}

SymInt SymInt::substitute(std::span<const SymInt> replacements) const {
  if (is_constant()) return *this;
  return fold<SymInt>(*this, [&](uint32_t symbol) {
    return symbol < replacements.size() ? replacements[symbol] : SymInt::symbol(symbol);
  });
}

std::vector<uint32_t> SymInt::symbols() const {
  std::vector<uint32_t> found;
  collect_symbols(*this, found);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

int64_t SymInt::hint() const {
  return is_constant() ? constant() : ShapeEnvironment::current().hint(*this);
}

}  // namespace glint
