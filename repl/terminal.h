// The terminal as keys and rows: raw mode, bytes with a time limit, its size.
#pragma once

#include <termios.h>

#include <cstddef>
#include <optional>
#include <string_view>

#include "repl/keys.h"
#include "repl/terminal_signals.h"

namespace glint {

/// Raw mode while it lives: no echo, no line buffering, Ctrl-C a key like any other, pastes marked.
/// A signal finds the terminal as terminal_signals.h says.
class RawMode {
 public:
  RawMode();
  ~RawMode();
  RawMode(const RawMode&) = delete;
  RawMode& operator=(const RawMode&) = delete;

 private:
  termios saved_ = {};
  std::optional<TerminalKeeper> keeper_;
  std::optional<SignalKeys> signals_;
};

/// Stops the program as Ctrl-Z does; goes on when the shell has put it into the foreground again.
void stop_until_continued();
/// All of it, as far as somebody takes it.
void write_to_file(int file, std::string_view text);
/// To standard output, past its buffer.
void write_to_terminal(std::string_view text);
/// Before a plain line is read: to standard output, or, where that is no terminal, to standard
/// error, so that a file holds what entries printed and nothing else.
void write_prompt(std::string_view text);
/// The next byte of standard input, for a `KeyReader`.
std::optional<unsigned char> read_terminal_byte(Wait wait);
/// Whether keys can be read and the cursor be moved: standard input and output are a terminal that
/// is not dumb.
bool usable_terminal();

}  // namespace glint
