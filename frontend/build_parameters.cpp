// Parameter lists of functions and lambdas, with the rules of their order.
//
//     def f(a, /, b=1, *rest, c, **more):
//           positional only, positional, the rest, keyword only, the other keywords

#include <fmt/format.h>

#include "frontend/build.h"

namespace glint::frontend {

using P = antlr::GlintParser;

namespace {

/// Takes the parameters one by one and keeps the rules of their order.
class ParameterList {
 public:
  using Kind = program::ParameterKind;
  Parameters made;

  /// Each gives a complaint, or nothing.
  const char* add_plain(Parameters::Item item) {
    if (seen_keywords_) return "arguments cannot follow var-keyword argument";
    item.kind = seen_star_ ? Kind::kKeywordOnly : Kind::kPositional;
    if (!seen_star_) {
      if (!item.default_value && seen_default_)
        return "non-default argument follows default argument";
      seen_default_ = seen_default_ || item.default_value;
    }
    bare_star_needs_name_ = false;
    made.items.push_back(std::move(item));
    return nullptr;
  }
  const char* add_slash() {
    if (seen_keywords_) return "arguments cannot follow var-keyword argument";
    if (made.items.empty()) return "at least one argument must precede /";
    if (seen_slash_) return "/ may appear only once";
    if (seen_star_) return "/ must be ahead of *";
    seen_slash_ = true;
    for (Parameters::Item& item : made.items) item.kind = Kind::kPositionalOnly;
    return nullptr;
  }
  const char* add_star(Parameters::Item* item) {
    if (seen_keywords_) return "arguments cannot follow var-keyword argument";
    if (seen_star_) return "* argument may appear only once";
    seen_star_ = true;
    bare_star_needs_name_ = item == nullptr;
    if (!item) return nullptr;
    item->kind = Kind::kStarArgs;
    made.items.push_back(std::move(*item));
    return nullptr;
  }
  const char* add_double_star(Parameters::Item item) {
    if (seen_keywords_) return "arguments cannot follow var-keyword argument";
    if (bare_star_needs_name_) return "named arguments must follow bare *";
    seen_keywords_ = true;
    item.kind = Kind::kStarKeywords;
    made.items.push_back(std::move(item));
    return nullptr;
  }
  const char* finish() const {
    return bare_star_needs_name_ ? "named arguments must follow bare *" : nullptr;
  }

 private:
  bool seen_slash_ = false;
  bool seen_star_ = false;
  bool seen_default_ = false;
  bool seen_keywords_ = false;
  bool bare_star_needs_name_ = false;
};

}  // namespace

Parameters TreeBuilder::build(P::ParametersContext* context) {
  ParameterList list;
  for (auto* parameter : context->parameter()) {
    Parameters::Item item;
    item.span = span(parameter);
    const char* complaint = nullptr;
    if (parameter->NAME()) {
      item.name = text(parameter->NAME());
      auto expressions = parameter->expression();
      size_t next = 0;
      if (parameter->COLON() && next < expressions.size())
        item.annotation = build(expressions[next++]);
      if (parameter->ASSIGN()) item.default_value = build(expressions[next]);
      item.span = join(span(parameter->NAME()),
                       item.annotation ? item.annotation->span : span(parameter->NAME()));
    }
    if (parameter->POW())
      complaint = list.add_double_star(std::move(item));
    else if (parameter->DIV())
      complaint = list.add_slash();
    else if (!parameter->MUL().empty())
      complaint = list.add_star(parameter->NAME() ? &item : nullptr);
    else
      complaint = list.add_plain(std::move(item));
    if (complaint) error(complaint, span(parameter));
  }
  if (const char* complaint = list.finish()) error(complaint, span(context->parameter().back()));
  return std::move(list.made);
}

Parameters TreeBuilder::build(P::LambdaParametersContext* context) {
  ParameterList list;
  for (auto* parameter : context->lambdaParameter()) {
    Parameters::Item item;
    item.span = span(parameter);
    if (parameter->NAME()) {
      item.name = text(parameter->NAME());
      item.span = span(parameter->NAME());
    }
    if (parameter->expression()) item.default_value = build(parameter->expression());
    const char* complaint = nullptr;
    if (parameter->POW())
      complaint = list.add_double_star(std::move(item));
    else if (parameter->DIV())
      complaint = list.add_slash();
    else if (parameter->MUL())
      complaint = list.add_star(parameter->NAME() ? &item : nullptr);
    else
      complaint = list.add_plain(std::move(item));
    if (complaint) error(complaint, span(parameter));
  }
  if (const char* complaint = list.finish())
    error(complaint, span(context->lambdaParameter().back()));
  return std::move(list.made);
}

}  // namespace glint::frontend
