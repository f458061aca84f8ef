#pragma once

#include <string>
#include <string_view>

#include "core/support/span.h"

namespace glint::frontend {

/// What an annotation is under `from __future__ import annotations`: its source, spaced and quoted
/// as CPython writes an expression.
///
///     def f(x: dict[str,int]|None): ...      'dict[str, int] | None'
std::string annotation_text(std::string_view source, const Span& annotation);

}  // namespace glint::frontend
