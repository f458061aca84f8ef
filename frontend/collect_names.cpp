// The first pass over the names of a tree: what each scope does with each name, and the mistakes
// that can be told from that. The second (frontend/scope.cpp) decides where names live.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontend/futures.h"
#include "frontend/nesting.h"
#include "frontend/scope.h"

namespace glint::frontend {
namespace {

constexpr size_t kMostBlocks = 20;

/// Notes what each scope does with each name.
class Collector {
 public:
  ScopeTree run(const Module& module) {
    tree_.module = std::make_unique<Scope>();
    tree_.module->name = "<module>";
    scope_ = tree_.module.get();
    tree_.by_node[&module] = scope_;
    tree_.late_error = module.late_error;
    for (size_t i = 0; i < module.body.size(); ++i) {
      const Statement& each = *module.body[i];
      futures_allowed_ = futures_allowed_ && may_precede_future(each, i == 0);
      statement(each);
    }
    return std::move(tree_);
  }

 private:
  /// A scope entered for the time of a call.
  class Inside {
   public:
    Inside(Collector& collector, const void* node, ScopeKind kind, std::string name)
        : collector_(collector),
          outer_(collector.scope_),
          loops_(collector.loops_),
          blocks_(collector.blocks_),
          class_name_(collector.class_name_) {
      auto made = std::make_unique<Scope>();
      made->kind = kind;
      made->name = std::move(name);
      made->parent = outer_;
      collector.scope_ = made.get();
      collector.loops_ = 0;
      collector.blocks_ = 0;
      collector.tree_.by_node[node] = made.get();
      outer_->children.push_back(std::move(made));
    }
    ~Inside() {
      collector_.scope_ = outer_;
      collector_.loops_ = loops_;
      collector_.blocks_ = blocks_;
      collector_.class_name_ = class_name_;
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    Collector& collector_;
    Scope* outer_;
    size_t loops_;
    size_t blocks_;
    std::string class_name_;
  };

  NameUse& entry(Scope& scope, const std::string& name, const Span& at) {
    auto [found, added] = scope.names.try_emplace(name);
    if (added) {
      scope.order.push_back(name);
      found->second.span = at;
    }
    return found->second;
  }
  NameUse& entry(const std::string& name, const Span& at) {
    return entry(*scope_, mangle(name, class_name_), at);
  }
  void use(const std::string& name, const Span& at) {
    entry(name, at).used = true;
    bool needs_class = name == "__class__" || name == "super";
    if (needs_class && scope_->is_function()) use_class_cell(at);
  }
  /// `super` and `__class__` in a method refer to the cell of the class around it.
  void use_class_cell(const Span& at) {
    for (Scope* scope = scope_; scope; scope = scope->parent) {
      if (scope->kind != ScopeKind::kClass) continue;
      scope->needs_class_cell = true;
      entry(*scope_, "__class__", at).used = true;
      return;
    }
  }
  void assign(const std::string& name, const Span& at) {
    forbid(name, at);
    bind(entry(name, at));
  }
  static void bind(NameUse& use) {
    use.rebound = use.assigned;
    use.assigned = true;
  }
  /// `__debug__` is a constant.
  void forbid(const std::string& name, const Span& at, std::string_view verb = "assign to") {
    if (name == "__debug__") late_error(fmt::format("cannot {} __debug__", verb), at);
  }
  /// A mistake that CPython finds only after all names are resolved: one of those comes first.
  void late_error(std::string message, const Span& at) {
    // The parser has seen some already.
    const std::optional<SyntaxError>& known = tree_.late_error;
    auto place = [](const Span& span) { return std::pair(span.line, span.column); };
    if (known && place(known->span) <= place(at)) return;
    tree_.late_error = SyntaxError{SyntaxErrorKind::kSyntax, std::move(message), at};
  }

  // ---- statements ----
  void block(const Block& body) {
    for (const auto& each : body) statement(*each);
  }
  void statement(const Statement& each) {
    place_ = each.span;
    enter(each.span);
    std::visit([&](const auto& node) { visit(node, each.span); }, each.node);
    --depth_;
  }
  void enter(const Span& at) {
    if (++depth_ > kDeepestTree)
      throw SyntaxErrorException{nesting_error(SyntaxErrorKind::kRecursion, at)};
  }

