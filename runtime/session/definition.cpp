// What `??name` shows: the text of a definition, found from where its code stands.
//
//     ??f      @torch.compile
//              def f(x):
//                  return x + 1

#include <algorithm>

#include "runtime/interpreter/protocol.h"
#include "runtime/session/operand.h"
#include "runtime/session/parts.h"
#include "runtime/session/session.h"

namespace glint {
namespace {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names

size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

/// The lines of a text, from `first` to `last`, as far out as the first of them.
std::string lines_between(const SourceMap& sources, SourceId source, uint32_t first,
                          uint32_t last) {
  const size_t outer = indent_of(sources.line(source, first));
  std::string text;
  for (uint32_t line = first; line <= last; ++line) {
    std::string_view shown = sources.line(source, line);
    shown.remove_prefix(std::min(outer, indent_of(shown)));
    text += std::string(shown) + "\n";
  }
  return text;
}

/// The decorators above a line belong to it.
uint32_t first_decorator(const SourceMap& sources, SourceId source, uint32_t line) {
  const size_t indent = indent_of(sources.line(source, line));
  while (line > 1) {
    std::string_view above = sources.line(source, line - 1);
    bool decorates = indent_of(above) == indent && above.substr(indent).starts_with('@');
    if (!decorates) break;
    --line;
  }
  return line;
}

std::string function_text(const SourceMap& sources, const FunctionObject& function) {
  const Span& span = function.code->span;
  return lines_between(sources, span.source, first_decorator(sources, span.source, span.line),
                       span.end_line);
}

/// The text in which one of the class's methods stands; none for a class without any.
SourceId source_of_class(const ClassObject& cls) {
  for (const auto& entry : cls.dict->table.entries())
    if (auto* function = entry.value.try_as<FunctionObject>()) return function->code->span.source;
  return SourceId::kNone;
}

/// The last line of the block that a line opens.
uint32_t block_end(const SourceMap& sources, SourceId source, uint32_t head) {
  const size_t indent = indent_of(sources.line(source, head));
  uint32_t end = head;
  for (uint32_t line = head + 1; line <= sources.line_count(source); ++line) {
    std::string_view text = sources.line(source, line);
    if (is_blank(text)) continue;
    if (indent_of(text) <= indent) break;
    end = line;
  }
  return end;
}

/// The class statement of that name; of several the one that holds the method.
std::optional<std::string> class_text(const SourceMap& sources, SourceId source,
                                      std::string_view name) {
  for (uint32_t line = sources.line_count(source); line > 0; --line) {
    std::string_view text = sources.line(source, line);
    text.remove_prefix(indent_of(text));
    if (!text.starts_with("class ")) continue;
    std::string_view word = text.substr(6, text.find_first_of("(: ", 6) - 6);
    if (word != name) continue;
    return lines_between(sources, source, first_decorator(sources, source, line),
                         block_end(sources, source, line));
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> Session::source_of(const std::string& expression) {
  auto path_of = [this](std::string_view path) { return parts_->attribute_path(path); };
  runtime::Value object = operand(parts_->interpreter, expression, path_of, Items::kOfAll);
  if (object.is_undefined()) object = parts_->library_object(expression);
  while (object.defined()) {
    if (auto* function = object.try_as<runtime::FunctionObject>())
      return function_text(parts_->sources, *function);
    if (auto* compiled = object.try_as<runtime::CompiledFunctionObject>()) {
      object = runtime::Value(compiled->function);
      continue;
    }
    if (auto* bound = object.try_as<runtime::BoundMethodObject>()) {
      object = runtime::Value(bound->function);
      continue;
    }
    const runtime::ClassObject* cls = object.try_as<runtime::ClassObject>();
    if (!cls && object.is(runtime::kInstanceKind)) cls = runtime::class_of(object);
    SourceId source = cls ? source_of_class(*cls) : SourceId::kNone;
    if (cls && source == SourceId::kNone)
      if (const Artifact* code = log().latest(Stage::kProgram, cls->qualified_name->view()))
        source = code->definition.source;
    if (source == SourceId::kNone) return std::nullopt;
    return class_text(parts_->sources, source, cls->name->view());
  }
  return std::nullopt;
}

}  // namespace glint
