// `match` statements and their patterns.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "frontend/build.h"
#include "frontend/literals.h"

namespace glint::frontend {

using P = antlr::GlintParser;
using antlr4::tree::TerminalNode;

namespace {

using Names = std::set<std::string>;

[[noreturn]] void refuse(std::string message, const Span& at) {
  throw SyntaxErrorException{{SyntaxErrorKind::kSyntax, std::move(message), at}};
}

void bind(const std::string& name, const Span& at, Names& names) {
  if (!name.empty() && !names.insert(name).second)
    refuse(fmt::format("multiple assignments to name '{}' in pattern", name), at);
}

/// Complains of a pattern that takes everything, though others follow.
void check_refutable(const Pattern& pattern) {
  if (const auto* either = std::get_if<OrPattern>(&pattern.node))
    return check_refutable(*either->alternatives.back());
  const auto* capture = std::get_if<CapturePattern>(&pattern.node);
  if (!capture) return;
  if (capture->pattern) return check_refutable(*capture->pattern);
  refuse(capture->name.empty()
             ? "wildcard makes remaining patterns unreachable"
             : fmt::format("name capture '{}' makes remaining patterns unreachable", capture->name),
         pattern.span);
}

/// The place where CPython is when it has compiled the pattern: at its last part.
Span last_part(const Pattern& pattern) {
  const auto* sequence = std::get_if<SequencePattern>(&pattern.node);
  if (sequence && !sequence->items.empty()) return last_part(*sequence->items.back());
  const auto* capture = std::get_if<CapturePattern>(&pattern.node);
  if (capture && capture->pattern) return last_part(*capture->pattern);
  const auto* cls = std::get_if<ClassPattern>(&pattern.node);
  if (cls && !cls->keyword_patterns.empty()) return last_part(*cls->keyword_patterns.back());
  if (cls && !cls->positional.empty()) return last_part(*cls->positional.back());
  const auto* mapping = std::get_if<MappingPattern>(&pattern.node);
  if (mapping && !mapping->values.empty()) return last_part(*mapping->values.back());
  return pattern.span;
}

/// Adds the names that a pattern binds; each once, and the same in all alternatives.
void check_captures(const Pattern& pattern, Names& names) {
  auto all = [&](const std::vector<std::unique_ptr<Pattern>>& parts) {
    for (const auto& part : parts) check_captures(*part, names);
  };
  if (auto* capture = std::get_if<CapturePattern>(&pattern.node)) {
    if (capture->pattern) check_captures(*capture->pattern, names);
    bind(capture->name, capture->pattern ? capture->pattern->span : pattern.span, names);
  } else if (auto* sequence = std::get_if<SequencePattern>(&pattern.node)) {
    all(sequence->items);
  } else if (auto* star = std::get_if<StarPattern>(&pattern.node)) {
    bind(star->name, pattern.span, names);
  } else if (auto* mapping = std::get_if<MappingPattern>(&pattern.node)) {
    all(mapping->values);
  } else if (auto* cls = std::get_if<ClassPattern>(&pattern.node)) {
    all(cls->positional);
    all(cls->keyword_patterns);
  } else if (auto* either = std::get_if<OrPattern>(&pattern.node)) {
    std::vector<Names> bound(either->alternatives.size());
    for (size_t i = 0; i < bound.size(); ++i) {
      const Pattern& alternative = *either->alternatives[i];
      if (i + 1 < bound.size()) check_refutable(alternative);
      check_captures(alternative, bound[i]);
      if (bound[i] != bound[0])
        refuse("alternative patterns bind different names", last_part(alternative));
    }
    for (const std::string& name : bound[0]) bind(name, pattern.span, names);
  }
}

}  // namespace

std::unique_ptr<Statement> TreeBuilder::build(P::MatchStatementContext* context) {
  Match made;
  auto subjects = context->subject()->starNamed();
  if (subjects.size() == 1 && context->subject()->COMMA().empty()) {
    made.subject = build(subjects[0]);
  } else {
    TupleDisplay tuple;
    for (auto* each : subjects) tuple.items.push_back(build(each));
    made.subject = make(span(context->subject()), std::move(tuple));
  }
  auto clauses = context->caseClause();
  for (size_t i = 0; i < clauses.size(); ++i) {
    MatchCase clause;
    clause.pattern = build(clauses[i]->patterns());
    if (clauses[i]->namedExpression()) clause.guard = build(clauses[i]->namedExpression());
    bool reaches_others = clause.guard || i + 1 == clauses.size();
    try {
      Names names;
      check_captures(*clause.pattern, names);
      if (!reaches_others) check_refutable(*clause.pattern);
    } catch (SyntaxErrorException& exception) {
      late_error(std::move(exception.error.message), exception.error.span);
    }
    clause.body = build(clauses[i]->block());
    made.cases.push_back(std::move(clause));
  }
  return statement(span(context), std::move(made));
}

std::unique_ptr<Pattern> TreeBuilder::build(P::PatternsContext* context) {
  auto items = context->starPattern();
  bool single = items.size() == 1 && context->COMMA().empty();
  if (single && items[0]->MUL()) error("invalid syntax", span(items[0]));
  if (single) return build(items[0]);
  SequencePattern sequence;
  for (auto* item : items) sequence.items.push_back(build(item));
  return pattern(span(context), std::move(sequence));
}

std::unique_ptr<Pattern> TreeBuilder::build(P::StarPatternContext* context) {
  if (!context->MUL()) return build(context->asPattern());
  std::string name = text(context->NAME());
  return pattern(span(context), StarPattern{name == "_" ? "" : name});
}

std::unique_ptr<Pattern> TreeBuilder::build(P::AsPatternContext* context) {
  std::unique_ptr<Pattern> inner = build(context->orPattern());
  if (!context->AS()) return inner;
  std::string name = text(context->NAME());
  if (name == "_") error("cannot use '_' as a target", span(context->NAME()));
  return pattern(span(context), CapturePattern{std::move(name), std::move(inner)});
}

std::unique_ptr<Pattern> TreeBuilder::build(P::OrPatternContext* context) {
  auto items = context->closedPattern();
  if (items.size() == 1) return build(items[0]);
  OrPattern alternatives;
  for (auto* item : items) alternatives.alternatives.push_back(build(item));
  return pattern(span(context), std::move(alternatives));
}

ExpressionPtr TreeBuilder::build(P::PatternNumberContext* context) {
  if (context->NUMBER().size() > 1) {
    auto imaginary = [&](size_t i) {
      return std::string_view("jJ").find(text(context->NUMBER(i)).back()) != std::string_view::npos;
    };
    if (imaginary(0)) error("real number required in complex literal", span(context->NUMBER(0)));
    if (!imaginary(1))
      error("imaginary number required in complex literal", span(context->NUMBER(1)));
  }
  ExpressionPtr value = build_number(context->NUMBER(0));
  const bool complex = context->NUMBER().size() > 1;
  const bool negative = context->SUB().size() > (complex && !context->ADD() ? 1 : 0);
  if (negative) value = make(span(context), Unary{UnaryOperator::kNegative, std::move(value)});
  if (!complex) return value;
  const BinaryOperator op = context->ADD() ? BinaryOperator::kAdd : BinaryOperator::kSubtract;
  return make(span(context), Binary{op, std::move(value), build_number(context->NUMBER(1))});
}

ExpressionPtr TreeBuilder::dotted(const std::vector<TerminalNode*>& names) {
  ExpressionPtr value = make(span(names[0]), Name{text(names[0])});
  for (size_t i = 1; i < names.size(); ++i) {
    Span at = join(value->span, span(names[i]));
    value = make(at, Attribute{std::move(value), text(names[i])});
  }
  return value;
}

std::unique_ptr<Pattern> TreeBuilder::build(P::ClosedPatternContext* context) {
  Span at = span(context);
  auto sequence = [&](const std::vector<P::StarPatternContext*>& items) {
    SequencePattern made;
    for (auto* item : items) made.items.push_back(build(item));
    return pattern(at, std::move(made));
  };
  if (auto* number = dynamic_cast<P::NumberPatternContext*>(context)) {
    return pattern(at, ValuePattern{build(number->patternNumber())});
  }
  if (auto* strings = dynamic_cast<P::StringPatternContext*>(context)) {
    ExpressionPtr value = build_strings(strings->getStart()->getTokenIndex(),
                                        strings->getStop()->getTokenIndex() + 1);
    if (value->get_if<JoinedString>())
      error("patterns may only match literals and attribute lookups", at);
    return pattern(at, ValuePattern{std::move(value)});
  }
  if (auto* constant = dynamic_cast<P::ConstantPatternContext*>(context)) {
    Constant value{constant->NONE() ? program::Constant{program::None{}}
                                    : program::Constant{constant->TRUE() != nullptr}};
    return pattern(at, ValuePattern{make(at, std::move(value)), true});
  }
  if (auto* name = dynamic_cast<P::NamePatternContext*>(context)) {
    std::string captured = text(name->NAME());
    return pattern(at, CapturePattern{captured == "_" ? "" : captured, nullptr});
  }
  if (auto* value = dynamic_cast<P::ValuePatternContext*>(context)) {
    if (text(value->NAME(0)) == "_") error("invalid syntax", at);
    return pattern(at, ValuePattern{dotted(value->NAME())});
  }
  if (auto* cls = dynamic_cast<P::ClassPatternContext*>(context)) return build_class_pattern(cls);
  if (auto* group = dynamic_cast<P::GroupPatternContext*>(context))
    return build(group->asPattern());
  if (auto* tuple = dynamic_cast<P::TuplePatternContext*>(context))
    return sequence(tuple->starPattern());
  if (auto* list = dynamic_cast<P::ListPatternContext*>(context))
    return sequence(list->starPattern());
  return build_mapping(static_cast<P::MappingPatternContext*>(context));
}

std::unique_ptr<Pattern> TreeBuilder::build_class_pattern(P::ClassPatternContext* context) {
  ClassPattern made;
  made.cls = dotted(context->NAME());
  if (auto* arguments = context->patternArguments()) {
    for (auto* argument : arguments->patternArgument()) {
      if (argument->ASSIGN()) {
        std::string keyword = text(argument->NAME());
        bool repeated = std::count(made.keywords.begin(), made.keywords.end(), keyword) > 0;
        made.keywords.push_back(keyword);
        made.keyword_patterns.push_back(build(argument->asPattern()));
        if (repeated) {
          refuse(fmt::format("attribute name repeated in class pattern: {}", keyword),
                 made.keyword_patterns.back()->span);
        }
        continue;
      }
      if (!made.keywords.empty())
        error("positional patterns follow keyword patterns", span(argument));
      made.positional.push_back(build(argument->asPattern()));
    }
  }
  return pattern(span(context), std::move(made));
}

std::unique_ptr<Pattern> TreeBuilder::build_mapping(P::MappingPatternContext* context) {
  MappingPattern made;
  for (auto* entry : context->mappingEntry()) {
    if (made.rest) error("invalid syntax", span(entry));
    if (entry->POW()) {
      made.rest = text(entry->NAME());
      if (*made.rest == "_") error("invalid syntax", span(entry));
      continue;
    }
    P::MappingKeyContext* key = entry->mappingKey();
    Span at = span(key);
    if (key->patternNumber())
      made.keys.push_back(build(key->patternNumber()));
    else if (!key->STRING().empty())
      made.keys.push_back(
          build_strings(key->getStart()->getTokenIndex(), key->getStop()->getTokenIndex() + 1));
    else if (!key->NAME().empty())
      made.keys.push_back(dotted(key->NAME()));
    else if (key->NONE())
      made.keys.push_back(make(at, Constant{{program::None{}}}));
    else
      made.keys.push_back(make(at, Constant{{key->TRUE() != nullptr}}));
    const auto* constant = made.keys.back()->get_if<Constant>();
    for (size_t i = 0; constant && i + 1 < made.keys.size(); ++i) {
      const auto* other = made.keys[i]->get_if<Constant>();
      if (other && other->value == constant->value)
        late_error(fmt::format("mapping pattern checks duplicate key ({})",
                               program::text_of(constant->value)),
                   span(context));
    }
    made.values.push_back(build(entry->asPattern()));
  }
  return pattern(span(context), std::move(made));
}

}  // namespace glint::frontend
