// The syntax tree: what a source text says, before names are resolved.
//
//     x = f(1) + y      Assign{targets: [Name x], value: Binary{Add, Call{Name f, [1]}, Name y}}
//
// A node is a struct; an `Expression` or `Statement` is a span and a variant of those structs. The
// structs are named after CPython's `ast` module, so that a reader of one can read the other. Trees
// own their children. What cannot be written in Python cannot be built: the parser has checked
// targets, parameter order and the places of `return`, `break` and `yield`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/support/span.h"
#include "frontend/syntax_error.h"
#include "ir/program.h"

namespace glint::frontend {

struct Expression;
struct Statement;
struct Pattern;
using ExpressionPtr = std::unique_ptr<Expression>;
using Expressions = std::vector<ExpressionPtr>;
using Block = std::vector<std::unique_ptr<Statement>>;

// ---- Expressions -------------------------------------------------------------------------------

enum class UnaryOperator : uint8_t { kNegative, kPositive, kInvert, kNot };
enum class BinaryOperator : uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kMatrixMultiply,
  kDivide,
  kFloorDivide,
  kModulo,
  kPower,
  kLeftShift,
  kRightShift,
  kBitAnd,
  kBitOr,
  kBitXor,
};
enum class ComparisonOperator : uint8_t {
  kLess,
  kLessEqual,
  kEqual,
  kNotEqual,
  kGreater,
  kGreaterEqual,
  kIs,
  kIsNot,
  kIn,
  kNotIn,
};

/// One `for ... in ... if ...` of a comprehension.
struct ComprehensionClause {
  ExpressionPtr target;
  ExpressionPtr iterable;
  Expressions conditions;
};

enum class ComprehensionKind : uint8_t { kList, kSet, kDict, kGenerator };

struct Parameters {
  struct Item {
    std::string name;
    program::ParameterKind kind = program::ParameterKind::kPositional;
    ExpressionPtr annotation;     ///< or null
    ExpressionPtr default_value;  ///< or null
    Span span;
  };
  std::vector<Item> items;
};

struct Argument {
  enum class Kind : uint8_t { kPositional, kKeyword, kStar, kDoubleStar };
  Kind kind = Kind::kPositional;
  std::string keyword;
  ExpressionPtr value;
  Span span;
};

struct Constant {
  program::Constant value;
};
struct Name {
  std::string id;
};
struct Unary {
  UnaryOperator op;
  ExpressionPtr operand;
};
struct Binary {
  BinaryOperator op;
  ExpressionPtr left;
  ExpressionPtr right;
};
struct BoolOperation {
  bool is_and;
  Expressions values;
};
struct Compare {
  ExpressionPtr left;
  std::vector<ComparisonOperator> ops;
  Expressions comparators;
};
struct Conditional {
  ExpressionPtr condition;
  ExpressionPtr then;
  ExpressionPtr otherwise;
};
struct Lambda {
  Parameters parameters;
  ExpressionPtr body;
};
struct Call {
  ExpressionPtr function;
  std::vector<Argument> arguments;
};
struct Attribute {
  ExpressionPtr value;
  std::string name;
};
struct Subscript {
  ExpressionPtr value;
  ExpressionPtr index;
};
struct Slice {
  ExpressionPtr lower;  ///< each may be null
  ExpressionPtr upper;
  ExpressionPtr step;
};
struct Starred {
  ExpressionPtr value;
};
struct NamedExpression {
  std::string name;
  Span name_span;
  ExpressionPtr value;
};
struct ListDisplay {
  Expressions items;
};
struct TupleDisplay {
  Expressions items;
};
struct SetDisplay {
  Expressions items;
};
/// A null key marks `**value`.
struct DictDisplay {
  Expressions keys;
  Expressions values;
};
struct Comprehension {
  ComprehensionKind kind;
  ExpressionPtr element;  ///< of a dict: the key
  ExpressionPtr value;    ///< of a dict
  std::vector<ComprehensionClause> clauses;
};
/// A replacement field of an f-string.
struct FormattedValue {
  ExpressionPtr value;
  char conversion = 0;  ///< 's', 'r', 'a', or 0
  ExpressionPtr spec;   ///< a JoinedString, or null
};
/// An f-string: string constants and formatted values.
struct JoinedString {
  Expressions parts;
};
struct Yield {
  ExpressionPtr value;  ///< or null
};
struct YieldFrom {
  ExpressionPtr value;
};

struct Expression {
  Span span;
  std::variant<Constant, Name, Unary, Binary, BoolOperation, Compare, Conditional, Lambda, Call,
               Attribute, Subscript, Slice, Starred, NamedExpression, ListDisplay, TupleDisplay,
               SetDisplay, DictDisplay, Comprehension, FormattedValue, JoinedString, Yield,
               YieldFrom>
      node;
  /// Stood in parentheses of its own, which matters for targets and for a few messages.
  bool parenthesised = false;

