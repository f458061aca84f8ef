#include "frontend/scope.h"

#include <fmt/format.h>

#include <algorithm>

namespace glint::frontend {

void scope_error(std::string message, const Span& at) {
  SyntaxError error{SyntaxErrorKind::kSyntax, std::move(message), at};
  error.counts_bytes = true;
  throw SyntaxErrorException{std::move(error)};
}

namespace {

/// Decides storages, from the outermost scope in.
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
  ScopeTree tree = collect_names(module);
  Resolver(names_are_dynamic).run(*tree.module);
  if (tree.late_error) throw SyntaxErrorException{std::move(*tree.late_error)};
  return tree;
}

}  // namespace glint::frontend
