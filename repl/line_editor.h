// Reads one entry from a terminal: several lines, coloured, with history, search and completion.
//
// The terminal is in raw mode only while an entry is read. After every key the entry is drawn
// again, as much of it around the cursor as the terminal has rows for, which is simple and fast
// enough. Where standard input is no terminal, or the terminal is dumb, `read` takes plain lines
// until the entry is complete.
//
// Keys: the arrows, Home and End, Ctrl-A/E/B/F/P/N/W/U/K/Y/D/L, Alt-B/F/D, Ctrl and arrows by
// words, Tab completes, or indents at the beginning of a line, Shift-Tab moves the line out, Enter
// ends a complete entry or starts a line, Alt-Enter always starts a line, Up on the first line goes
// back in history to entries that start as this one does, Ctrl-R searches (Enter runs what it
// found), Ctrl-C drops the entry, Ctrl-Z goes back to the shell until `fg`, Ctrl-D on an empty
// entry ends the session.
//
// Enter indents the next line by the statement and the brackets before it (indentation.h); where
// the first key of the line is a space, what comes has an indentation of its own, which is kept.
// The colon behind `else`, `elif`, `except`, `finally` or `case` moves the line out to the
// statement it belongs to.
//
// Several lines that arrive at once are a paste, bracketed or not: they are taken apart into
// entries, which `read` gives one by one, and nothing is indented for them. Prompts and a margin
// that they were copied with go.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repl/entry.h"
#include "repl/history.h"
#include "repl/keys.h"
#include "repl/pasted.h"
#include "repl/terminal.h"
#include "repl/text_buffer.h"

namespace glint {

/// Whether an entry can run as it stands.
enum class EntryState : uint8_t { kComplete, kIncomplete };

struct EditorHooks {
  std::function<EntryState(const std::string& text)> state;
  std::function<Completion(const std::string& text, size_t cursor)> complete;
  /// The text with terminal colours; the same characters otherwise.
  std::function<std::string(const std::string& text)> highlight;
  /// A line of an input that is no terminal, or a dumb one, with its end; empty where there is
  /// none.
  std::function<std::string()> read_line;
  /// Whether Ctrl-C came while a line was read; told once.
  std::function<bool()> take_interrupt;
};

enum class ReadOutcome : uint8_t { kEntry, kInterrupted, kEndOfInput };

struct ReadResult {
  ReadOutcome outcome = ReadOutcome::kEntry;
  std::string text = {};
};

class LineEditor {
 public:
  LineEditor(EditorHooks hooks, History& history);
  /// Reads one entry; `prompt` stands before its first line, `continuation` before the others.
  ReadResult read(const std::string& prompt, const std::string& continuation);
  /// Forgets what was pasted and has not run: the user interrupted it.
  void drop_pasted();

 private:
  /// What stands on the screen, as far as the cursor's way to its first row goes.
  struct Drawn {
    std::vector<size_t> lines_above = {};  ///< their widths
    size_t cursor = 0;                     ///< columns before it in its own line
    size_t cursor_row(size_t columns) const;
  };

  ReadResult read_plain();
  ReadResult read_raw();
  /// Acts on a key; a result ends the entry.
  std::optional<ReadResult> handle(const Key& key);
  std::optional<ReadResult> handle_control(char letter);
  void handle_alt(char letter);
  std::optional<ReadResult> enter();
  /// Starts a line, as far in as the one before it asks for.
  void begin_line();
  std::optional<ReadResult> paste(const std::string& text);
  /// Takes the next entry of what was pasted; behind the last, its rest goes into the buffer.
  std::optional<ReadResult> next_pasted();
  void complete();
  void history_back();
  void history_forward();
  /// Until a key that is none of the search's, which then does what it does.
  std::optional<ReadResult> search_history();
  /// Ctrl-Z: back to the shell, until it says `fg`.
  void suspend();
  enum class Extent : uint8_t {
    kScreen,  ///< the lines around the cursor, as many as the terminal has rows for
    kEntry    ///< all
  };
  void draw(Extent extent);
  /// The first line that is drawn, and one past the last, where each takes so many rows.
  std::pair<size_t, size_t> lines_in_sight(const std::vector<size_t>& rows);
  void draw_message(const std::string& message);
  void finish_drawing();
  /// Below the entry, which is drawn anew from there afterwards.
  void leave_drawing();

  EditorHooks hooks_;
  History& history_;
  TextBuffer buffer_;
  std::string prompt_;
  std::string continuation_;
  KeyReader keys_;
  PastedEntries pasted_;
  size_t history_position_ = 0;
  std::optional<std::string> history_prefix_;
  Drawn drawn_;
  size_t top_line_ = 0;         ///< the first that is in sight
  bool searches_ = false;       ///< the prompt says what is searched for
  std::optional<RawMode> raw_;  ///< while an entry is read
  bool indented_ = false;       ///< the last key was Enter, and it indented the line
  bool interactive_ = false;
};

}  // namespace glint
