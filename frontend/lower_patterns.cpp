// `match`: each case a chain of tests that jump to the next case, then its captures, guard and
// body.
//
//     case [x, *rest] if x > 0:      match_sequence, unpack, captures, guard, body
//
// Names are bound when the whole pattern has matched, as CPython does it: until then a captured
// value is in a temporary.

#include "frontend/lower.h"

namespace glint::frontend {

void FunctionLowering::visit(const Match& node, Span at) {
  Operand subject = Operand::in_register(lower_to_temporary(*node.subject));
  Label end = b_.new_label();
  for (const MatchCase& each : node.cases) {
    Label next = b_.new_label();
    Captures captures;
    lower_pattern(*each.pattern, subject, next, captures);
    for (const auto& [name, index] : captures) {
      store_name(name, Operand::in_register(index), each.pattern->span);
      b_.release(index);
    }
    Span place = each.pattern->span;
    if (each.guard) jump_if(*each.guard, false, next, place);
    block(each.body);
    b_.jump(Opcode::kJump, at, {}, end);
    b_.place(next);
  }
  release(subject);
  b_.place(end);
}

void FunctionLowering::capture(const std::string& name, Operand subject, Span at,
                               Captures& captures) {
  auto [found, added] = captures.try_emplace(name, 0);
  if (added) found->second = b_.temporary();
  b_.emit(Opcode::kMove, at, {subject}, 0, {}, found->second);
}

void FunctionLowering::lower_pattern(const Pattern& pattern, Operand subject, Label fail,
                                     Captures& captures) {
  Span at = pattern.span;
  if (const auto* value = std::get_if<ValuePattern>(&pattern.node)) {
    Operand expected = lower(value->value);
    release(expected);
    Operand equal =
        b_.emit(value->by_identity ? Opcode::kIs : Opcode::kEqual, at, {subject, expected});
    b_.jump(Opcode::kJumpIfFalse, at, {equal}, fail);
    return release(equal);
  }
  if (const auto* captured = std::get_if<CapturePattern>(&pattern.node)) {
    if (captured->pattern) lower_pattern(*captured->pattern, subject, fail, captures);
    if (!captured->name.empty()) capture(captured->name, subject, at, captures);
    return;
  }
  if (const auto* sequence = std::get_if<SequencePattern>(&pattern.node)) {
    return sequence_pattern(*sequence, at, subject, fail, captures);
  }
  if (const auto* mapping = std::get_if<MappingPattern>(&pattern.node)) {
    return mapping_pattern(*mapping, at, subject, fail, captures);
  }
  if (const auto* cls = std::get_if<ClassPattern>(&pattern.node)) {
    return class_pattern(*cls, at, subject, fail, captures);
  }
  if (const auto* alternatives = std::get_if<OrPattern>(&pattern.node)) {
    Label matched = b_.new_label();
    for (size_t i = 0; i < alternatives->alternatives.size(); ++i) {
      bool last = i + 1 == alternatives->alternatives.size();
      Label next = last ? fail : b_.new_label();
      lower_pattern(*alternatives->alternatives[i], subject, next, captures);
      if (last) break;
      b_.jump(Opcode::kJump, at, {}, matched);
      b_.place(next);
    }
    return b_.place(matched);
  }
  throw SyntaxErrorException{{SyntaxErrorKind::kSyntax, "can't use starred pattern here", at}};
}

void FunctionLowering::sequence_pattern(const SequencePattern& node, Span at, Operand subject,
                                        Label fail, Captures& captures) {
  std::optional<size_t> star;
  for (size_t i = 0; i < node.items.size(); ++i) {
    if (!std::get_if<StarPattern>(&node.items[i]->node)) continue;
    if (star) {
      throw SyntaxErrorException{
          {SyntaxErrorKind::kSyntax, "multiple starred names in sequence pattern", at}};
    }
    star = i;
  }
  auto length = static_cast<uint32_t>(node.items.size() - (star ? 1 : 0));
  Operand fits = b_.emit(Opcode::kMatchSequence, at, {subject}, length * 2 + (star ? 1 : 0));
  b_.jump(Opcode::kJumpIfFalse, at, {fits}, fail);
  release(fits);
  if (node.items.empty()) return;
  std::vector<Operand> parts;
  for (size_t i = 0; i < node.items.size(); ++i)
    parts.push_back(Operand::in_register(b_.temporary()));
  if (star)
    b_.emit_plain(Opcode::kUnpackStar, at, {subject}, static_cast<uint32_t>(*star), parts);
  else
    b_.emit_plain(Opcode::kUnpack, at, {subject}, 0, parts);
  for (size_t i = 0; i < node.items.size(); ++i) {
    if (const auto* rest = std::get_if<StarPattern>(&node.items[i]->node)) {
      if (!rest->name.empty()) capture(rest->name, parts[i], at, captures);
    } else {
      lower_pattern(*node.items[i], parts[i], fail, captures);
    }
  }
  release(parts);
}

void FunctionLowering::mapping_pattern(const MappingPattern& node, Span at, Operand subject,
                                       Label fail, Captures& captures) {
  Operand fits = b_.emit(Opcode::kMatchMapping, at, {subject});
  b_.jump(Opcode::kJumpIfFalse, at, {fits}, fail);
  release(fits);
  std::vector<Operand> keys;
  for (size_t i = 0; i < node.keys.size(); ++i) {
    keys.push_back(lower_kept(*node.keys[i]));
    uint32_t value = b_.temporary();
    b_.jump(Opcode::kMatchKey, node.keys[i]->span, {subject, keys.back()}, fail, value);
    lower_pattern(*node.values[i], Operand::in_register(value), fail, captures);
    b_.release(value);
  }
  if (node.rest) {
    Operand rest = b_.emit(Opcode::kDict, at, {});
    b_.emit_plain(Opcode::kDictUpdate, at, {rest, subject});
    for (Operand key : keys) b_.emit_plain(Opcode::kDeleteItem, at, {rest, key});
    capture(*node.rest, rest, at, captures);
    release(rest);
  }
  release(keys);
}

void FunctionLowering::class_pattern(const ClassPattern& node, Span at, Operand subject, Label fail,
                                     Captures& captures) {
  Operand cls = lower(node.cls);
  std::vector<Operand> positional(node.positional.size(), none());
  std::vector<std::pair<std::string, Operand>> keywords;
  for (const std::string& keyword : node.keywords) keywords.emplace_back(keyword, none());
  Operand found = b_.emit_call(Opcode::kMatchClass, at, {subject, cls}, positional, keywords);
  b_.set_target(fail);
  release(cls);
  size_t count = node.positional.size() + node.keyword_patterns.size();
  if (count == 0) return release(found);
  std::vector<Operand> parts;
  for (size_t i = 0; i < count; ++i) parts.push_back(Operand::in_register(b_.temporary()));
  b_.emit_plain(Opcode::kUnpack, at, {found}, 0, parts);
  release(found);
  for (size_t i = 0; i < count; ++i) {
    bool keyword = i >= node.positional.size();
    const auto& part =
        keyword ? node.keyword_patterns[i - node.positional.size()] : node.positional[i];
    lower_pattern(*part, parts[i], fail, captures);
  }
  release(parts);
}

}  // namespace glint::frontend
