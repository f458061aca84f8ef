#include "backends/cuda/codegen/expressions.h"

#include <fmt/format.h>

#include <span>

namespace glint::cuda {

namespace {

Precedence tighter(Precedence precedence) {
  return static_cast<Precedence>(static_cast<int>(precedence) + 1);
}

}  // namespace

Expressions::Id Expressions::add(Node node) {
  const size_t always = node.form == Form::kChoice ? 1 : node.operands.size();  // its condition
  for (const Id operand : std::span(node.operands).first(always))
    node.is_slow |= this->node(operand).is_slow;
  std::string key = fmt::format("{} {} {}", static_cast<int>(node.form), node.type, node.text);
  for (const Id operand : node.operands) key += fmt::format(" {}", static_cast<uint32_t>(operand));
  const auto [found, added] = known_.try_emplace(std::move(key), static_cast<Id>(nodes_.size()));
  if (added) nodes_.push_back(std::move(node));
  return found->second;
}

Expressions::Id Expressions::name(std::string_view text, std::string_view type) {
  const auto precedence = text.starts_with('-') ? Precedence::kSign : Precedence::kWhole;
  return add({Form::kName, precedence, std::string(text), std::string(type), {}});
}

Expressions::Id Expressions::binary(std::string_view sign, Precedence precedence,
                                    std::string_view type, Id x, Id y) {
  return add({Form::kBinary, precedence, std::string(sign), std::string(type), {x, y}});
}

Expressions::Id Expressions::sign(std::string_view sign, std::string_view type, Id x) {
  return add({Form::kSign, Precedence::kSign, std::string(sign), std::string(type), {x}});
}

Expressions::Id Expressions::call(std::string_view function, std::string_view type,
                                  std::vector<Id> operands) {
  const bool converts = function.starts_with('(');
  return add({Form::kCall, converts ? Precedence::kSign : Precedence::kWhole, std::string(function),
              std::string(type), std::move(operands)});
}

Expressions::Id Expressions::slow_call(std::string_view function, std::string_view type,
                                       std::vector<Id> operands) {
  return add({.form = Form::kCall,
              .precedence = Precedence::kWhole,
              .text = std::string(function),
              .type = std::string(type),
              .operands = std::move(operands),
              .is_slow = true});
}

Expressions::Id Expressions::choice(std::string_view type, Id condition, Id x, Id y) {
  return add({Form::kChoice, Precedence::kChoice, "?", std::string(type), {condition, x, y}});
}

Expressions::Id Expressions::element(std::string_view table, std::string_view type, Id index) {
  return add({Form::kElement, Precedence::kWhole, std::string(table), std::string(type), {index}});
}

/// How often each node is an operand, among those that the root needs.
std::vector<size_t> Expressions::uses_of(Id root) const {
  std::vector<size_t> uses(static_cast<size_t>(root) + 1, 0);
  uses.back() = 1;
  for (size_t i = uses.size(); i-- > 0;) {
    if (uses[i] == 0) continue;
    for (const Id operand : nodes_[i].operands) ++uses[static_cast<size_t>(operand)];
  }
  return uses;
}

size_t Expressions::size_of(Id root) const {
  const std::vector<size_t> uses = uses_of(root);
  size_t count = 0;
  for (size_t i = 0; i < uses.size(); ++i) count += uses[i] > 0 && nodes_[i].form != Form::kName;
  return count;
}

std::string Expressions::operand(Id id, Precedence least) const {
  std::string text = render(id);
  if (names_.contains(id) || node(id).precedence >= least) return text;
  return "(" + text + ")";
}

std::string Expressions::render(Id id) const {
  if (const auto named = names_.find(id); named != names_.end()) return named->second;
  const Node& at = node(id);
  switch (at.form) {
    case Form::kName:
      return at.text;
    case Form::kSign:
      return at.text + operand(at.operands[0], Precedence::kWhole);
    case Form::kChoice:
      return fmt::format("{} ? {} : {}", operand(at.operands[0], Precedence::kOr),
                         operand(at.operands[1], Precedence::kOr),
                         operand(at.operands[2], Precedence::kChoice));
    case Form::kElement:
      return fmt::format("{}[{}]", at.text, render(at.operands[0]));
    case Form::kBinary: {
      // Bits and shifts bind in ways that few know by heart.
      const bool plain = at.precedence != Precedence::kShift && at.precedence != Precedence::kBits;
      const Precedence left = plain ? at.precedence : Precedence::kSign;
      return fmt::format("{} {} {}", operand(at.operands[0], left), at.text,
                         operand(at.operands[1], plain ? tighter(left) : left));
    }
    case Form::kCall:
      break;
  }
  if (at.text.starts_with('(')) return at.text + operand(at.operands[0], Precedence::kSign);
  std::string arguments;
  for (const Id each : at.operands) arguments += (arguments.empty() ? "" : ", ") + render(each);
  return at.text + "(" + arguments + ")";
}

void Expressions::give_name(Id id, const std::string& text, std::vector<std::string>& lines) {
  std::string name = fmt::format("t{}", names_.size());
  lines.push_back(fmt::format("const {} {} = {};", node(id).type, name, text));
  names_.emplace(id, std::move(name));
}

/// The text of a node, the longest of its operands named until it fits a line.
std::string Expressions::fitting(Id id, std::vector<std::string>& lines) {
  for (;;) {
    std::string text = render(id);
    if (text.size() <= kWidest) return text;
    const Id* longest = nullptr;
    size_t most = 12;  // a shorter one is not worth a line
    for (const Id& each : node(id).operands) {
      if (node(id).form == Form::kChoice && node(each).is_slow) continue;
      const size_t length = names_.contains(each) ? 0 : render(each).size();
      if (node(each).form == Form::kName || length <= most) continue;
      longest = &each;
      most = length;
    }
    if (longest == nullptr) return text;
    give_name(*longest, fitting(*longest, lines), lines);
  }
}

std::string Expressions::text(Id root, std::vector<std::string>& lines) {
  const std::vector<size_t> uses = uses_of(root);
  for (size_t i = 0; i + 1 < uses.size(); ++i) {
    const auto id = static_cast<Id>(i);
    if (uses[i] < 2 || nodes_[i].form == Form::kName || names_.contains(id)) continue;
    give_name(id, fitting(id, lines), lines);
  }
  return fitting(root, lines);
}

}  // namespace glint::cuda
