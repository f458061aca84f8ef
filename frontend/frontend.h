// The front end: text to Program IR.
//
//     SourceMap sources;
//     SourceId id = sources.add("demo.py", text);
//     auto result = compile_source(sources, id, Mode::kFile);
//     if (auto* compiled = std::get_if<CompiledSource>(&result)) run(*compiled->code);
//     else print(std::get<SyntaxErrors>(result));
//
// Each step can be called by itself as well: `lay_out` (tokens), `parse` (the tree), `resolve`
// (scopes), `lower_module` (instructions).
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <variant>
#include <vector>

#include "core/support/source_map.h"
#include "core/support/stage_log.h"
#include "frontend/parse.h"
#include "frontend/syntax_error.h"
#include "frontend/warnings.h"
#include "ir/program.h"

namespace glint::frontend {

struct FrontendOptions {
  /// For exec and eval with a namespace of their own: module-level names live in that namespace.
  bool names_are_dynamic = false;
  /// The text is a file's. CPython counts a syntax error's columns in bytes there.
  bool is_file = false;
  /// The errors behind the first are wanted too.
  bool all_errors = false;
  /// Hears of what is allowed but surely meant otherwise, in the order of the compilation.
  WarningSink warn = {};
};

struct CompiledSource {
  Module tree;
  std::shared_ptr<const program::Code> code;
  double parse_milliseconds = 0.0;
  double lower_milliseconds = 0.0;  ///< names resolved, instructions made
};

std::variant<CompiledSource, SyntaxErrors> compile_source(const SourceMap& sources, SourceId source,
                                                          Mode mode, FrontendOptions options = {});

/// Whether a text can run as it stands, needs more lines, or cannot be mended by any.
enum class Completeness : uint8_t { kComplete, kIncomplete, kInvalid };
/// Of an entry at the REPL.
Completeness entry_completeness(std::string_view text);
/// Of a notebook's cell, which may hold any number of statements.
Completeness cell_completeness(std::string_view text);

/// `:ast`: the tree, one node a line, children indented.
std::vector<StageLine> print_tree(const Module& tree);

}  // namespace glint::frontend
