#include "frontend/frontend.h"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "core/support/milliseconds.h"
#include "frontend/deep_stack.h"
#include "frontend/encoding.h"
#include "frontend/lower.h"
#include "frontend/recover.h"
#include "frontend/scope.h"

namespace glint::frontend {
namespace {

Span whole_text(const SourceMap& sources, SourceId source) {
  uint32_t last = std::max<uint32_t>(1, sources.line_count(source));
  auto end = static_cast<uint32_t>(sources.line(source, last).size());
  return {source, 1, 0, last, end};
}

bool imports_annotations(const Module& tree) {
  return std::any_of(tree.body.begin(), tree.body.end(), [](const auto& each) {
    const auto* from = std::get_if<ImportFrom>(&each->node);
    return from && from->module == "__future__" &&
           std::any_of(from->names.begin(), from->names.end(),
                       [](const ImportName& name) { return name.name == "annotations"; });
  });
}

/// CPython's parser knows how many bytes a character takes only where it has been told the
/// encoding: in a file by a declaration or a byte order mark.
void count_bytes(SyntaxError& error, std::string_view text) {
  bool declared = !declared_encoding(text).empty() || text.starts_with("\xef\xbb\xbf");
  bool by_parser = !error.by_tokenizer || error.kind == SyntaxErrorKind::kIndentation;
  if (!declared && by_parser) error.counts_bytes = true;
}

/// CPython has no column for the end of an expression that no line end follows.
void forget_end(SyntaxError& error, const SourceMap& sources) {
  std::string_view text = sources.text(error.span.source);
  bool at_end = error.span.column >= sources.line(error.span.source, error.span.line).size();
  if (at_end && error.message == "invalid syntax" && !text.ends_with('\n')) error.has_caret = false;
}

}  // namespace

std::variant<CompiledSource, SyntaxErrors> compile_source(const SourceMap& sources, SourceId source,
                                                          Mode mode, FrontendOptions options) {
  if (options.is_file) {
    if (auto error = declaration_error(sources.text(source), source)) return SyntaxErrors{*error};
  }
  auto start = std::chrono::steady_clock::now();
  auto parsed = parse(sources.text(source), source, mode, options.warn);
  if (auto* errors = std::get_if<SyntaxErrors>(&parsed)) {
    if (options.all_errors)
      std::ranges::move(further_errors(sources.text(source), source, errors->front()),
                        std::back_inserter(*errors));
    for (SyntaxError& error : *errors)
      if (options.is_file) count_bytes(error, sources.text(source));
    if (mode == Mode::kExpression) forget_end(errors->front(), sources);
    return std::move(*errors);
  }
  CompiledSource compiled{std::move(std::get<Module>(parsed)), nullptr, milliseconds_since(start)};
  start = std::chrono::steady_clock::now();
  auto lower_tree = [&] {
    ScopeTree scopes = resolve(compiled.tree, options.names_are_dynamic);
    LoweringContext context{scopes, sources.text(source), mode, imports_annotations(compiled.tree),
                            options.warn};
    Span whole = whole_text(sources, source);
    FunctionLowering lowering(context, *scopes.module, nullptr, program::CodeKind::kModule,
                              "<module>", whole);
    compiled.code = lowering.module(compiled.tree, whole);
  };
  size_t levels = compiled.tree.levels;
  try {
    with_room(levels, lower_tree);
  } catch (SyntaxErrorException& exception) {
    with_room(levels, [&] { compiled.tree = {}; });
    exception.error.counts_bytes = true;  // as CPython's compiler does
    return SyntaxErrors{std::move(exception.error)};
  }
  compiled.lower_milliseconds = milliseconds_since(start);
  return compiled;
}

static Completeness completeness(std::string_view text, Mode mode) {
  auto parsed = parse(text, SourceId(1), mode);
  if (auto* errors = std::get_if<SyntaxErrors>(&parsed)) {
    return errors->front().at_end ? Completeness::kIncomplete : Completeness::kInvalid;
  }
  // A compound statement goes on until an empty line ends it.
  const Module& tree = std::get<Module>(parsed);
  if (tree.body.empty()) return Completeness::kComplete;
  const Statement& last = *tree.body.back();
  bool compound =
      std::holds_alternative<If>(last.node) || std::holds_alternative<While>(last.node) ||
      std::holds_alternative<For>(last.node) || std::holds_alternative<Try>(last.node) ||
      std::holds_alternative<With>(last.node) || std::holds_alternative<Match>(last.node) ||
      std::holds_alternative<FunctionDefinition>(last.node) ||
      std::holds_alternative<ClassDefinition>(last.node);
  if (!compound) return Completeness::kComplete;
  size_t line = text.find_last_of('\n');
  std::string_view last_line = line == std::string_view::npos ? text : text.substr(line + 1);
  bool blank = line != std::string_view::npos &&
               last_line.find_first_not_of(" \t") == std::string_view::npos;
  return blank ? Completeness::kComplete : Completeness::kIncomplete;
}

Completeness entry_completeness(std::string_view text) {
  return completeness(text, Mode::kSingle);
}
Completeness cell_completeness(std::string_view text) {
  return completeness(text, Mode::kCell);
}

}  // namespace glint::frontend
