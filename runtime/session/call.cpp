// A call that is typed behind a command, `:bench f(x, 2)`: what is called, and with what.
//
//     f(x, k=2)   ->   (f, (lambda *positional, **keywords: (positional, keywords))(x, k=2))
//
// The expression on the right is evaluated where the user's names live; it binds none of them and
// reads no other. What it raises is reported as at the prompt.

#include <fmt/format.h>

#include "frontend/layout.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/session/parts.h"

namespace glint {
namespace {

/// Where the parenthesis opens that the text's last one closes; nothing where that is no call.
std::optional<size_t> last_call(std::string_view text) {
  frontend::Layout layout = frontend::lay_out(text, SourceId{});
  if (layout.error) return std::nullopt;
  std::vector<const frontend::Token*> open;
  std::optional<size_t> found;
  for (const frontend::Token& token : layout.tokens) {
    std::string_view word = text.substr(token.begin, token.end - token.begin);
    if (word.find_first_not_of(" \t\r\n") == std::string_view::npos) continue;
    found.reset();
    if (word == "(" || word == "[" || word == "{") open.push_back(&token);
    if ((word != ")" && word != "]" && word != "}") || open.empty()) continue;
    if (word == ")" && open.back()->begin > 0) found = open.back()->begin;
    open.pop_back();
  }
  return open.empty() ? found : std::nullopt;
}

/// The source in which the two pieces of a call stand, each on a line of its own, and the text as
/// it was typed.
struct Typed {
  SourceId pieces;
  SourceId text;
  uint32_t open = 0;  ///< where the arguments begin in the text

  Span at(Span span) const {
    if (span.source != pieces) return span;
    uint32_t shift = span.line >= kArgumentsLine ? open : 0;
    uint32_t end_shift = span.end_line >= kArgumentsLine ? open : 0;
    return {text, 1, span.column + shift, 1, span.end_column + end_shift};
  }

  /// So that its traceback shows what the user typed.
  std::shared_ptr<const program::Code> code(const program::Code& compiled) const {
    auto moved = std::make_shared<program::Code>(compiled);
    moved->span = at(moved->span);
    for (program::Instruction& each : moved->instructions) each.span = at(each.span);
    return moved;
  }

  static constexpr uint32_t kArgumentsLine = 4;
};

}  // namespace

Result<std::optional<Session::Parts::ReadCall>> Session::Parts::read_call(std::string_view command,
                                                                          const std::string& text) {
  std::optional<size_t> open = last_call(text);
  if (!open) return Error{fmt::format("usage: :{0} CALL, as in `:{0} f(x)`", command)};
  // What is typed stands on lines of its own: see Typed.
  std::string expression =
      fmt::format("(\n{}\n,(lambda *positional, **keywords: (positional, keywords))\n{}\n)",
                  text.substr(0, *open), text.substr(*open));
  runtime::Compiled code =
      importer.compile(expression, fmt::format("<{}>", command), runtime::CompileMode::kEval);
  auto* compiled = std::get_if<std::shared_ptr<const program::Code>>(&code);
  if (!compiled) return Error{fmt::format("`{}` is no call", text)};
  WithoutSideWork quiet(*this);
  runtime::Value read = interpreter.run_code(*compiled, main->dict, main->dict);
  if (read.is_undefined()) {
    auto raised = interpreter.take_pending();
    Typed typed{(*compiled)->span.source, sources.add(fmt::format("<{}>", command), text),
                static_cast<uint32_t>(*open)};
    for (runtime::TracebackEntry& entry : raised->traceback)
      if (entry.code->span.source == typed.pieces) entry.code = typed.code(*entry.code);
    interpreter.raise(std::move(raised));
    interpreter.report_exception();
    return std::optional<ReadCall>();
  }
  const auto& parts = read.as<runtime::TupleObject>()->items;
  const auto& arguments = parts[1].as<runtime::TupleObject>()->items;
  return std::optional<ReadCall>({parts[0], arguments[0].as<runtime::TupleObject>()->items,
                                  runtime::keyword_pairs(arguments[1]), parts[1]});
}

}  // namespace glint
