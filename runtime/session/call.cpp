// A call that is typed behind a command, `:bench f(x, 2)`: what is called, and with what.
//
//     f(x, k=2)   ->   (f, (lambda *positional, **keywords: (positional, keywords))(x, k=2))
//
// The expression on the right is evaluated where the user's names live; it binds none of them and
// reads no other. What it raises is reported as at the prompt.
//
//     f(randn(n)) over n in 1e3, 1e4      the same of `lambda n: ...`, for 1000 and for 10000

#include <fmt/format.h>

#include <cctype>

#include "frontend/layout.h"
#include "frontend/parse.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/session/parts.h"

namespace glint {
namespace {

using Words = std::vector<std::pair<std::string_view, uint32_t>>;

/// The text's tokens, each with where it begins; nothing where it cannot be cut into such.
std::optional<Words> words_of(std::string_view text) {
  frontend::Layout layout = frontend::lay_out(text, SourceId{});
  if (layout.error) return std::nullopt;
  Words words;
  for (const frontend::Token& token : layout.tokens) {
    std::string_view word = text.substr(token.begin, token.end - token.begin);
    if (word.find_first_not_of(" \t\r\n") == std::string_view::npos) continue;
    words.emplace_back(word, static_cast<uint32_t>(token.begin));
  }
  return words;
}

/// Whether the text is an expression of another kind than a call: `f(1) + f(2)`, `f(1), f(2)`.
bool is_no_call(std::string_view text) {
  auto parsed = frontend::parse(text, SourceId{}, frontend::Mode::kExpression);
  auto* tree = std::get_if<frontend::Module>(&parsed);
  if (!tree) return false;  // what is wrong with it is said where it is compiled
  const auto& only = std::get<frontend::ExpressionStatement>(tree->body.front()->node);
  return !std::holds_alternative<frontend::Call>(only.value->node);
}

/// Where the parenthesis opens that the text's last one closes; nothing where that is no call. A
/// call in parentheses of its own is none: nothing stands before them.
std::optional<uint32_t> last_call(std::string_view text) {
  const std::optional<Words> words = words_of(text);
  if (!words) return std::nullopt;
  std::vector<uint32_t> open;
  std::optional<uint32_t> found;
  for (const auto& [word, begin] : *words) {
    found.reset();
    if (word == "(" || word == "[" || word == "{") open.push_back(begin);
    if ((word != ")" && word != "]" && word != "}") || open.empty()) continue;
    if (word == ")" && open.back() > words->front().second) found = open.back();
    open.pop_back();
  }
  if (!open.empty() || !found || is_no_call(text)) return std::nullopt;
  return found;
}

/// What stands behind a call: `over n in 1e3, 1e4`.
struct Over {
  uint32_t call_end = 0;
  std::string variable;
  uint32_t numbers = 0;  ///< where they begin
};

std::optional<Over> find_over(std::string_view text) {
  const std::optional<Words> words = words_of(text);
  if (!words) return std::nullopt;
  for (size_t i = 1; i + 3 < words->size(); ++i) {
    if ((*words)[i].first != "over" || (*words)[i + 2].first != "in") continue;
    const auto& [name, begin] = (*words)[i + 1];
    if (std::isalpha(static_cast<unsigned char>(name[0])) || name[0] == '_')
      return Over{(*words)[i].second, std::string(name), (*words)[i + 3].second};
  }
  return std::nullopt;
}

/// A piece of what was typed, on a line of its own in the expression that is evaluated instead.
struct Piece {
  uint32_t line = 0;
  uint32_t begin = 0;  ///< in what was typed
};

/// The source in which the pieces of a typed text stand, and the text.
struct Typed {
  SourceId pieces;
  SourceId text;
  std::vector<Piece> lines;  ///< in order