  void visit(const ExpressionStatement& node, const Span&) { expression(node.value); }
  void visit(const Assign& node, const Span&) {
    expression(node.value);
    for (const ExpressionPtr& each : node.targets) target(*each);
  }
  void visit(const AugmentedAssign& node, const Span&) {
    expression(node.target);
    expression(node.value);
    if (!node.target->get_if<Attribute>()) target(*node.target);
  }
  void visit(const AnnotatedAssign& node, const Span& at) {
    if (scope_->kind != ScopeKind::kFunction) expression(node.annotation);
    expression(node.value);
    if (const auto* name = node.target->get_if<Name>()) {
      NameUse& use_of = entry(name->id, node.target->span);
      if (use_of.declared_global && scope_->kind != ScopeKind::kModule)
        scope_error(fmt::format("annotated name '{}' can't be global", name->id), at);
      if (use_of.declared_nonlocal)
        scope_error(fmt::format("annotated name '{}' can't be nonlocal", name->id), at);
      forbid(name->id, node.target->span);
      bind(use_of);
      use_of.annotated = true;
      return;
    }
    target(*node.target);
  }
  void visit(const Return& node, const Span& at) {
    bool allowed = scope_->kind == ScopeKind::kFunction;
    if (!allowed) late_error("'return' outside function", at);
    expression(node.value);
  }
  void visit(const Raise& node, const Span&) {
    expression(node.exception);
    expression(node.cause);
  }
  void visit(const Assert& node, const Span&) {
    expression(node.condition);
    expression(node.message);
  }
  void visit(const Delete& node, const Span&) {
    for (const ExpressionPtr& each : node.targets) {
      if (const auto* name = each->get_if<Name>()) forbid(name->id, each->span, "delete");
      target(*each);
    }
  }
  void visit(const Pass&, const Span&) {}
  void visit(const Break&, const Span& at) {
    if (loops_ == 0) late_error("'break' outside loop", at);
  }
  void visit(const Continue&, const Span& at) {
    if (loops_ == 0) late_error("'continue' not properly in loop", at);
  }
  void visit(const Global& node, const Span& at) {
    for (const std::string& name : node.names) declare(name, at, true);
  }
  void visit(const Nonlocal& node, const Span& at) {
    for (const std::string& name : node.names) declare(name, at, false);
    if (scope_->kind == ScopeKind::kModule)
      scope_error("nonlocal declaration not allowed at module level", at);
  }
  void declare(const std::string& name, const Span& at, bool global) {
    const char* word = global ? "global" : "nonlocal";
    NameUse& use_of = entry(name, at);
    if (use_of.parameter) scope_error(fmt::format("name '{}' is parameter and {}", name, word), at);
    if (use_of.annotated)
      scope_error(fmt::format("annotated name '{}' can't be {}", name, word), at);
    if (use_of.assigned && !use_of.imported)
      scope_error(fmt::format("name '{}' is assigned to before {} declaration", name, word), at);
    if (use_of.used)
      scope_error(fmt::format("name '{}' is used prior to {} declaration", name, word), at);
    (global ? use_of.declared_global : use_of.declared_nonlocal) = true;
    if (!use_of.declared.known()) use_of.declared = at;
    if (use_of.declared_global && use_of.declared_nonlocal) {
      scope_error(fmt::format("name '{}' is nonlocal and global", name), use_of.declared);
    }
    use_of.span = at;
  }
  void visit(const Import& node, const Span& at) {
    for (const ImportName& each : node.names) {
      import(each.as_name.empty() ? each.name.substr(0, each.name.find('.')) : each.as_name, at);
    }
  }
  void visit(const ImportFrom& node, const Span& at) {
    if (is_future_import(node)) future(node, at);
    if (node.names.empty() && scope_->kind != ScopeKind::kModule) {
      // At the star, which ends the statement.
      Span star = at;
      star.column = star.end_column - 1;
      scope_error("import * only allowed at module level", star);
    }
    for (const ImportName& each : node.names)
      import(each.as_name.empty() ? each.name : each.as_name, at);
  }
  void future(const ImportFrom& node, Span at) {
    if (!futures_allowed_)
      return late_error("from __future__ imports must occur at the beginning of the file", at);
    at.end_line = at.line;
    at.end_column = at.column + 1;
    if (std::string unknown = unknown_feature(node); !unknown.empty()) scope_error(unknown, at);
  }
  /// A name that only imports have bound may still be declared global.
  void import(const std::string& name, const Span& at) {
    bool fresh = !entry(name, at).assigned;
    assign(name, at);
    if (fresh) entry(name, at).imported = true;
  }
  void visit(const If& node, const Span&) {
    expression(node.condition);
    block(node.then);
    block(node.otherwise);
  }
  /// Blocks of a function stand in one another twenty deep at most.
  void counted_block(const Block& body, const Span& at, size_t count = 1) {
    if (blocks_ + count > kMostBlocks) late_error("too many statically nested blocks", at);
    blocks_ += count;
    block(body);
    blocks_ -= count;
  }
  void loop(const Block& body, const Span& at) {
    ++loops_;
    counted_block(body, at);
    --loops_;
  }
  void visit(const While& node, const Span& at) {
    expression(node.condition);
    loop(node.body, at);
    block(node.otherwise);
  }
  void visit(const For& node, const Span& at) {
    expression(node.iterable);
    target(*node.target);
    loop(node.body, at);
    block(node.otherwise);
  }
  void visit(const Try& node, const Span& at) {
    size_t guard = node.finally.empty() ? 0 : 1;
    blocks_ += guard;
    counted_block(node.body, at, node.handlers.empty() ? 0 : 1);
    for (const ExceptClause& handler : node.handlers) {
      expression(handler.type);
      if (!handler.name.empty()) assign(handler.name, handler.span);
      counted_block(handler.body, handler.span, 2);
    }
    block(node.otherwise);
    blocks_ -= guard;
    counted_block(node.finally, at, guard);
  }
  void visit(const With& node, const Span& at) {
    for (const WithItem& item : node.items) {
      expression(item.context);
      if (item.target) target(*item.target);
    }
    counted_block(node.body, at, node.items.size());
  }
  void visit(const FunctionDefinition& node, const Span& at) {
    for (const ExpressionPtr& each : node.decorators) expression(each);
    defaults(node.parameters);
    for (const Parameters::Item& item : node.parameters.items) expression(item.annotation);
    expression(node.return_annotation);
    assign(node.name, at);
    Inside inside(*this, &node, ScopeKind::kFunction, node.name);
    parameters(node.parameters, at);
    block(node.body);
  }
  void visit(const ClassDefinition& node, const Span& at) {
    for (const ExpressionPtr& each : node.decorators) expression(each);
    for (const Argument& each : node.arguments) expression(each.value);
    assign(node.name, at);
    Inside inside(*this, &node, ScopeKind::kClass, node.name);
    class_name_ = node.name;
    block(node.body);
  }
  void visit(const Match& node, const Span&) {
    expression(node.subject);
    for (const MatchCase& each : node.cases) {
      pattern(*each.pattern);
      expression(each.guard);
      block(each.body);
    }
  }

