#include "repl/repl.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "core/support/environment.h"
#include "core/support/recovery.h"
#include "repl/command_line.h"
#include "repl/commands.h"
#include "repl/entry.h"
#include "repl/line_editor.h"
#include "repl/render/colour.h"
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

}  // namespace

int run_repl(Session& session, bool quiet) {
  bool terminal = ::isatty(STDIN_FILENO) != 0;
  session.keep_inputs();
  recovery::enable();
  bool colours = render::terminal_has_colours();
  History history;
  if (terminal) history.open(environment::history_file());
  EditorHooks hooks;
  hooks.state = [&](const std::string& text) {
    bool complete = is_command(text) || is_question(text) || session.entry_is_complete(text);
    return complete ? EntryState::kComplete : EntryState::kIncomplete;
  };
  hooks.complete = [&](const std::string& text, size_t cursor) {
    return complete(session, text, cursor);
  };
  hooks.highlight = [&](const std::string& text) {
    return colours && !is_command(text) ? render::highlight_python(text) : text;
  };
  LineEditor editor(std::move(hooks), history);
  CommandContext commands = {session, {}, write};
  if (usable_terminal()) commands.walk = walk_on_terminal;
  if (terminal && !quiet) write(fmt::format(fmt::runtime(kBanner), kVersion));
  for (;;) {
    // The editor draws from the first column on.
    if (terminal && session.line_is_open()) write("\n");
    ReadResult entry = editor.read(">>> ", "... ");
    if (entry.outcome == ReadOutcome::kEndOfInput) break;
    if (entry.outcome == ReadOutcome::kInterrupted) {
      write("KeyboardInterrupt\n");
      continue;
    }
    if (is_command(entry.text)) {
      run_command(entry.text, commands);
      continue;
    }
    if (is_question(entry.text)) {
      write(answer(session, entry.text));
      continue;
    }
    int exit_code = 0;
    EntryOutcome outcome = session.run_entry(entry.text, exit_code);
    if (outcome == EntryOutcome::kExit) return exit_code;
    if (exit_code == runtime::kInterruptedExit) editor.drop_pasted();
  }
  return 0;
}

}  // namespace glint
