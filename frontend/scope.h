// Names resolved as CPython resolves them: which are local, which live in cells, which are global.
//
//     def outer():
//         n = 0                 outer: n is a cell
//         def inner():
//             nonlocal n        inner: n is free
//             n += step         inner: step is global
//
// A pass over the tree collects, scope by scope, what each name is used for; a second one, from the
// outermost scope in, decides. Comprehensions and generator expressions are scopes of their own,
// but for their first iterable and for `:=`, which binds in the function around them. Class scopes
// are passed over by the functions inside them. Errors carry CPython's texts.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/ast.h"
#include "frontend/syntax_error.h"

namespace glint::frontend {

enum class ScopeKind : uint8_t { kModule, kFunction, kLambda, kComprehension, kClass };

/// Where a name's value is kept, seen from one scope.
enum class Storage : uint8_t {
  kRegister,  ///< a local that no inner scope uses
  kCell,      ///< own or free: `Scope::cells` tells
  kGlobal,    ///< a module variable, else a builtin
  kName,      ///< in the namespace of a class body (or of exec)
};

struct NameUse {
  bool parameter = false;
  bool assigned = false;
  bool rebound = false;  ///< assigned more than once, as a parameter also is by its call
  bool used = false;
  bool declared_global = false;
  bool declared_nonlocal = false;
  bool imported = false;  ///< by imports alone
  bool annotated = false;
  Span declared = {};  ///< of the first `global` or `nonlocal` that names it
  Span span = {};      ///< of its first use
  Storage storage = Storage::kGlobal;
};

struct Scope {
  ScopeKind kind = ScopeKind::kModule;
  std::string name;
  Scope* parent = nullptr;
  std::map<std::string, NameUse> names;
  std::vector<std::string> order;  ///< of first appearance, for stable numbering
  std::vector<std::string> own_cells;
  std::vector<std::string> free_cells;
  bool is_generator = false;
  /// The class body needs a `__class__` cell: a method uses `super()` or `__class__`.
  bool needs_class_cell = false;
  std::vector<std::unique_ptr<Scope>> children;

  bool is_function() const { return kind != ScopeKind::kModule && kind != ScopeKind::kClass; }
};

/// The scopes of a module, found by the address of the node that opens each.
struct ScopeTree {
  std::unique_ptr<Scope> module;
  std::unordered_map<const void*, Scope*> by_node;
  /// The first mistake that is no mistake with a name: CPython reports those with names first.
  std::optional<SyntaxError> late_error;
};

/// Stops the front end at a mistake with a name.
[[noreturn]] void scope_error(std::string message, const Span& at);

/// The first pass: the scopes, with what each does with its names. Throws SyntaxErrorException.
ScopeTree collect_names(const Module& module);

/// Resolves all names. `names_are_dynamic` is for exec and eval with a namespace of their own: the
/// module's names are then looked up in it. Throws SyntaxErrorException.
ScopeTree resolve(const Module& module, bool names_are_dynamic);

/// `__x` inside class `C` is `_C__x`.
std::string mangle(const std::string& name, const std::string& class_name);

}  // namespace glint::frontend