  void defaults(const Parameters& list) {
    for (const Parameters::Item& item : list.items) expression(item.default_value);
  }
  void parameters(const Parameters& list, const Span& at) {
    // As CPython enters them: `*args` and `**keywords` come last.
    for (bool rest : {false, true}) {
      for (const Parameters::Item& item : list.items) {
        bool takes_rest = item.kind == program::ParameterKind::kStarArgs ||
                          item.kind == program::ParameterKind::kStarKeywords;
        if (takes_rest == rest) parameter(item, at);
      }
    }
  }
  void parameter(const Parameters::Item& item, const Span& at) {
    forbid(item.name, at);
    NameUse& use_of = entry(item.name, item.span);
    if (use_of.parameter) {
      scope_error(fmt::format("duplicate argument '{}' in function definition", item.name),
                  item.span);
    }
    use_of.parameter = true;
    bind(use_of);
  }

  void pattern(const Pattern& node) {
    auto all = [&](const auto& list) {
      for (const auto& each : list) pattern(*each);
    };
    if (const auto* value = std::get_if<ValuePattern>(&node.node)) expression(value->value);
    if (const auto* capture = std::get_if<CapturePattern>(&node.node)) {
      if (!capture->name.empty()) assign(capture->name, node.span);
      if (capture->pattern) pattern(*capture->pattern);
    }
    if (const auto* sequence = std::get_if<SequencePattern>(&node.node)) all(sequence->items);
    if (const auto* star = std::get_if<StarPattern>(&node.node); star && !star->name.empty()) {
      assign(star->name, node.span);
    }
    if (const auto* mapping = std::get_if<MappingPattern>(&node.node)) {
      for (const ExpressionPtr& key : mapping->keys) expression(key);
      all(mapping->values);
      if (mapping->rest) assign(*mapping->rest, node.span);
    }
    if (const auto* cls = std::get_if<ClassPattern>(&node.node)) {
      expression(cls->cls);
      all(cls->positional);
      all(cls->keyword_patterns);
    }
    if (const auto* alternatives = std::get_if<OrPattern>(&node.node))
      all(alternatives->alternatives);
  }

