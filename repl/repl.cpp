#include "repl/repl.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <utility>

#include "core/support/environment.h"
#include "core/support/recovery.h"
#include "repl/command_line.h"
#include "repl/commands.h"
#include "repl/entry.h"
#include "repl/line_editor.h"
#include "repl/pager.h"
#include "repl/render/colour.h"
#include "repl/render/text.h"
#include "repl/terminal.h"
#include "repl/walker.h"
#include "runtime/interpreter/interpreter.h"

namespace glint {
namespace {

constexpr std::string_view kBanner =
    "Glint {} - a glass-box tensor compiler. :help lists the commands, Ctrl-D leaves.\n";

void write(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

/// The start-up file's lines; one that is only where it usually is need not be there.
EntryOutcome enter_startup(const CommandContext& context, int& exit_code) {
  const std::string file = environment::startup_file();
  bool asked_for = environment::value(environment::Variable::kStartup).has_value();
  std::error_code ignored;
  if (!asked_for && !std::filesystem::exists(file, ignored)) return EntryOutcome::kDone;
  return enter(fmt::format(":load \"{}\"", file), context, exit_code);
}

EditorHooks hooks_for(Session& session) {
  EditorHooks hooks;
  hooks.state = [&](const std::string& text) {
    bool complete = is_command(text) || is_question(text) || session.entry_is_complete(text);
    return complete ? EntryState::kComplete : EntryState::kIncomplete;
  };
  hooks.complete = [&](const std::string& text, size_t cursor) {
    return complete(session, text, cursor);
  };
  hooks.highlight = [colours = render::terminal_has_colours()](const std::string& text) {
    return colours && !is_command(text) ? render::highlight_python(text) : text;
  };
  hooks.read_line = [&] { return session.read_line(); };
  hooks.take_interrupt = [&] { return session.take_interrupt(); };
  return hooks;
}

}  // namespace

int run_repl(Session& session, const ReplOptions& options) {
  bool terminal = ::isatty(STDIN_FILENO) != 0;
  session.keep_inputs();
  session.add_display(nullptr);
  recovery::enable();
  History history;
  if (terminal) history.open(environment::history_file());
  LineEditor editor(hooks_for(session), history);
  Watches watches;
  std::string printed;  // by the command at work, where a pager may show it
  CommandContext commands = {session, {}, write};
  commands.watches = &watches;
  commands.colours = render::terminal_has_colours();
  if (terminal && ::isatty(STDERR_FILENO) != 0)
    session.paint_tracebacks([colours = commands.colours](std::string_view traceback) {
      std::string text = render::with_controls_escaped(traceback);
      return colours ? render::highlight_traceback(text) : text;
    });
  if (usable_terminal()) commands.walk = walk_on_terminal;
  if (usable_terminal() && options.pager) {
    commands.print = [&](std::string_view text) { printed += text; };
    commands.finish = [&] { page(std::exchange(printed, {})); };
  }
  if (terminal && options.banner) write_prompt(fmt::format(fmt::runtime(kBanner), kVersion));
  int exit_code = 0;
  if (terminal && options.startup && enter_startup(commands, exit_code) == EntryOutcome::kExit)
    return exit_code;
  for (;;) {
    // The editor draws from the first column on.
    if (terminal && session.line_is_open()) write("\n");
    ReadResult entry = editor.read(">>> ", "... ");
    if (entry.outcome == ReadOutcome::kEndOfInput) break;
    if (entry.outcome == ReadOutcome::kInterrupted) {
      write_prompt("KeyboardInterrupt\n");
      continue;
    }
    exit_code = 0;
    if (enter(entry.text, commands, exit_code) == EntryOutcome::kExit) return exit_code;
    if (exit_code == runtime::kInterruptedExit) editor.drop_pasted();
  }
  return 0;
}

}  // namespace glint
