// Pieces of Kernel IR's text that its printer, its parser and the renderers of passes/ share.
#pragma once

#include <string>
#include <string_view>

#include "ir/kernel.h"
#include "ir/text_cursor.h"

namespace glint {

std::string_view loop_word(LoopKind kind);
std::string_view binding_word(Binding binding);
std::string_view scope_word(ScratchScope scope);

std::string operand_text(const Kernel& kernel, const Operand& operand);
std::string index_text(const Kernel& kernel, const IndexExpression& expression);
/// The line of each statement, numbered and indented, without where it is from.
std::vector<std::string> statement_lines(const Kernel& kernel);
/// Whether the dtype of a computation is its operands', so that the text leaves it out.
bool dtype_follows(const Kernel& kernel, const Compute& compute);

/// Reads one kernel and stops behind it, at the next word that begins no statement of its own.
Kernel parse_kernel(TextCursor& in, SourceId origin_source);
/// A size without a sum: a number, a symbol, a parenthesis, min, max.
SymInt parse_symint_factor(TextCursor& in);

}  // namespace glint
