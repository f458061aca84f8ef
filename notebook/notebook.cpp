#include "notebook/notebook.h"

#include <fmt/format.h>

#include <exception>

#include "notebook/name_at.h"
#include "repl/command_line.h"
#include "repl/commands.h"
#include "repl/documentation.h"
#include "repl/drawing.h"
#include "repl/entry.h"
#include "repl/indentation.h"
#include "repl/render/colour.h"
#include "repl/render/html.h"
#include "repl/render/text.h"
#include "runtime/interpreter/builtins_utf8.h"

namespace glint::notebook {
namespace {

/// Graphviz takes seconds for larger graphs.
constexpr size_t kMostDrawnLines = 200;

/// Front ends print errors on pale red, where the cyan that a terminal has for numbers is lost.
std::string on_red(std::string text) {
  constexpr std::string_view kCyan = "\x1b[36m", kMagenta = "\x1b[35m";
  for (size_t at = 0; (at = text.find(kCyan, at)) != std::string::npos; at += kMagenta.size())
    text.replace(at, kCyan.size(), kMagenta);
  return text;
}

Raised told(const RaisedException& raised) {
  const std::string traceback = on_red(render::highlight_traceback(raised.traceback));
  const std::vector<std::string_view> lines = render::lines_of(traceback);
  return {raised.type, raised.text, {lines.begin(), lines.end()}};
}

/// A fault of Glint's own, as CPython calls one.
Raised told(const std::exception& fault) {
  std::string text = fmt::format("internal error of glint: {}", fault.what());
  return {"SystemError", text, {"SystemError: " + text}};
}

/// What IPython makes of a line that is no Python, and what there is here instead.
RaisedException told_foreign(const Piece& piece) {
  const std::string name = piece.text.substr(0, piece.text.find_first_of(" \t"));
  std::string text = fmt::format("`{}` is a magic of IPython's, and this is not IPython", name);
  if (piece.text[0] == '!') text = "`!` runs a shell's command in IPython, and this is not IPython";
  if (name.find("time") != std::string::npos) text += "; `:bench CALL` measures a call";
  std::string trace = fmt::format("  File \"<cell>\", line {}\n    {}\nSyntaxError: {}\n",
                                  piece.line, piece.text, text);
  return {"SyntaxError", text, trace};
}

/// A Ctrl-C that has ended a command ends no cell behind it.
void forget_interrupt() {
  runtime::Interpreter& interpreter = runtime::Interpreter::current();
  if (interpreter.raise_interrupt()) interpreter.take_pending();
}

/// As a shell reads a program's end: nothing and 0 are good.
std::string exit_text(const RaisedException& exit) {
  const bool is_good = exit.text.empty() || exit.text == "0" || exit.text == "None";
  return is_good ? "" : exit.text;
}

/// While it lives, what a cell writes goes to a client.
class WritesTo {
 public:
  WritesTo(CellOutput& output, Client* client) : output_(output) { output_.set_client(client); }
  ~WritesTo() { output_.set_client(nullptr); }
  WritesTo(const WritesTo&) = delete;
  WritesTo& operator=(const WritesTo&) = delete;

