// The table behind SymInt: interned expressions in normal form. Only symbolic.cpp and
// symbolic_text.cpp look in here.
//
// An expression is `constant + sum of coefficient * product of atoms`; an atom is a symbol or one
// of the operations that no polynomial has (//, %, min, max) on two SymInts. Monomials are sorted
// and like ones merged, so equal polynomials are one entry of the table.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "ir/symbolic.h"

namespace glint {

enum class AtomKind : uint8_t { kSymbol, kFloorDivide, kRemainder, kMinimum, kMaximum };

struct Atom {
  AtomKind kind = AtomKind::kSymbol;
  uint32_t symbol = 0;
  SymInt left = 0;
  SymInt right = 0;
};

/// `coefficient * atoms[0] * atoms[1] * ...`; atoms ascending, repeated for powers.
struct Monomial {
  int64_t coefficient = 0;
  std::vector<uint32_t> atoms;
};

struct Expression {
  int64_t constant = 0;
  std::vector<Monomial> monomials;
};

class ExpressionTable {
 public:
  static ExpressionTable& instance();

  const Expression& expression(SymInt value) const { return expressions_[value.expression()]; }
  const Atom& atom(uint32_t id) const { return atoms_[id]; }
  /// The expression of any SymInt, a plain one too.
  Expression as_expression(SymInt value) const;
  /// Interns; a plain integer when there are no monomials.
  SymInt intern(Expression expression);
  /// The SymInt that is just this atom.
  SymInt atom_value(const Atom& atom);
  /// Of any two SymInts. Passes and guards ask for the same ones again and again: what was computed
  /// is looked up.
  SymInt sum(SymInt a, SymInt b);
  SymInt product(SymInt a, SymInt b);

 private:
  /// Two operands, the lower key first.
  struct Operands {
    uint64_t first;
    uint64_t second;
    bool operator==(const Operands&) const = default;
  };
  struct OperandsHash {
    size_t operator()(const Operands& operands) const;
  };
  using Results = std::unordered_map<Operands, SymInt, OperandsHash>;
  static Operands operands_of(SymInt a, SymInt b);

  struct KeyHash {
    size_t operator()(const std::vector<int64_t>& key) const;
  };
  bool atom_less(uint32_t a, uint32_t b) const;
  friend Expression multiply_expressions(const Expression& a, const Expression& b);
  friend Expression add_expressions(const Expression& a, const Expression& b);

  std::deque<Expression> expressions_;
  std::deque<Atom> atoms_;
  std::unordered_map<std::vector<int64_t>, uint32_t, KeyHash> expression_ids_;
  std::unordered_map<std::vector<int64_t>, uint32_t, KeyHash> atom_ids_;
  Results sums_;
  Results products_;
};

}  // namespace glint