  template <class T>
  T* get_if() {
    return std::get_if<T>(&node);
  }
  template <class T>
  const T* get_if() const {
    return std::get_if<T>(&node);
  }
};

// ---- Patterns ----------------------------------------------------------------------------------

/// `case 1`, `case "a"`, `case Colour.RED`: equal to the value (`is` for None, True, False).
struct ValuePattern {
  ExpressionPtr value;
  bool by_identity = false;
};
/// `case x`, `case _` (empty name), and `case [..] as x` with a pattern.
struct CapturePattern {
  std::string name;
  std::unique_ptr<Pattern> pattern;  ///< or null: matches everything
};
struct SequencePattern {
  std::vector<std::unique_ptr<Pattern>> items;
};
/// `*rest` inside a sequence; the name is empty for `*_`.
struct StarPattern {
  std::string name;
};
struct MappingPattern {
  Expressions keys;
  std::vector<std::unique_ptr<Pattern>> values;
  std::optional<std::string> rest;
};
struct ClassPattern {
  ExpressionPtr cls;
  std::vector<std::unique_ptr<Pattern>> positional;
  std::vector<std::string> keywords;
  std::vector<std::unique_ptr<Pattern>> keyword_patterns;
};
struct OrPattern {
  std::vector<std::unique_ptr<Pattern>> alternatives;
};
struct Pattern {
  Span span;
  std::variant<ValuePattern, CapturePattern, SequencePattern, StarPattern, MappingPattern,
               ClassPattern, OrPattern>
      node;
};

// ---- Statements --------------------------------------------------------------------------------

struct ExpressionStatement {
  ExpressionPtr value;
};
struct Assign {
  Expressions targets;
  ExpressionPtr value;
};
struct AugmentedAssign {
  ExpressionPtr target;
  BinaryOperator op;
  ExpressionPtr value;
};
struct AnnotatedAssign {
  ExpressionPtr target;
  ExpressionPtr annotation;
  ExpressionPtr value;  ///< or null
};
struct Return {
  ExpressionPtr value;  ///< or null
};
struct Raise {
  ExpressionPtr exception;  ///< or null
  ExpressionPtr cause;      ///< or null
};
struct Assert {
  ExpressionPtr condition;
  ExpressionPtr message;  ///< or null
};
struct Delete {
  Expressions targets;
};
struct Pass {};
struct Break {};
struct Continue {};
struct Global {
  std::vector<std::string> names;
};
struct Nonlocal {
  std::vector<std::string> names;
};
struct ImportName {
  std::string name;
  std::string as_name;  ///< empty if none
  Span span;
};
struct Import {
  std::vector<ImportName> names;
};
struct ImportFrom {
  uint32_t level = 0;  ///< leading dots
  std::string module;
  std::vector<ImportName> names;  ///< empty: everything (`*`)
};
struct If {
  ExpressionPtr condition;
  Block then;
  Block otherwise;
};
struct While {
  ExpressionPtr condition;
  Block body;
  Block otherwise;
};
struct For {
  ExpressionPtr target;
  ExpressionPtr iterable;
  Block body;
  Block otherwise;
};
struct ExceptClause {
  ExpressionPtr type;  ///< or null
  std::string name;    ///< empty if none
  Block body;
  Span span;
};
struct Try {
  Block body;
  std::vector<ExceptClause> handlers;
  Block otherwise;
  Block finally;
};
struct WithItem {
  ExpressionPtr context;
  ExpressionPtr target;  ///< or null
};
struct With {
  std::vector<WithItem> items;
  Block body;
};
struct FunctionDefinition {
  std::string name;
  Parameters parameters;
  ExpressionPtr return_annotation;  ///< or null
  Expressions decorators;
  Block body;
  Span name_span;
};
struct ClassDefinition {
  std::string name;
  std::vector<Argument> arguments;
  Expressions decorators;
  Block body;
  Span name_span;
};
struct MatchCase {
  std::unique_ptr<Pattern> pattern;
  ExpressionPtr guard;  ///< or null
  Block body;
};
struct Match {
  ExpressionPtr subject;
  std::vector<MatchCase> cases;
};

struct Statement {
  Span span;
  std::variant<ExpressionStatement, Assign, AugmentedAssign, AnnotatedAssign, Return, Raise, Assert,
               Delete, Pass, Break, Continue, Global, Nonlocal, Import, ImportFrom, If, While, For,
               Try, With, FunctionDefinition, ClassDefinition, Match>
      node;
};

/// A whole source text.
struct Module {
  Block body;
  /// An upper bound of how deep it nests.
  size_t levels = 0;
  /// The first mistake that CPython finds only after all names are resolved.
  std::optional<SyntaxError> late_error = {};
};

}  // namespace glint::frontend