  Span at(Span span) const {
    if (span.source != pieces) return span;
    return {text, 1, span.column + shift(span.line), 1, span.end_column + shift(span.end_line)};
  }
  uint32_t shift(uint32_t line) const {
    uint32_t shifted = 0;
    for (const Piece& piece : lines)
      if (piece.line <= line) shifted = piece.begin;
    return shifted;
  }
  /// So that its traceback shows what the user typed.
  std::shared_ptr<const program::Code> code(const program::Code& compiled) const {
    auto moved = std::make_shared<program::Code>(compiled);
    moved->span = at(moved->span);
    for (program::Instruction& each : moved->instructions) each.span = at(each.span);
    return moved;
  }
  /// Prints the pending exception, with the places in what was typed.
  void report(Session::Parts& parts) const {
    runtime::Interpreter& interpreter = parts.interpreter;
    auto raised = interpreter.take_pending();
    for (runtime::TracebackEntry& entry : raised->traceback)
      if (entry.code->span.source == pieces) entry.code = code(*entry.code);
    interpreter.raise(std::move(raised));
    parts.report_of_command();
  }
};

/// Function and arguments of a call, as an expression of two items; each on its lines.
constexpr uint32_t kArgumentsLine = 4;
std::string pair_of(std::string_view call, uint32_t open, std::string_view opening) {
  return fmt::format("{}\n{}\n,(lambda *positional, **keywords: (positional, keywords))\n{}\n)",
                     opening, call.substr(0, open), call.substr(open));
}

/// From what such an expression gives.
Session::Parts::ReadCall call_of(const runtime::Value& read) {
  const auto& parts = read.as<runtime::TupleObject>()->items;
  const auto& arguments = parts[1].as<runtime::TupleObject>()->items;
  return {parts[0], arguments[0].as<runtime::TupleObject>()->items,
          runtime::keyword_pairs(arguments[1]), parts[1]};
}

std::string usage(std::string_view command) {
  return fmt::format("usage: :{0} CALL, as in `:{0} f(x)`", command);
}

/// What the expression gives; nothing where it raised, which is reported by the places of `typed`.
Result<std::optional<runtime::Value>> evaluate_typed(Session::Parts& parts,
                                                     std::string_view command,
                                                     const std::string& text,
                                                     const std::string& expression, Typed& typed) {
  const std::string file = fmt::format("<{}>", command);
  runtime::Compiled code = parts.importer.compile(expression, file, runtime::CompileMode::kEval);
  auto* compiled = std::get_if<std::shared_ptr<const program::Code>>(&code);
  if (!compiled) return Error{fmt::format("`{}` is no call", text)};
  WithoutSideWork quiet(parts);
  runtime::Value read = parts.interpreter.run_code(*compiled, parts.main->dict, parts.main->dict);
  typed.pieces = (*compiled)->span.source;
  typed.text = parts.sources.add(file, text);
  if (read.defined()) return std::optional(read);
  typed.report(parts);
  return std::optional<runtime::Value>();
}

/// The numbers of a sweep, as the library takes them.
Result<std::optional<runtime::Value>> read_numbers(Session::Parts& parts, std::string_view command,
                                                   const std::string& text, uint32_t begin) {
  Typed typed{{}, {}, {{2, begin}}};
  auto list =
      evaluate_typed(parts, command, text, fmt::format("[\n{}\n]", text.substr(begin)), typed);
  if (!list || !*list) return list;
  runtime::Interpreter& interpreter = parts.interpreter;
  runtime::Value module = interpreter.import_module("glint._bench");
  runtime::Value checked =
      module.defined() ? runtime::get_attribute(interpreter, module, "checked") : module;
  if (checked.defined()) checked = interpreter.call(checked, {**list});
  if (checked.defined()) return std::optional(checked);
  return Error{parts.take_raised().text};
}

}  // namespace

Result<std::optional<Session::Parts::ReadCall>> Session::Parts::read_call(std::string_view command,
                                                                          const std::string& text) {
  std::optional<uint32_t> open = last_call(text);
  if (!open) return Error{usage(command)};
  Typed typed{{}, {}, {{kArgumentsLine, *open}}};
  auto read = evaluate_typed(*this, command, text, pair_of(text, *open, "("), typed);
  if (!read) return read.error();
  if (!*read) return std::optional<ReadCall>();
  return std::optional(call_of(**read));
}

Result<std::optional<Session::Parts::ReadSweep>> Session::Parts::read_sweep(
    std::string_view command, const std::string& text) {
  const std::optional<Over> over = find_over(text);
  if (!over) return Error{usage(command)};
  const std::string call = text.substr(0, text.find_last_not_of(" \t", over->call_end - 1) + 1);
  const std::optional<uint32_t> open = last_call(call);
  if (!open) return Error{usage(command)};
  auto numbers = read_numbers(*this, command, text, over->numbers);
  if (!numbers) return numbers.error();
  if (!*numbers) return std::optional<ReadSweep>();
  Typed typed{{}, {}, {{kArgumentsLine, *open}}};
  auto make =
      evaluate_typed(*this, command, text,
                     pair_of(call, *open, fmt::format("lambda {}: (", over->variable)), typed);
  if (!make) return make.error();
  if (!*make) return std::optional<ReadSweep>();
  ReadSweep sweep{over->variable, **numbers, {}};
  for (const runtime::Value& number : (*numbers)->as<runtime::ListObject>()->items) {
    WithoutSideWork quiet(*this);
    runtime::Value read = interpreter.call(**make, {number});
    if (read.is_undefined()) {
      typed.report(*this);
      return std::optional<ReadSweep>();
    }
    sweep.calls.push_back(call_of(read));
  }
  return std::optional(std::move(sweep));
}

bool Session::Parts::is_sweep(const std::string& text) {
  return find_over(text).has_value();
}

}  // namespace glint
