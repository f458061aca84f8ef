// `from __future__ import ...`: where it may stand, and what it may name.
//
//     "docstring"
//     from __future__ import annotations      at the top of a file, behind its docstring at most
#pragma once

#include "frontend/ast.h"

namespace glint::frontend {

bool is_future_import(const ImportFrom& from);

/// Whether imports from `__future__` may follow a module's statement: others may, and a docstring.
bool may_precede_future(const Statement& statement, bool first);

/// CPython's complaint about features that it does not know; empty where it knows all.
std::string unknown_feature(const ImportFrom& from);

}  // namespace glint::frontend