 private:
  CellOutput& output_;
};

}  // namespace

Notebook::Notebook(const NotebookOptions& options)
    : session_({.arguments = {""},
                .compile_everything = options.compile_everything,
                .output = &output_}),
      history_(options.history_file) {
  session_.keep_inputs();
  session_.add_display(&output_);
}

std::string Notebook::version() {
  return std::string(kVersion);
}

std::vector<Piece> Notebook::pieces(const std::string& code) const {
  return pieces_of(code, [this](const std::string& python) {
    return session_.cell_state(python) == TextState::kIncomplete;
  });
}

ExecuteReply Notebook::execute(const ExecuteRequest& request, Client& client) {
  WritesTo writes(output_, request.silent ? nullptr : &client);
  ExecuteReply reply;
  forget_interrupt();
  session_.begin_cell(request.number);
  try {
    for (const Piece& piece : pieces(request.code)) {
      CellOutcome ended = run(piece);
      show_watched(commands());
      reply.exits = ended.outcome == EntryOutcome::kExit;
      if (reply.exits) reply.exit_text = exit_text(*ended.raised);
      if (ended.outcome == EntryOutcome::kRaised) reply.raised = told(*ended.raised);
      if (ended.outcome != EntryOutcome::kDone) break;
    }
    if (!reply.exits) {
      std::optional<RaisedException> raised = session_.end_cell();
      if (raised && !reply.raised) reply.raised = told(*raised);
    }
    if (!reply.raised)
      for (const auto& [name, expression] : request.expressions)
        reply.expressions[name] = evaluate(expression);
  } catch (const std::exception& fault) {
    reply.raised = told(fault);
  }
  if (request.store_history) history_.add(request.number, request.code);
  return reply;
}

CellOutcome Notebook::run(const Piece& piece) {
  switch (piece.kind) {
    case PieceKind::kCommand: {
      int exit_code = 0;
      run_command(piece.text, commands(), exit_code);
      if (exit_code == runtime::kInterruptedExit)
        return {EntryOutcome::kRaised,
                RaisedException{"KeyboardInterrupt", "", "KeyboardInterrupt\n"}};
      break;
    }
    case PieceKind::kQuestion:
      output_.write_out(answer(session_, piece.text));
      break;
    case PieceKind::kNothing:
      break;
    case PieceKind::kForeign:
      output_.flush();
      return {EntryOutcome::kRaised, told_foreign(piece)};
    case PieceKind::kPython: {
      // Lines are counted from the cell's first.
      std::string text = std::string(piece.line - 1, '\n') + piece.text;
      return session_.run_cell(text);
    }
  }
  output_.flush();
  return {};
}

CommandContext Notebook::commands() {
  CommandContext context = {session_,
                            {},
                            [this](std::string_view text) { output_.write_out(text); },
                            [this](const Listing& listing) { show(listing); }};
  context.display = [this](const MimeForms& forms) { output_.show({forms}); };
  context.watches = &watches_;
  return context;
}

void Notebook::show(const Listing& listing) {
  if (!output_.client()) return;
  bool is_stage = !listing.lines.empty();
  std::string html = fmt::format("<b>{}</b>\n", render::escaped(listing.title));
  html += is_stage
              ? render::html_of(listing.lines, session_.sources(), listing.language, listing.main)
              : render::html_of_ruled(listing.text);
  output_.show({{{"text/plain", render::heading(listing.title) + listing.text},
                 {"text/html", std::move(html)}}});
  if (is_stage && listing.title.starts_with("graph ")) draw(listing);
}

void Notebook::draw(const Listing& graph) {
  if (graph.lines.size() > kMostDrawnLines) {
    output_.write_out("too large to be drawn at once; `:graph --svg FILE` draws it\n");
    return;
  }
  const std::string dot = session_.graph_drawing(graph.compile);
  if (dot.empty()) return;
  auto picture = svg_of(dot);
  size_t begin = picture ? picture->find("<svg") : std::string::npos;
  if (begin == std::string::npos) return;
  output_.show({{{"text/plain", fmt::format("<{}, drawn>", graph.title)},
                 {"image/svg+xml", picture->substr(begin)}}});
}

ExpressionReply Notebook::evaluate(const std::string& expression) {
  auto value = session_.evaluate(expression);
  if (auto* raised = std::get_if<RaisedException>(&value)) return {{}, told(*raised)};
  return {std::get<MimeForms>(std::move(value)), {}};
}

CompleteReply Notebook::complete(const std::string& code, size_t cursor) {
  const size_t at = runtime::byte_offset(code, cursor);
  const std::string before = code.substr(0, at);
  const size_t line = before.rfind('\n') + 1;
  bool command =
      is_command(before.substr(line)) && !render::ends_inside_text(before.substr(0, line));
  const size_t entry = command ? line : 0;
  Completion found = glint::complete(session_, before.substr(entry), at - entry);
  return {std::move(found.candidates), runtime::code_point_index(code, entry + found.begin),
          runtime::code_point_index(code, at)};
}

std::optional<Forms> Notebook::inspect(const std::string& code, size_t cursor) {
  const std::string name = name_at(code, runtime::byte_offset(code, cursor));
  if (name.empty()) return std::nullopt;
  std::optional<std::string> page;
  if (is_command(name)) {
    page = documentation_of(session_, name);
  } else {
    page = session_.describe(name);
    if (!page) page = session_.describe_library(name);
  }
  if (!page) return std::nullopt;
  return Forms{{"text/plain", *page}, {"text/html", render::html_of(*page)}};
}

IsCompleteReply Notebook::is_complete(const std::string& code) {
  std::vector<Piece> found = pieces(code);
  bool open = !found.empty() && found.back().kind == PieceKind::kPython && !code.ends_with('\n');
  if (open) found.back().text.pop_back();
  for (const Piece& piece : found) {
    if (piece.kind != PieceKind::kPython) continue;
    TextState state = session_.cell_state(piece.text);
    if (state == TextState::kInvalid) return {"invalid", ""};
    if (state == TextState::kComplete) continue;
    return {"incomplete", std::string(indent_behind(code), ' ')};
  }
  return {"complete", ""};
}

std::vector<HistoryEntry> Notebook::history(const HistoryRequest& request) {
  return history_.find(request);
}

void Notebook::end() {
  session_.end(0);
}

}  // namespace glint::notebook
