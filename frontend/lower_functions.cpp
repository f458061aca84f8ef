// Functions, lambdas, classes and comprehensions: code objects of their own.

#include <fmt/format.h>

#include <algorithm>

#include "core/support/check.h"
#include "frontend/annotation_text.h"
#include "frontend/lower.h"
#include "ir/bound_checks.h"

namespace glint::frontend {

using program::CodeKind;
using program::kNoRegister;

FunctionLowering::FunctionLowering(LoweringContext& context, const Scope& scope,
                                   FunctionLowering* outer, CodeKind kind,
                                   std::string qualified_name, Span span)
    : context_(context),
      scope_(scope),
      outer_(outer),
      b_(scope.name, std::move(qualified_name), kind, span) {
  if (outer) class_name_ = outer->class_name_;
  if (kind == CodeKind::kClassBody) class_name_ = scope.name;
  b_.code().is_generator = scope.is_generator;
}

std::string FunctionLowering::inner_name(const std::string& name) const {
  const program::Code& code = b_.code();
  if (code.kind == CodeKind::kModule) return name;
  if (code.kind == CodeKind::kClassBody) return code.qualified_name + "." + name;
  auto declared = scope_.names.find(name);
  if (declared != scope_.names.end() && declared->second.declared_global) return name;
  return code.qualified_name + ".<locals>." + name;
}

void FunctionLowering::declare_parameters(const Parameters& parameters) {
  for (const Parameters::Item& item : parameters.items) {
    std::string name = mangled(item.name);
    b_.code().parameters.push_back({name, item.kind, item.default_value != nullptr, {}, item.span});
    registers_[name] = b_.add_local(name);
  }
}

void FunctionLowering::declare_locals() {
  for (const std::string& name : scope_.order) {
    const NameUse& use = scope_.names.at(name);
    if (use.storage != Storage::kRegister || registers_.contains(name)) continue;
    registers_[name] = b_.add_local(name);
  }
  for (const std::string& name : scope_.own_cells) {
    auto found = registers_.find(name);
    uint32_t parameter = found == registers_.end() ? kNoRegister : found->second;
    b_.code().cells.push_back({name, false, 0, parameter});
    cell_names_.push_back(name);
  }
  for (const std::string& name : scope_.free_cells) {
    check(outer_ != nullptr, "a module with free variables");
    b_.code().cells.push_back({name, true, outer_->cell_index(name), kNoRegister});
    cell_names_.push_back(name);
  }
  for (uint32_t i = 0; i < scope_.own_cells.size(); ++i) {
    uint32_t parameter = b_.code().cells[i].parameter;
    Operand value = parameter == kNoRegister ? Operand() : Operand::in_register(parameter);
    b_.emit_plain(Opcode::kMakeCell, b_.code().span, {value}, i);
  }
}

std::shared_ptr<const program::Code> FunctionLowering::finish() {
  program::remove_bound_checks(b_.patch());
  std::shared_ptr<const program::Code> code = b_.finish();
  if (auto fault = program::verify(*code)) fail("lowering broke a rule of Program IR: " + *fault);
  return code;
}

namespace {

const std::string* docstring(const Block& body) {
  if (body.empty()) return nullptr;
  const auto* statement = std::get_if<ExpressionStatement>(&body[0]->node);
  const auto* constant = statement ? statement->value->get_if<Constant>() : nullptr;
  return constant ? std::get_if<std::string>(&constant->value.value) : nullptr;
}

/// The last statement of a cell, if it is an expression that no semicolon ends.
const ExpressionStatement* shown_at_end(const Block& body, std::string_view text) {
  if (body.empty()) return nullptr;
  const Span& last = body.back()->span;
  for (uint32_t line = 1; line < last.end_line; ++line)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  std::string_view rest = text.substr(0, text.find('\n'));
  rest.remove_prefix(std::min<size_t>(rest.size(), last.end_column));
  size_t behind = rest.find_first_not_of(" \t)");
  bool ended = behind != std::string_view::npos && rest[behind] == ';';
  return ended ? nullptr : std::get_if<ExpressionStatement>(&body.back()->node);
}

}  // namespace

std::shared_ptr<const program::Code> FunctionLowering::module(const Module& tree, Span whole) {
  declare_locals();
  if (context_.mode == Mode::kFile) {
    if (const std::string* doc = docstring(tree.body)) {
      b_.code().doc = *doc;
      b_.code().has_doc = true;
      b_.emit_plain(Opcode::kSetGlobal, whole, {text_constant(*doc)}, b_.name("__doc__"));
    }
  }
  if (has_annotations(tree.body)) {
    Operand dict = b_.emit(Opcode::kDict, whole, {});
    b_.emit_plain(Opcode::kSetGlobal, whole, {dict}, b_.name("__annotations__"));
    release(dict);
  }
  if (context_.mode == Mode::kCell) context_.echoed = shown_at_end(tree.body, context_.text);
  block(tree.body);
  b_.emit_plain(Opcode::kReturn, whole, {none()});
  return finish();
}

std::shared_ptr<const program::Code> FunctionLowering::function(const Parameters& parameters,
                                                                const Block& body) {
  declare_parameters(parameters);
  declare_locals();
  if (const std::string* doc = docstring(body)) {
    b_.code().doc = *doc;
    b_.code().has_doc = true;
  }
  block(body);
  b_.emit_plain(Opcode::kReturn, body.back()->span, {none()});
  return finish();
}

std::shared_ptr<const program::Code> FunctionLowering::lambda(const Lambda& node) {
  declare_parameters(node.parameters);
  declare_locals();
  Operand value = lower(node.body);
  b_.emit_plain(Opcode::kReturn, node.body->span, {value});
  return finish();
}

std::shared_ptr<const program::Code> FunctionLowering::class_body(const ClassDefinition& node,
                                                                  Span at) {
  declare_locals();
  Operand module = b_.emit(Opcode::kGlobal, at, {}, b_.name("__name__"));
  b_.emit_plain(Opcode::kSetName, at, {module}, b_.name("__module__"));
  release(module);
  b_.emit_plain(Opcode::kSetName, at, {text_constant(b_.code().qualified_name)},
                b_.name("__qualname__"));
  if (const std::string* doc = docstring(node.body)) {
    b_.code().doc = *doc;
    b_.code().has_doc = true;
    b_.emit_plain(Opcode::kSetName, at, {text_constant(*doc)}, b_.name("__doc__"));
  }
  if (has_annotations(node.body)) {
    Operand dict = b_.emit(Opcode::kDict, at, {});
    b_.emit_plain(Opcode::kSetName, at, {dict}, b_.name("__annotations__"));
    release(dict);
  }
  block(node.body);
  b_.emit_plain(Opcode::kReturn, at, {none()});
  return finish();
}

// ---- making them -------------------------------------------------------------------------------

Operand FunctionLowering::make_function(const MakeCode& make_code, const Parameters& parameters,
                                        const Expression* returns, Span at, uint32_t into) {
  using Kind = program::ParameterKind;
  std::vector<Operand> defaults;
  std::vector<Operand> keyword_defaults;
  std::vector<Operand> annotations;
  for (const Parameters::Item& item : parameters.items) {
    if (!item.default_value) continue;
    Operand value = lower_kept(*item.default_value);
    if (item.kind == Kind::kKeywordOnly) {
      keyword_defaults.push_back(text_constant(mangled(item.name)));
      keyword_defaults.push_back(value);
    } else {
      defaults.push_back(value);
    }
  }
  auto annotate = [&](const std::string& name, const Expression& annotation) {
    annotations.push_back(text_constant(name));
    annotations.push_back(context_.lazy_annotations
                              ? text_constant(annotation_text(context_.text, annotation.span))
                              : lower_kept(annotation));
  };
  for (const Parameters::Item& item : parameters.items) {
    if (item.annotation) annotate(mangled(item.name), *item.annotation);
  }
  if (returns) annotate("return", *returns);
  auto collect = [&](Opcode opcode, std::vector<Operand>& parts) {
    if (parts.empty()) return Operand();
    release(parts);
    return b_.emit(opcode, at, {}, 0, parts);
  };
  Operand tuple = collect(Opcode::kTuple, defaults);
  Operand dict = collect(Opcode::kDict, keyword_defaults);
  Operand notes = collect(Opcode::kDict, annotations);
  uint32_t code = add_inner(make_code());
  Operand result = b_.emit(Opcode::kFunction, at, {tuple, dict, notes}, code, {}, into);
  for (Operand part : {tuple, dict, notes}) {
    if (!part.none()) release(part);
  }
  return result;
}

Operand FunctionLowering::lower_node(const Lambda& node, Span at, uint32_t into) {
  const Scope& scope = *context_.scopes.by_node.at(&node);
  FunctionLowering inner(context_, scope, this, CodeKind::kLambda, inner_name("<lambda>"), at);
  return make_function([&] { return inner.lambda(node); }, node.parameters, nullptr, at, into);
}

void FunctionLowering::bind_decorated(const std::string& name, const Expressions& nodes,
                                      const std::vector<Operand>& decorators, Operand value,
                                      Span at) {
  for (size_t i = decorators.size(); i-- > 0;) {
    release(value);
    release(decorators[i]);
    value = b_.emit_call(Opcode::kCall, nodes[i]->span, {decorators[i]}, {value}, {});
  }
  store_name(name, value, at);
  release(value);
}

void FunctionLowering::visit(const FunctionDefinition& node, Span at) {
  std::vector<Operand> decorators;
  for (const ExpressionPtr& each : node.decorators) decorators.push_back(lower_kept(*each));
  const Scope& scope = *context_.scopes.by_node.at(&node);
  FunctionLowering inner(context_, scope, this, CodeKind::kFunction, inner_name(node.name), at);
  auto make_code = [&] { return inner.function(node.parameters, node.body); };
  Operand value =
      make_function(make_code, node.parameters, node.return_annotation.get(), at, kNoRegister);
  bind_decorated(node.name, node.decorators, decorators, value, at);
}

void FunctionLowering::visit(const ClassDefinition& node, Span at) {
  std::vector<Operand> decorators;
  for (const ExpressionPtr& each : node.decorators) decorators.push_back(lower_kept(*each));
  const Scope& scope = *context_.scopes.by_node.at(&node);
  FunctionLowering inner(context_, scope, this, CodeKind::kClassBody, inner_name(node.name), at);
  uint32_t code = add_inner(inner.class_body(node, at));
  std::vector<Operand> bases;
  std::vector<std::pair<std::string, Operand>> keywords;
  for (const Argument& argument : node.arguments) {
    if (argument.kind == Argument::Kind::kStar || argument.kind == Argument::Kind::kDoubleStar) {
      throw SyntaxErrorException{
          {SyntaxErrorKind::kSyntax,
           "unpacking in the list of base classes is not part of the language; "
           "name the base class",
           argument.span}};
    }
    Operand value = lower_kept(*argument.value);
    if (argument.kind == Argument::Kind::kKeyword)
      keywords.emplace_back(argument.keyword, value);
    else
      bases.push_back(value);
  }
  release(bases);
  for (auto& [keyword, value] : keywords) release(value);
  Operand value = b_.emit_call(Opcode::kClass, at, {text_constant(node.name), Operand()}, bases,
                               keywords, code);
  bind_decorated(node.name, node.decorators, decorators, value, at);
}

// ---- comprehensions ----------------------------------------------------------------------------

Operand FunctionLowering::lower_node(const Comprehension& node, Span at, uint32_t into) {
  const Scope& scope = *context_.scopes.by_node.at(&node);
  FunctionLowering inner(context_, scope, this, CodeKind::kComprehension, inner_name(scope.name),
                         at);
  uint32_t code = add_inner(inner.comprehension(node, at));
  Operand iterable = lower(node.clauses[0].iterable);
  release(iterable);
  Operand iterator = b_.emit(Opcode::kIterator, at, {iterable});
  Operand function = b_.emit(Opcode::kFunction, at, {Operand(), Operand(), Operand()}, code);
  release(function);
  release(iterator);
  return b_.emit_call(Opcode::kCall, at, {function}, {iterator}, {}, 0, into);
}

std::shared_ptr<const program::Code> FunctionLowering::comprehension(const Comprehension& node,
                                                                     Span at) {
  b_.code().parameters.push_back({".0", program::ParameterKind::kPositionalOnly, false, {}, at});
  registers_[".0"] = b_.add_local(".0");
  declare_locals();
  Operand result;
  switch (node.kind) {
    case ComprehensionKind::kList:
      result = b_.emit(Opcode::kList, at, {});
      break;
    case ComprehensionKind::kSet:
      result = b_.emit(Opcode::kSet, at, {});
      break;
    case ComprehensionKind::kDict:
      result = b_.emit(Opcode::kDict, at, {});
      break;
    case ComprehensionKind::kGenerator:
      break;
  }
  comprehension_loop(node, 0, result, Operand::in_register(registers_[".0"]), at);
  b_.emit_plain(Opcode::kReturn, at, {result.none() ? none() : result});
  return finish();
}

void FunctionLowering::comprehension_loop(const Comprehension& node, size_t index, Operand result,
                                          Operand iterator, Span at) {
  if (index == node.clauses.size()) {
    if (node.kind == ComprehensionKind::kDict) {
      Operand key = lower_kept(*node.element);
      Operand value = lower(node.value);
      b_.emit_plain(Opcode::kDictInsert, at, {result, key, value});
      release(key);
      return release(value);
    }
    Operand value = lower(node.element);
    if (node.kind == ComprehensionKind::kList) {
      b_.emit_plain(Opcode::kListAppend, at, {result, value});
    } else if (node.kind == ComprehensionKind::kSet) {
      b_.emit_plain(Opcode::kSetAdd, at, {result, value});
    } else {
      release(b_.emit(Opcode::kYield, at, {value}));
    }
    return release(value);
  }
  const ComprehensionClause& clause = node.clauses[index];
  Label top = b_.new_label();
  Label end = b_.new_label();
  bool own_iterator = index > 0;
  if (own_iterator) {
    Operand iterable = lower(clause.iterable);
    release(iterable);
    iterator = b_.emit(Opcode::kIterator, at, {iterable});
  }
  b_.place(top);
  const auto* name = clause.target->get_if<Name>();
  std::optional<uint32_t> local = name ? local_register(name->id) : std::nullopt;
  uint32_t item = local ? *local : b_.temporary();
  b_.jump(Opcode::kNext, at, {iterator}, end, item);
  if (!local) {
    assign(*clause.target, Operand::in_register(item));
    b_.release(item);
  }
  for (const ExpressionPtr& condition : clause.conditions) {
    Span place = at;
    jump_if(*condition, false, top, place);
  }
  comprehension_loop(node, index + 1, result, iterator, at);
  b_.jump(Opcode::kJump, at, {}, top);
  b_.place(end);
  if (own_iterator) release(iterator);
}

}  // namespace glint::frontend
