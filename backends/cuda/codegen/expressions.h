// Expressions of C++ as a graph, and the lines that compute one of them.
//
//     Expressions e;
//     auto x = e.name("x", "float");
//     auto square = e.binary("*", Precedence::kProduct, "float", x, x);
//     auto sum = e.binary("+", Precedence::kSum, "float", square, square);
//     e.text(sum, lines)      // lines: `const float t0 = x * x;`   the text: `t0 + t0`
//
// Equal expressions are one node. What is used once stands where it is used; what is used more
// often, or would make its line too long, gets a name and a line of its own.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace glint::cuda {

/// How tightly an expression holds together, loosest first.
enum class Precedence : uint8_t {
  kChoice,
  kOr,
  kAnd,
  kBits,
  kEquality,
  kOrder,
  kShift,
  kSum,
  kProduct,
  kSign,
  kWhole,
};

class Expressions {
 public:
  enum class Id : uint32_t {};

  /// A name or a literal, whose text stands wherever it is used.
  Id name(std::string_view text, std::string_view type);
  Id binary(std::string_view sign, Precedence precedence, std::string_view type, Id x, Id y);
  Id sign(std::string_view sign, std::string_view type, Id x);
  /// `function(x, y, ...)`; the function's text may be a conversion, `(double)`, which has no
  /// parentheses around its operand where that needs none.
  Id call(std::string_view function, std::string_view type, std::vector<Id> operands);
  /// A call that takes long: it is made only where a choice takes its value, so never in a line
  /// before that.
  Id slow_call(std::string_view function, std::string_view type, std::vector<Id> operands);
  Id choice(std::string_view type, Id condition, Id x, Id y);
  Id element(std::string_view table, std::string_view type, Id index);

  /// How many nodes other than names the expression is made of.
  size_t size_of(Id root) const;
  /// The expression's text; what has to stand before it is appended to `lines`.
  std::string text(Id root, std::vector<std::string>& lines);

 private:
  enum class Form : uint8_t { kName, kBinary, kSign, kCall, kChoice, kElement };
  struct Node {
    Form form;
    Precedence precedence;
    std::string text;  ///< of a name, an operator, a function
    std::string type;
    std::vector<Id> operands;
    bool is_slow = false;  ///< makes a slow call, whatever is chosen inside of it
  };
  static constexpr size_t kWidest = 84;  ///< of a line, without what stands before it

  Id add(Node node);
  const Node& node(Id id) const { return nodes_[static_cast<size_t>(id)]; }
  std::vector<size_t> uses_of(Id root) const;
  std::string render(Id id) const;
  std::string operand(Id id, Precedence least) const;
  std::string fitting(Id id, std::vector<std::string>& lines);
  void give_name(Id id, const std::string& text, std::vector<std::string>& lines);

  std::vector<Node> nodes_;
  std::map<std::string, Id> known_;
  std::map<Id, std::string> names_;  ///< of nodes that have a line of their own
};

}  // namespace glint::cuda
