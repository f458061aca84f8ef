// The text of symbolic sizes: `4*s0*s1 + (s0 // 2) - 8`, and the parser that reads it back.
#include <fmt/format.h>

#include "ir/kernel_text.h"
#include "ir/symbolic.h"
#include "ir/symbolic_expression.h"
#include "ir/text_cursor.h"

namespace glint {

namespace {

bool is_single_word(const std::string& text) {
  return text.find_first_of(" */%+-") == std::string::npos;
}

/// An operand of // and %: in parentheses unless it is one word.
std::string operand_text(SymInt value) {
  std::string text = value.text();
  return is_single_word(text) ? text : "(" + text + ")";
}

std::string atom_text(const Atom& atom) {
  switch (atom.kind) {
    case AtomKind::kSymbol:
      return fmt::format("s{}", atom.symbol);
    case AtomKind::kFloorDivide:
      return fmt::format("({} // {})", operand_text(atom.left), operand_text(atom.right));
    case AtomKind::kRemainder:
      return fmt::format("({} % {})", operand_text(atom.left), operand_text(atom.right));
    case AtomKind::kMinimum:
      return fmt::format("min({}, {})", atom.left.text(), atom.right.text());
    case AtomKind::kMaximum:
      return fmt::format("max({}, {})", atom.left.text(), atom.right.text());
  }
  return {};
}

}  // namespace

SymInt parse_symint_factor(TextCursor& in) {
  if (auto number = in.number()) {  // with its sign: the least integer has no positive one
    if (number->is_float) in.fail("a size is an integer");
    return number->integer;
  }
  if (in.accept("(")) {
    SymInt inside = parse_symint(in);
    in.expect(")");
    return inside;
  }
  if (in.accept("-")) return -parse_symint_factor(in);
  std::string_view word = in.peek_word();
  if (word == "min" || word == "max") {
    in.word();
    in.expect("(");
    SymInt a = parse_symint(in);
    in.expect(",");
    SymInt b = parse_symint(in);
    in.expect(")");
    return word == "min" ? minimum(a, b) : maximum(a, b);
  }
  if (word.size() > 1 && word.size() < 9 && word[0] == 's' &&
      word.find_first_not_of("0123456789", 1) == std::string_view::npos) {
    in.word();
    return SymInt::symbol(static_cast<uint32_t>(std::stoul(std::string(word.substr(1)))));
  }
  in.fail("expected a size, such as `8` or `s0`");
  return 0;
}

namespace {

SymInt parse_product(TextCursor& in) {
  SymInt value = parse_symint_factor(in);
  while (in.ok()) {
    if (in.accept("*")) {
      value *= parse_symint_factor(in);
      continue;
    }
    bool divides = in.accept("//");
    if (!divides && !in.accept("%")) break;
    SymInt by = parse_symint_factor(in);
    if (by.is(0)) {
      in.fail("division by zero");
      return 0;
    }
    value = divides ? floor_divide(value, by) : remainder(value, by);
  }
  return value;
}

}  // namespace

SymInt parse_symint(TextCursor& in) {
  SymInt value = parse_product(in);
  while (in.ok()) {
    if (in.accept("+"))
      value += parse_product(in);
    else if (in.accept("-"))
      value -= parse_product(in);
    else
      break;
  }
  return value;
}

Result<SymInt> parse_symint(std::string_view text) {
  TextCursor in(text);
  SymInt value = parse_symint(in);
  if (in.ok() && !in.at_end()) in.fail("expected nothing after the size");
  if (!in.ok()) return in.error();
  return value;
}

std::string SymInt::text() const {
  if (is_constant()) return std::to_string(constant());
  const ExpressionTable& table = ExpressionTable::instance();
  const Expression& expression = table.expression(*this);
  std::string text;
  auto sign = [&](int64_t coefficient) {
    if (text.empty()) return coefficient < 0 ? "-" : "";
    return coefficient < 0 ? " - " : " + ";
  };
  for (const Monomial& monomial : expression.monomials) {
    text += sign(monomial.coefficient);
    auto magnitude = monomial.coefficient < 0 ? 0 - static_cast<uint64_t>(monomial.coefficient)
                                              : static_cast<uint64_t>(monomial.coefficient);
    if (magnitude != 1) text += fmt::format("{}*", magnitude);
    for (size_t i = 0; i < monomial.atoms.size(); ++i)
      text += (i ? "*" : "") + atom_text(table.atom(monomial.atoms[i]));
  }
  if (expression.constant != 0) {
    text += sign(expression.constant);
    text += std::to_string(std::abs(expression.constant));
  }
  return text;
}

}  // namespace glint
