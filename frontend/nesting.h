// How deep a source nests, estimated from its tokens before anything recurses over them.
#pragma once

#include <cstddef>
#include <optional>

#include "frontend/layout.h"

namespace glint::frontend {

struct Nesting {
  /// An upper bound of the levels of its tree.
  size_t levels = 0;
  /// MemoryError or RecursionError where CPython gives up at such a depth.
  std::optional<SyntaxErrorKind> refused = std::nullopt;
};

Nesting nesting_of(const Layout& layout);

/// CPython's error for a source that nests too deeply; it has no place.
SyntaxError nesting_error(SyntaxErrorKind kind, const Span& at);

/// How many statements and expressions CPython's compiler lets stand in one another.
constexpr size_t kDeepestTree = 3000;

}  // namespace glint::frontend
