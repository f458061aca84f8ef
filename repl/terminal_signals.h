// What signals do while the terminal is not as the shell left it: at the prompt, in `:step`, under
// a pager.
//
//     SIGINT, SIGTSTP               as Ctrl-C and Ctrl-Z that are typed
//     SIGWINCH                      a key that does nothing, behind which the view is drawn anew
//     SIGTERM, SIGHUP, SIGQUIT...   the terminal is put back, then the program ends by it
//
// A signal that stands for a key puts its byte into a pipe, which is read beside the keys: no
// moment is the wrong one for it, and no thread. A signal that is ignored stays ignored (`nohup`).
#pragma once

#include <sys/types.h>
#include <termios.h>

#include <csignal>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

namespace glint {

/// While it lives, some signals have a handler, but for those that are ignored.
class SignalHandlers {
 public:
  SignalHandlers(std::initializer_list<int> signals, void (*handler)(int));
  ~SignalHandlers();
  SignalHandlers(const SignalHandlers&) = delete;
  SignalHandlers& operator=(const SignalHandlers&) = delete;

 private:
  std::vector<std::pair<int, struct sigaction>> previous_;
};

/// While it lives, a signal that ends the program puts the terminal back first.
class TerminalKeeper {
 public:
  explicit TerminalKeeper(const termios& before);
  ~TerminalKeeper();
  TerminalKeeper(const TerminalKeeper&) = delete;
  TerminalKeeper& operator=(const TerminalKeeper&) = delete;

  /// The program that has the terminal now, which is ended before; 0: none.
  void set_pager(pid_t pager);

 private:
  std::optional<SignalHandlers> handlers_;
};

/// While it lives, signals that stand for keys are keys.
class SignalKeys {
 public:
  SignalKeys();

 private:
  std::optional<SignalHandlers> handlers_;
};

/// Where their bytes arrive.
int signal_key_file();

}  // namespace glint
