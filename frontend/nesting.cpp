#include "frontend/nesting.h"

#include <algorithm>

#include "GlintLexer.h"
#include "antlr4-runtime.h"

namespace glint::frontend {
namespace {

using antlr::GlintLexer;

/// CPython's parser goes 6000 rules deep, and needs some to reach an expression.
constexpr size_t kDeepestRight = 5967;
/// A run of operators that nest to the left can be parsed at any length; of this length it need not
/// be, for its tree is too deep for the compiler.
constexpr size_t kLongestLeft = 12000;

/// How many of CPython's rules lie between an operator and the operand behind it, which may hold
/// the next; 0 for operators that nest to the left.
size_t rules_to_the_right(size_t type, bool behind_operand) {
  switch (type) {
    case GlintLexer::NOT:
    case GlintLexer::TILDE:
    case GlintLexer::ELSE:
      return 1;
    case GlintLexer::ADD:
    case GlintLexer::SUB:
      return behind_operand ? 0 : 1;
    case GlintLexer::LAMBDA:
    case GlintLexer::POW:
      return 2;
    default:
      return 0;
  }
}

bool nests_left(size_t type) {
  switch (type) {
    case GlintLexer::ADD:
    case GlintLexer::SUB:
    case GlintLexer::MUL:
    case GlintLexer::DIV:
    case GlintLexer::IDIV:
    case GlintLexer::MOD:
    case GlintLexer::AT:
    case GlintLexer::AMP:
    case GlintLexer::BAR:
    case GlintLexer::CARET:
    case GlintLexer::LSHIFT:
    case GlintLexer::RSHIFT:
    case GlintLexer::DOT:
    case GlintLexer::LPAREN:
    case GlintLexer::LBRACK:
    case GlintLexer::LBRACE:
      return true;
    default:
      return false;
  }
}

/// Operators whose chains are one node of the tree, but many of the parser's.
bool chains(size_t type) {
  switch (type) {
    case GlintLexer::AND:
    case GlintLexer::OR:
    case GlintLexer::LT:
    case GlintLexer::GT:
    case GlintLexer::EQ:
    case GlintLexer::NE:
    case GlintLexer::LE:
    case GlintLexer::GE:
    case GlintLexer::IS:
    case GlintLexer::IN:
      return true;
    default:
      return false;
  }
}

bool ends_operand(size_t type) {
  switch (type) {
    case GlintLexer::NAME:
    case GlintLexer::NUMBER:
    case GlintLexer::STRING:
    case GlintLexer::TRUE:
    case GlintLexer::FALSE:
    case GlintLexer::NONE:
    case GlintLexer::ELLIPSIS:
    case GlintLexer::RPAREN:
    case GlintLexer::RBRACK:
    case GlintLexer::RBRACE:
      return true;
    default:
      return false;
  }
}

}  // namespace

Nesting nesting_of(const Layout& layout) {
  size_t right = 0;
  size_t left = 0;
  size_t chained = 0;
  size_t branches = 0;
  size_t before = GlintLexer::NEWLINE;
  Nesting nesting;
  for (const Token& token : layout.tokens) {
    size_t type = token.type;
    if (type == GlintLexer::NEWLINE || type == GlintLexer::COMMA) right = left = chained = 0;
    right += rules_to_the_right(type, ends_operand(before));
    left += nests_left(type) ? 1 : 0;
    chained += chains(type) ? 1 : 0;
    branches += type == GlintLexer::ELIF ? 1 : 0;
    before = type;
    nesting.levels = std::max({nesting.levels, right + left + chained, branches});
    if (right > kDeepestRight || branches >= kDeepestRight) {
      nesting.refused = SyntaxErrorKind::kMemory;
      break;
    }
    if (left > kLongestLeft) {
      nesting.refused = SyntaxErrorKind::kRecursion;
      break;
    }
  }
  return nesting;
}

SyntaxError nesting_error(SyntaxErrorKind kind, const Span& at) {
  bool compiling = kind == SyntaxErrorKind::kRecursion;
  SyntaxError error{kind, compiling ? "maximum recursion depth exceeded during compilation" : "",
                    at};
  error.has_place = false;
  return error;
}

}  // namespace glint::frontend
