// Symbolic integers: sizes that are not known when a graph is built.
//
// A `SymInt` is one machine word: a plain integer (any int64), or the number of an interned
// expression over the symbols s0, s1, ... Expressions are kept in one normal form (a sum of
// products, like terms merged), so two that are equal as polynomials are the same word:
//
//     SymInt s0 = SymInt::symbol(0);
//     (s0 + 1) * 4 == s0 * 4 + 4      // true, and nothing is recorded
//     floor_divide(s0 * 8, 8) == s0   // true
//     ((s0 + 1) * 4).text()           // "4*s0 + 4"
//
// Shape rules are written once over SymInt and work for plain sizes at the cost of a branch.
//
// Knowing and deciding. `a == b` asks whether both are the same expression. A rule that must choose
// (do these sizes broadcast?) calls `decide_equal(a, b)`: where the answer follows from the facts
// it costs nothing; otherwise the current `ShapeEnvironment` answers with the sizes of the call
// being captured (the hints) and records the relation, which becomes a guard.
//
// Not thread-safe: expressions belong to the thread that captures and compiles.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/support/result.h"

namespace glint {

class SymInt {
 public:
  SymInt(int64_t value = 0) : word_(value < kPlainBegin ? low_word(value) : value) {}

  /// The symbol s`index`.
  static SymInt symbol(uint32_t index);

  bool is_constant() const { return word_ >= kExpressionEnd; }
  /// The value; only where `is_constant()`.
  int64_t constant() const { return word_ >= kPlainBegin ? word_ : low_constant(); }
  std::optional<int64_t> maybe_constant() const {
    return is_constant() ? std::optional<int64_t>(constant()) : std::nullopt;
  }
  bool is(int64_t value) const { return *this == SymInt(value); }
  /// The symbol's index, when this is just a symbol.
  std::optional<uint32_t> maybe_symbol() const;

  /// The value in the call being captured: asks the current ShapeEnvironment.
  int64_t hint() const;
  /// The value for given symbol values; `values[k]` is s`k`.
  int64_t evaluate(std::span<const int64_t> values) const;
  /// Replaces each symbol sk by `replacements[k]`.
  SymInt substitute(std::span<const SymInt> replacements) const;
  /// The symbols that occur, ascending.
  std::vector<uint32_t> symbols() const;
  std::string text() const;

  /// The same expression (not: the same value in this call).
  bool operator==(const SymInt&) const = default;
  /// A hash and an order by identity, for tables; not an order of values.
  uint64_t key() const { return static_cast<uint64_t>(word_); }

  SymInt& operator+=(SymInt other);
  SymInt& operator-=(SymInt other);
  SymInt& operator*=(SymInt other);

 private:
  friend class ExpressionTable;
  /// Words below this are expression numbers.
  static constexpr int64_t kExpressionEnd = std::numeric_limits<int64_t>::min() + (1LL << 30);
  /// Words from here are the integer itself. The 2^31 lowest integers are no sizes, but a fill
  /// value may be one: those have a word between the two, their number in a table.
  static constexpr int64_t kPlainBegin = kExpressionEnd + (1LL << 30);
  static int64_t low_word(int64_t value);
  /// The value of a word below `kPlainBegin`; checks that it is not symbolic.
  int64_t low_constant() const;
  static SymInt from_word(int64_t word);
  uint32_t expression() const {
    return static_cast<uint32_t>(word_ - std::numeric_limits<int64_t>::min());
  }

  int64_t word_;
};

static_assert(sizeof(SymInt) == 8);

SymInt operator+(SymInt a, SymInt b);
SymInt operator-(SymInt a, SymInt b);
SymInt operator*(SymInt a, SymInt b);
SymInt operator-(SymInt a);
/// Division as Python's `//` and `%`; the divisor is not zero.
SymInt floor_divide(SymInt a, SymInt b);
SymInt remainder(SymInt a, SymInt b);
SymInt ceil_divide(SymInt a, SymInt b);
SymInt minimum(SymInt a, SymInt b);
SymInt maximum(SymInt a, SymInt b);
SymInt product(std::span<const SymInt> sizes);

/// `4*s0 + 8`, `s0 // 2`, `max(s0, s1)`, `17`: reads back what `text()` prints.
Result<SymInt> parse_symint(std::string_view text);

/// What is known without asking for a hint: from the facts that sizes are at least 2 where the
/// environment says so, and from relations recorded before.
std::optional<bool> known_equal(SymInt a, SymInt b);
std::optional<bool> known_less(SymInt a, SymInt b);
std::optional<bool> known_less_equal(SymInt a, SymInt b);

/// The answer for the call being captured; recorded as a relation where it is not known.
bool decide_equal(SymInt a, SymInt b);
bool decide_less(SymInt a, SymInt b);

/// Something that was true of the sizes when a region was captured, and is guarded.
struct Relation {
  enum class Kind : uint8_t { kEqual, kNotEqual, kLess, kLessEqual };
  Kind kind;
  SymInt left;
  SymInt right;

  bool holds(std::span<const int64_t> values) const;
  std::string text() const;  ///< `s0 == s1`, `2 <= s0`
  bool operator==(const Relation&) const = default;
};

/// The symbols of one region: their hints, their least values, and the relations decided so far.
class ShapeEnvironment {
 public:
  /// A new symbol for a size that is `hint` now. Sizes are at least 2 (0 and 1 are specialised, the
  /// caller guards that); another integer passes `least = INT64_MIN`.
  SymInt new_symbol(int64_t hint, int64_t least = 2);
  size_t symbol_count() const { return hints_.size(); }

  int64_t hint(SymInt value) const;
  const std::vector<int64_t>& hints() const { return hints_; }
  int64_t least(uint32_t symbol) const { return symbol < least_.size() ? least_[symbol] : 2; }

  void add_relation(Relation relation);
  const std::vector<Relation>& relations() const { return relations_; }
  /// The numbers of the relations whose sides differ by that much, in either direction; null: none.
  const std::vector<uint32_t>* relations_of(SymInt difference) const;

  /// Decides by hints and records the relation or its negation.
  bool decide(Relation::Kind kind, SymInt left, SymInt right);

  /// The environment that `hint` and `decide_*` ask: the innermost `Scope` of this thread. Without
  /// one (IR read from a file) symbols have distinct made-up hints and relations are dropped.
  static ShapeEnvironment& current();

  class Scope {
   public:
    explicit Scope(ShapeEnvironment& environment);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    ShapeEnvironment* previous_;
  };

 private:
  std::vector<int64_t> hints_;
  std::vector<int64_t> least_;
  std::vector<Relation> relations_;
  std::unordered_map<uint64_t, std::vector<uint32_t>> by_difference_;
};

}  // namespace glint