  void targets(const Expressions& items, const Span& at) {
    auto starred = [](const ExpressionPtr& item) { return item->get_if<Starred>() != nullptr; };
    if (std::count_if(items.begin(), items.end(), starred) > 1)
      late_error("multiple starred expressions in assignment", at);
    for (const ExpressionPtr& item : items) target(*item);
  }
  void target(const Expression& node) {
    if (const auto* name = node.get_if<Name>()) return assign(name->id, node.span);
    if (const auto* tuple = node.get_if<TupleDisplay>()) {
      targets(tuple->items, node.span);
    } else if (const auto* list = node.get_if<ListDisplay>()) {
      targets(list->items, node.span);
    } else if (const auto* star = node.get_if<Starred>()) {
      target(*star->value);
    } else {
      if (const auto* attribute = node.get_if<Attribute>()) forbid(attribute->name, node.span);
      expression_of(node);
    }
  }

  // ---- expressions ----
  void expression(const ExpressionPtr& node) {
    if (node) expression_of(*node);
  }
  void expression_of(const Expression& node) {
    enter(node.span);
    std::visit([&](const auto& each) { visit(each, node.span); }, node.node);
    --depth_;
  }
  void all(const Expressions& list) {
    for (const ExpressionPtr& each : list) expression(each);
  }

