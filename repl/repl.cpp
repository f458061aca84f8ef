#include "repl/repl.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "core/support/environment.h"
#include "repl/command_line.h"
#include "repl/commands.h"
#include "repl/documentation.h"
#include "repl/line_editor.h"
#include "repl/render/colour.h"
#include "runtime/interpreter/interpreter.h"

namespace glint {
namespace {

constexpr std::string_view kBanner =
    "Glint {} - a glass-box tensor compiler. :help lists the commands, Ctrl-D leaves.\n";

/// The text behind the spaces that it begins with: no command is indented, and none is Python.
std::string_view behind_indent(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}
bool is_command(std::string_view text) {
  return behind_indent(text).starts_with(':');
}
bool is_question(std::string_view text) {
  return behind_indent(text).starts_with('?') ||
         (text.ends_with('?') && text.find('\n') == std::string_view::npos);
}

Completion complete(Session& session, const std::string& text, size_t cursor) {
  std::string before = text.substr(0, cursor);
  Completion completion;
  const size_t indent = before.size() - behind_indent(before).size();
  bool command_word = is_command(before) && before.find(' ', indent) == std::string::npos;
  bool in_call = before.find('(') != std::string::npos;
  if (is_command(before) && !command_word && !in_call) {
    completion.begin = before.rfind(' ') + 1;
    auto words =
        words_behind(session, before.substr(indent + 1, before.find(' ', indent) - indent - 1));
    for (std::string& word : words.value_or(std::vector<std::string>()))
      if (word.starts_with(before.substr(completion.begin)))
        completion.candidates.push_back(std::move(word));
    if (words) return completion;
  }
  if (!command_word) {
    if (render::ends_inside_text(before)) return completion;
    completion.candidates = session.completions(before, completion.begin);
    return completion;
  }
  completion.begin = indent;
  for (const Command& command : command_table()) {
    std::string name = fmt::format(":{}", command.name);
    if (name.starts_with(behind_indent(before))) completion.candidates.push_back(name);
  }
  return completion;
}

std::string question_of(std::string_view text) {
  size_t begin = text.find_first_not_of("? ");
  if (begin == std::string_view::npos) return {};
  size_t end = text.find_last_not_of("? \n");
  return std::string(text.substr(begin, end - begin + 1));
}

void write(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace

int run_repl(Session& session, bool quiet) {
  bool terminal = ::isatty(STDIN_FILENO) != 0;
  session.keep_inputs();
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
      run_command(entry.text, {session, {}, write});
      continue;
    }
    if (is_question(entry.text)) {
      std::string name = question_of(entry.text);
      if (name.empty()) {
        write("a name goes with `?`, as in `?print`: how it is called and what it does\n");
        continue;
      }
      std::optional<std::string> text =
          is_command(name) ? documentation_of(session, name) : session.describe(name);
      write(text ? *text : fmt::format("nothing is called `{}` here\n", name));
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
