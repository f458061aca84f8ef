#include "frontend/scope.h"

#include <fmt/format.h>

#include <algorithm>

namespace glint::frontend {
namespace {

[[noreturn]] void scope_error(std::string message, const Span& at) {
  throw SyntaxErrorException{{SyntaxErrorKind::kSyntax, std::move(message), at}};
}

/// First pass: what each scope does with each name.
class Collector {
 public:
  ScopeTree run(const Module& module) {
    tree_.module = std::make_unique<Scope>();
    tree_.module->name = "<module>";
    scope_ = tree_.module.get();
    tree_.by_node[&module] = scope_;
    block(module.body);
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
          class_name_(collector.class_name_) {
      auto made = std::make_unique<Scope>();
      made->kind = kind;
      made->name = std::move(name);
      made->parent = outer_;
      collector.scope_ = made.get();
      collector.loops_ = 0;
      collector.tree_.by_node[node] = made.get();
      outer_->children.push_back(std::move(made));
    }
    ~Inside() {
      collector_.scope_ = outer_;
      collector_.loops_ = loops_;
      collector_.class_name_ = class_name_;
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    Collector& collector_;
    Scope* outer_;
    size_t loops_;
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
  void assign(const std::string& name, const Span& at) { entry(name, at).assigned = true; }

  // ---- statements ----
  void block(const Block& body) {
    for (const auto& each : body) {
      place_ = each->span;
      std::visit([&](const auto& node) { visit(node, each->span); }, each->node);
    }
  }

  void visit(const ExpressionStatement& node, const Span&) { expression(node.value); }
  void visit(const Assign& node, const Span&) {
    expression(node.value);
    for (const ExpressionPtr& each : node.targets) target(*each);
  }
  void visit(const AugmentedAssign& node, const Span&) {
    expression(node.target);
    expression(node.value);
    target(*node.target);
  }
  void visit(const AnnotatedAssign& node, const Span&) {
    if (scope_->kind != ScopeKind::kFunction) expression(node.annotation);
    expression(node.value);
    if (const auto* name = node.target->get_if<Name>()) {
      NameUse& use_of = entry(name->id, node.target->span);
      if (use_of.declared_global)
        scope_error(fmt::format("annotated name '{}' can't be global", name->id),
                    node.target->span);
      if (use_of.declared_nonlocal)
        scope_error(fmt::format("annotated name '{}' can't be nonlocal", name->id),
                    node.target->span);
      use_of.assigned = true;
      use_of.imported_or_annotated = true;
      return;
    }
    target(*node.target);
  }
  void visit(const Return& node, const Span& at) {
    bool allowed = scope_->kind == ScopeKind::kFunction;
    if (!allowed) scope_error("'return' outside function", at);
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
    for (const ExpressionPtr& each : node.targets) target(*each);
  }
  void visit(const Pass&, const Span&) {}
  void visit(const Break&, const Span& at) {
    if (loops_ == 0) scope_error("'break' outside loop", at);
  }
  void visit(const Continue&, const Span& at) {
    if (loops_ == 0) scope_error("'continue' not properly in loop", at);
  }
  void visit(const Global& node, const Span& at) {
    for (const std::string& name : node.names) declare(name, at, true);
  }
  void visit(const Nonlocal& node, const Span& at) {
    if (scope_->kind == ScopeKind::kModule)
      scope_error("nonlocal declaration not allowed at module level", at);
    for (const std::string& name : node.names) declare(name, at, false);
  }
  void declare(const std::string& name, const Span& at, bool global) {
    const char* word = global ? "global" : "nonlocal";
    NameUse& use_of = entry(name, at);
    if (use_of.parameter) scope_error(fmt::format("name '{}' is parameter and {}", name, word), at);
    if (use_of.imported_or_annotated && use_of.assigned)
      scope_error(fmt::format("annotated name '{}' can't be {}", name, word), at);
    if (use_of.assigned)
      scope_error(fmt::format("name '{}' is assigned to before {} declaration", name, word), at);
    if (use_of.used)
      scope_error(fmt::format("name '{}' is used prior to {} declaration", name, word), at);
    (global ? use_of.declared_global : use_of.declared_nonlocal) = true;
    if (use_of.declared_global && use_of.declared_nonlocal) {
      scope_error(fmt::format("name '{}' is nonlocal and global", name), at);
    }
    use_of.span = at;
  }
  void visit(const Import& node, const Span& at) {
    for (const ImportName& each : node.names) {
      assign(each.as_name.empty() ? each.name.substr(0, each.name.find('.')) : each.as_name, at);
    }
  }
  void visit(const ImportFrom& node, const Span& at) {
    if (node.names.empty() && scope_->kind != ScopeKind::kModule) {
      scope_error("import * only allowed at module level", at);
    }
    for (const ImportName& each : node.names)
      assign(each.as_name.empty() ? each.name : each.as_name, at);
  }
  void visit(const If& node, const Span&) {
    expression(node.condition);
    block(node.then);
    block(node.otherwise);
  }
  void visit(const While& node, const Span&) {
    expression(node.condition);
    ++loops_;
    block(node.body);
    --loops_;
    block(node.otherwise);
  }
  void visit(const For& node, const Span&) {
    expression(node.iterable);
    target(*node.target);
    ++loops_;
    block(node.body);
    --loops_;
    block(node.otherwise);
  }
  void visit(const Try& node, const Span&) {
    block(node.body);
    for (const ExceptClause& handler : node.handlers) {
      expression(handler.type);
      if (!handler.name.empty()) assign(handler.name, handler.span);
      block(handler.body);
    }
    block(node.otherwise);
    block(node.finally);
  }
  void visit(const With& node, const Span&) {
    for (const WithItem& item : node.items) {
      expression(item.context);
      if (item.target) target(*item.target);
    }
    block(node.body);
  }
  void visit(const FunctionDefinition& node, const Span& at) {
    for (const ExpressionPtr& each : node.decorators) expression(each);
    defaults(node.parameters);
    for (const Parameters::Item& item : node.parameters.items) expression(item.annotation);
    expression(node.return_annotation);
    assign(node.name, at);
    Inside inside(*this, &node, ScopeKind::kFunction, node.name);
    parameters(node.parameters);
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
  void parameters(const Parameters& list) {
    for (const Parameters::Item& item : list.items) {
      NameUse& use_of = entry(item.name, item.span);
      use_of.parameter = true;
      use_of.assigned = true;
    }
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

  void target(const Expression& node) {
    if (const auto* name = node.get_if<Name>()) return assign(name->id, node.span);
    if (const auto* tuple = node.get_if<TupleDisplay>()) {
      for (const ExpressionPtr& item : tuple->items) target(*item);
    } else if (const auto* list = node.get_if<ListDisplay>()) {
      for (const ExpressionPtr& item : list->items) target(*item);
    } else if (const auto* star = node.get_if<Starred>()) {
      target(*star->value);
    } else {
      expression_of(node);
    }
  }

  // ---- expressions ----
  void expression(const ExpressionPtr& node) {
    if (node) expression_of(*node);
  }
  void expression_of(const Expression& node) {
    std::visit([&](const auto& each) { visit(each, node.span); }, node.node);
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
  void visit(const Lambda& node, const Span&) {
    defaults(node.parameters);
    Inside inside(*this, &node, ScopeKind::kLambda, "<lambda>");
    parameters(node.parameters);
    expression(node.body);
  }
  void visit(const Call& node, const Span&) {
    expression(node.function);
    for (const Argument& argument : node.arguments) expression(argument.value);
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
    expression(node.value);
    Scope* scope = scope_;
    for (; scope->kind == ScopeKind::kComprehension; scope = scope->parent) {
      auto found = scope->names.find(node.name);
      if (found != scope->names.end() && found->second.parameter) {
        scope_error(
            fmt::format("assignment expression cannot rebind comprehension iteration variable '{}'",
                        node.name),
            at);
      }
    }
    if (scope != scope_ && scope->kind == ScopeKind::kClass) {
      scope_error("assignment expression within a comprehension cannot be used in a class body",
                  at);
    }
    NameUse& outer = entry(*scope, mangle(node.name, class_name_), at);
    outer.assigned = true;
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
    expression(node.clauses[0].iterable);
    Inside inside(*this, &node, ScopeKind::kComprehension, comprehension_name(node.kind));
    scope_->is_generator = node.kind == ComprehensionKind::kGenerator;
    entry(*scope_, ".0", place_).parameter = true;
    for (size_t i = 0; i < node.clauses.size(); ++i) {
      const ComprehensionClause& clause = node.clauses[i];
      if (i > 0) expression(clause.iterable);
      target(*clause.target);
      mark_iteration_names(*clause.target);
      all(clause.conditions);
    }
    expression(node.element);
    expression(node.value);
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
    if (!scope_->is_function()) scope_error("'yield' outside function", at);
    scope_->is_generator = true;
  }

  ScopeTree tree_;
  Scope* scope_ = nullptr;
  size_t loops_ = 0;
  std::string class_name_;
  Span place_ = {};
};

/// Second pass: decides storages, from the outermost scope in.
class Resolver {
 public:
  explicit Resolver(bool names_are_dynamic) : names_are_dynamic_(names_are_dynamic) {}

  void run(Scope& scope) {
    for (const std::string& name : scope.order) decide(scope, name);
    for (auto& child : scope.children) run(*child);
  }

 private:
  void decide(Scope& scope, const std::string& name) {
    NameUse& use = scope.names.at(name);
    if (use.declared_global) {
      use.storage = Storage::kGlobal;
      return;
    }
    if (use.declared_nonlocal) {
      if (!reach(scope, name))
        scope_error(fmt::format("no binding for nonlocal '{}' found", name), use.span);
      return;
    }
    bool bound_here = use.assigned || use.parameter;
    if (scope.kind == ScopeKind::kModule) {
      use.storage = names_are_dynamic_ ? Storage::kName : Storage::kGlobal;
    } else if (scope.kind == ScopeKind::kClass) {
      if (bound_here || !reach(scope, name)) use.storage = Storage::kName;
    } else if (bound_here) {
      if (use.storage != Storage::kCell) use.storage = Storage::kRegister;
    } else if (!reach(scope, name)) {
      bool dynamic = names_are_dynamic_;
      use.storage = dynamic ? Storage::kName : Storage::kGlobal;
      if (dynamic && scope.is_function()) use.storage = Storage::kGlobal;
    }
  }

  /// Makes the name of an enclosing function's local reach `scope` through cells; false if no
  /// enclosing function binds it.
  bool reach(Scope& scope, const std::string& name) {
    Scope* owner = scope.parent;
    for (; owner; owner = owner->parent) {
      if (owner->kind == ScopeKind::kClass) {
        if (name == "__class__" && owner->needs_class_cell) break;
        continue;
      }
      if (owner->kind == ScopeKind::kModule) return false;
      auto found = owner->names.find(name);
      if (found == owner->names.end()) continue;
      if (found->second.declared_global) return false;
      if (found->second.assigned || found->second.parameter) break;
    }
    if (!owner) return false;
    add_own(*owner, name);
    std::vector<Scope*> path;
    for (Scope* inner = &scope; inner != owner; inner = inner->parent) path.push_back(inner);
    for (auto inner = path.rbegin(); inner != path.rend(); ++inner) add_free(**inner, name);
    return true;
  }

  static void add_own(Scope& scope, const std::string& name) {
    if (scope.kind != ScopeKind::kClass) {
      NameUse& use = scope.names.at(name);
      if (use.declared_nonlocal) return;
      use.storage = Storage::kCell;
    }
    if (std::find(scope.own_cells.begin(), scope.own_cells.end(), name) == scope.own_cells.end()) {
      scope.own_cells.push_back(name);
    }
  }
  static void add_free(Scope& scope, const std::string& name) {
    auto [found, added] = scope.names.try_emplace(name);
    // A class body that binds the name itself passes the outer one on without seeing it.
    bool hidden = scope.kind == ScopeKind::kClass && (found->second.assigned || added);
    if (!hidden) found->second.storage = Storage::kCell;
    if (added)
      found->second.storage = scope.kind == ScopeKind::kClass ? Storage::kName : Storage::kCell;
    if (std::find(scope.free_cells.begin(), scope.free_cells.end(), name) ==
        scope.free_cells.end()) {
      scope.free_cells.push_back(name);
    }
  }

  bool names_are_dynamic_;
};

}  // namespace

std::string mangle(const std::string& name, const std::string& class_name) {
  bool is_private =
      name.starts_with("__") && !name.ends_with("__") && name.find('.') == std::string::npos;
  size_t first = class_name.find_first_not_of('_');
  if (!is_private || first == std::string::npos) return name;
  return "_" + class_name.substr(first) + name;
}

ScopeTree resolve(const Module& module, bool names_are_dynamic) {
  ScopeTree tree = Collector().run(module);
  Resolver(names_are_dynamic).run(*tree.module);
  return tree;
}

}  // namespace glint::frontend