  void visit(const Constant&, const Span&) {}
  void visit(const Name& node, const Span& at) { use(node.id, at); }
  void visit(const Unary& node, const Span&) { expression(node.operand); }
  void visit(const Binary& node, const Span&) {
    expression(node.left);
    expression(node.right);
  }
  void visit(const BoolOperation& node, const Span&) { all(node.values); }
  void visit(const Compare& node, const Span&) {
    expression(node.left);
    all(node.comparators);
  }
  void visit(const Conditional& node, const Span&) {
    expression(node.condition);
    expression(node.then);
    expression(node.otherwise);
  }
  void visit(const Lambda& node, const Span& at) {
    defaults(node.parameters);
    Inside inside(*this, &node, ScopeKind::kLambda, "<lambda>");
    parameters(node.parameters, at);
    expression(node.body);
  }
  void visit(const Call& node, const Span& at) {
    expression(node.function);
    for (const Argument& argument : node.arguments) {
      forbid(argument.keyword, at);
      expression(argument.value);
    }
  }
  void visit(const Attribute& node, const Span&) { expression(node.value); }
  void visit(const Subscript& node, const Span&) {
    expression(node.value);
    expression(node.index);
  }
  void visit(const Slice& node, const Span&) {
    expression(node.lower);
    expression(node.upper);
    expression(node.step);
  }
  void visit(const Starred& node, const Span&) { expression(node.value); }
  void visit(const NamedExpression& node, const Span& at) {
    if (in_iterable_)
      scope_error("assignment expression cannot be used in a comprehension iterable expression",
                  at);
    forbid(node.name, node.name_span);
    expression(node.value);
    Scope* scope = scope_;
    for (; scope->kind == ScopeKind::kComprehension; scope = scope->parent) {
      auto found = scope->names.find(node.name);
      if (found != scope->names.end() && found->second.parameter) {
        scope_error(
            fmt::format("assignment expression cannot rebind comprehension iteration variable '{}'",
                        node.name),
            node.name_span);
      }
    }
    if (scope != scope_ && scope->kind == ScopeKind::kClass) {
      scope_error("assignment expression within a comprehension cannot be used in a class body",
                  node.name_span);
    }
    NameUse& outer = entry(*scope, mangle(node.name, class_name_), at);
    bind(outer);
    // The comprehension reaches the name of the function around it.
    if (scope != scope_) {
      NameUse& inner = entry(node.name, at);
      bool global = scope->kind == ScopeKind::kModule || outer.declared_global;
      (global ? inner.declared_global : inner.declared_nonlocal) = true;
    }
  }
  void visit(const ListDisplay& node, const Span&) { all(node.items); }
  void visit(const TupleDisplay& node, const Span&) { all(node.items); }
  void visit(const SetDisplay& node, const Span&) { all(node.items); }
  void visit(const DictDisplay& node, const Span&) {
    for (size_t i = 0; i < node.values.size(); ++i) {
      expression(node.keys[i]);
      expression(node.values[i]);
    }
  }
  static std::string comprehension_name(ComprehensionKind kind) {
    switch (kind) {
      case ComprehensionKind::kList:
        return "<listcomp>";
      case ComprehensionKind::kSet:
        return "<setcomp>";
      case ComprehensionKind::kDict:
        return "<dictcomp>";
      case ComprehensionKind::kGenerator:
        return "<genexpr>";
    }
    return {};
  }
  void visit(const Comprehension& node, const Span&) {
    iterable(node.clauses[0].iterable);
    Inside inside(*this, &node, ScopeKind::kComprehension, comprehension_name(node.kind));
    scope_->is_generator = node.kind == ComprehensionKind::kGenerator;
    entry(*scope_, ".0", place_).parameter = true;
    for (size_t i = 0; i < node.clauses.size(); ++i) {
      const ComprehensionClause& clause = node.clauses[i];
      if (i > 0) iterable(clause.iterable);
      target(*clause.target);
      mark_iteration_names(*clause.target);
      all(clause.conditions);
    }
    expression(node.element);
    expression(node.value);
  }
  /// What a comprehension goes over: no name can be bound there.
  void iterable(const ExpressionPtr& node) {
    bool outer = std::exchange(in_iterable_, true);
    expression(node);
    in_iterable_ = outer;
  }
  /// So that `:=` can refuse to rebind them.
  void mark_iteration_names(const Expression& node) {
    if (const auto* name = node.get_if<Name>()) entry(name->id, node.span).parameter = true;
    if (const auto* tuple = node.get_if<TupleDisplay>()) {
      for (const ExpressionPtr& item : tuple->items) mark_iteration_names(*item);
    }
    if (const auto* list = node.get_if<ListDisplay>()) {
      for (const ExpressionPtr& item : list->items) mark_iteration_names(*item);
    }
    if (const auto* star = node.get_if<Starred>()) mark_iteration_names(*star->value);
  }
  void visit(const FormattedValue& node, const Span&) {
    expression(node.value);
    expression(node.spec);
  }
  void visit(const JoinedString& node, const Span&) { all(node.parts); }
  void visit(const Yield& node, const Span& at) {
    yields(at);
    expression(node.value);
  }
  void visit(const YieldFrom& node, const Span& at) {
    yields(at);
    expression(node.value);
  }
  void yields(const Span& at) {
    if (scope_->kind == ScopeKind::kComprehension) {
      std::string_view what = scope_->name == "<listcomp>"   ? "list comprehension"
                              : scope_->name == "<setcomp>"  ? "set comprehension"
                              : scope_->name == "<dictcomp>" ? "dict comprehension"
                                                             : "generator expression";
      scope_error(fmt::format("'yield' inside {}", what), at);
    }
    if (!scope_->is_function()) late_error("'yield' outside function", at);
    scope_->is_generator = true;
  }

  ScopeTree tree_;
  Scope* scope_ = nullptr;
  size_t loops_ = 0;
  size_t blocks_ = 0;  ///< what CPython's compiler counts: loops, `with`, the parts of `try`
  size_t depth_ = 0;   ///< statements and expressions in one another
  bool in_iterable_ = false;
  bool futures_allowed_ = true;
  std::string class_name_;
  Span place_ = {};
};

}  // namespace

ScopeTree collect_names(const Module& module) {
  return Collector().run(module);
}

}  // namespace glint::frontend
